import type { Db } from '#kernel/server/db/db.ts';
import {
  recordHandlers,
  withoutTicket,
  type ReadRow,
  type RecordApproval,
  type RecordViewer,
} from '#modules/workflow/records/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { contracts as calls } from '../contract/contracts.ts';
import type { ContractInput } from '../contract/shapes.ts';
import { registrableBy } from '../engine/registering.ts';
import { partOf } from '../register/part.ts';
import { contractDetail } from './detail.ts';
import { listOptions } from './filters.ts';
import { factsOf, type RowFacts } from './facts.ts';
import { contracts, type Stored } from './record.ts';
import { columnsOf, writeBeside } from './writing.ts';
import type { contractTable } from '../tables.ts';

/** A contract as a list row. */
export const shownRow = (
  row: ReadRow<typeof contractTable>,
  approval: RecordApproval | null,
  viewer: RecordViewer,
  facts: RowFacts,
) => ({
  ...(approval ?? { ...withoutTicket(row), creator_info: nobody }),
  ...row,
  ...facts,
  actions: [...new Set([...(approval?.actions ?? []), ...registrableBy(row, partOf(row, viewer))])],
});
const nobody = { id: 0, username: '', alias: '', dept_id: null, dept_name: '' };

async function extras(tx: Db, rows: readonly Stored[], now: Date): Promise<Map<number, object>> {
  const facts = new Map<number, object>(await factsOf(tx, rows, now));
  const bare = rows.filter((row) => row.ticket_id === null);
  const people = await peopleById(
    tx,
    bare.map((row) => row.creator_id),
  );
  for (const row of bare)
    facts.set(row.id, { creator_info: people.get(row.creator_id) ?? nobody, ...facts.get(row.id) });
  return facts;
}

/** Handlers of the record's calls: drafting, sending, reading, deleting. */
export const contractHandlers = recordHandlers(calls, contracts, {
  columns: (tx, input, viewer, before) => columnsOf(tx, input as Partial<ContractInput>, viewer, before),
  beside: (tx, row, input, viewer, before) => writeBeside(tx, row, input as Partial<ContractInput>, viewer, before),
  row: (tx, rows, _viewer, now) => extras(tx, rows, now),
  detail: (tx, row, viewer, now) => contractDetail(tx, row, viewer, now),
  actions: (row, viewer) => registrableBy(row, partOf(row, viewer)),
  list: (query, _tx, user) => listOptions(query, user),
});
