import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { RecordViewer } from '#modules/workflow/records/service.ts';
import { performanceState, stage } from '../contract/codes.ts';
import { registrable, withMoney, type Part } from '../engine/registering.ts';
import { rulesOf } from '../record/assess.ts';
import type { Stored } from '../record/record.ts';
import { partOf } from '../register/part.ts';
import { contractEntryTable, contractPerformanceTable, contractTable } from '../tables.ts';
import { daysLeft, isPlanned, stateOn } from './state.ts';

const { done, late, cancelled } = performanceState;

/** Rows of performance joined with their contracts. The caller adds a condition. */
export function selectPerformances(tx: Db, today: string, soon: number) {
  return tx
    .select({
      ...shown,
      state: stateOn(today, soon).as('state'),
      days_left: daysLeft(today).as('days_left'),
      handler_alias: sql<string>`(select u.alias from app_user u where u.id = ${contractPerformanceTable.handler})`.as(
        'handler_alias',
      ),
      contract_name: contractTable.name,
      contract_no: contractTable.contract_no,
      contract_stage: contractTable.stage,
      contract_undertaker: contractTable.undertaker,
      dept_id: contractTable.dept_id,
      creator_id: contractTable.creator_id,
      dept_name: sql<string>`(select d.name from dept d where d.id = ${contractTable.dept_id})`.as('dept_name'),
    })
    .from(contractPerformanceTable)
    .innerJoin(contractTable, eq(contractTable.id, contractPerformanceTable.contract_id));
}
const shown = {
  id: contractPerformanceTable.id,
  contract_id: contractPerformanceTable.contract_id,
  kind: contractPerformanceTable.kind,
  direction: contractPerformanceTable.direction,
  gives_back: contractPerformanceTable.gives_back,
  period: contractPerformanceTable.period,
  name: contractPerformanceTable.name,
  condition: contractPerformanceTable.condition,
  plan_date: contractPerformanceTable.plan_date,
  plan_amount: contractPerformanceTable.plan_amount,
  done_amount: contractPerformanceTable.done_amount,
  entries: contractPerformanceTable.entries,
  handler: contractPerformanceTable.handler,
  settlement: contractPerformanceTable.settlement,
  cancel_reason: contractPerformanceTable.cancel_reason,
  version: contractPerformanceTable.version,
};
export type Selected = Awaited<ReturnType<typeof selectPerformances>>[number];

/** The acts open on a row of performance now. */
export function rowActions(row: Selected, part: Part): string[] {
  const at = row.contract_stage;
  const plans = part.undertaker || part.manager;
  const enters = plans || part.handler || (part.finance && withMoney.includes(row.kind));
  const registers =
    (registrable.performance.from as readonly number[]).includes(at) && row.state !== cancelled && row.state !== done;
  return [
    ...(registers && enters && (at !== stage.terminated || row.settlement) ? ['register'] : []),
    ...(isPlanned(at) && plans && (row.state < done || row.state === late) ? ['edit'] : []),
    ...(isPlanned(at) && part.manager && row.entries === 0 && !row.settlement ? ['delete'] : []),
  ];
}

/** The rows of one contract, by day. */
export async function performancesOf(tx: Db, contract: Stored, viewer: RecordViewer, today: string) {
  const { soon_days } = await rulesOf(tx);
  const rows = await selectPerformances(tx, today, soon_days)
    .where(eq(contractPerformanceTable.contract_id, contract.id))
    .orderBy(asc(contractPerformanceTable.plan_date), asc(contractPerformanceTable.id));
  return rows.map((row) => ({ ...row, actions: rowActions(row, partOf(contract, viewer, row.handler)) }));
}

interface Shown {
  viewer: { id: number };
  now: Date;
}

/** The entries of a contract, or of one of its rows; newest first. */
export async function entriesOf(
  tx: Db,
  contract: Pick<Stored, 'id' | 'stage'>,
  part: Part,
  { viewer, now }: Shown,
  where?: SQL,
) {
  const rows = await tx
    .select()
    .from(contractEntryTable)
    .where(and(eq(contractEntryTable.contract_id, contract.id), where))
    .orderBy(desc(contractEntryTable.date), desc(contractEntryTable.id));
  const people = await peopleById(
    tx,
    rows.flatMap((row) => row.by ?? []),
  );
  const cards = await fileCards(tx, [...new Set(rows.flatMap((row) => row.files))], viewer);
  const taken = new Set(rows.flatMap((row) => row.reverses_id ?? []));
  const reverses = (registrable.reverse.from as readonly number[]).includes(contract.stage);
  return rows.map((row) => {
    const open = reverses && row.reverses_id === null && !taken.has(row.id);
    const today = row.at.slice(0, 10) === dayOf(now);
    return {
      ...row,
      reversed: taken.has(row.id),
      who: row.by === null ? '系统' : (people.get(row.by)?.alias ?? ''),
      files: row.files.flatMap((file) => cards.get(file) ?? []),
      actions: open && (part.manager || (row.by === viewer.id && today)) ? ['reverse'] : [],
    };
  });
}
