import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll } from '#modules/platform/files/service.ts';
import type { ColumnsOf, RecordViewer, Writing } from '#modules/workflow/records/service.ts';
import type { Registrable, Part } from '../engine/registering.ts';
import { contracts, module, type Stored } from '../record/record.ts';
import { contractPerformanceTable, contractTable } from '../tables.ts';
import { tooEarly } from '../contract/refusals.ts';
import { addMonths } from '../engine/terms.ts';
import { due } from '../performing/figures.ts';
import { registerEvent } from './events.ts';

/** A registration in progress: its user and its contract, locked until it is done. */
export interface Making {
  context: Writing;
  viewer: RecordViewer;
  part: Part;
  row: Stored;
  today: string;
}
/** The result of a registration. */
export interface Made {
  row: Stored;
  entry_id?: number;
  notes?: string[];
}

interface Written {
  type: Registrable;
  columns?: ColumnsOf<typeof contractTable>;
  reason?: string;
  changes?: { field: string; label: string; before: unknown; after: unknown }[];
  files?: readonly (number | null | undefined)[];
  supplement_id?: number;
  entry_id?: number;
  dispute_id?: number;
  /** Runs after the registration and before the columns, with the registration's id. */
  between?(event: number): Promise<unknown>;
}

/** Writes the registration, the contract's new columns and the files. */
export async function write({ context, row }: Making, written: Written): Promise<Stored> {
  const { tx, user, audit } = context;
  const { type, columns = {}, reason = '', changes = [], supplement_id, entry_id, dispute_id, between } = written;
  const files = (written.files ?? []).flatMap((one) => one ?? []);
  await attachAll(tx, { fileIds: files, module, recordId: row.id, user });
  const stages = { from_stage: row.stage, to_stage: columns.stage ?? row.stage };
  const about = { contract_id: row.id, type, ...stages, reason, changes, files, by: user.id };
  const event = await registerEvent(tx, {
    ...about,
    ...(supplement_id ? { supplement_id } : {}),
    ...(entry_id ? { entry_id } : {}),
    ...(dispute_id ? { dispute_id } : {}),
  });
  await between?.(event);
  const after = Object.keys(columns).length > 0 ? await contracts.set(tx, row, columns) : row;
  const [was, is] = [contracts.definition.log(row), contracts.definition.log(after)];
  audit({
    type: '合同',
    id: row.id,
    title: row.name,
    before: was.facts,
    after: { ...is.facts, 登记: type, 原因: reason },
  });
  return after;
}

/**
 * Refuses a day before the contract can have begun: its start or signature, whichever is earlier; a year before that if work began before
 * the signature.
 */
export function refuseEarly(
  what: string,
  day: string,
  row: Pick<Stored, 'start_date' | 'sign_date' | 'late_signed' | 'gmt_created'>,
): void {
  const days = [row.start_date, row.sign_date ?? row.gmt_created.slice(0, 10)].filter((one) => one !== null);
  const first = days.toSorted()[0]!;
  if (day < (row.late_signed ? addMonths(first, -12) : first)) throw tooEarly(what, day, first);
}

/** Open rows of a contract. */
export function openRowsOf(tx: Db, contractId: number, where?: SQL) {
  const { id, name, plan_date, contract_id, is_open } = contractPerformanceTable;
  return tx
    .select({ id, name, plan_date, rest: sql`${due}`.mapWith(Number) })
    .from(contractPerformanceTable)
    .innerJoin(contractTable, eq(contractTable.id, contract_id))
    .where(and(eq(contract_id, contractId), is_open, where));
}
