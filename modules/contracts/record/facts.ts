import { eq, sql, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Quick } from '../contract/contracts.ts';
import { direction, renewal, stage } from '../contract/codes.ts';
import { isOpen, stateOn } from '../performing/state.ts';
import { contractCategoryTable, contractPerformanceTable, contractTable } from '../tables.ts';
import { rulesOf } from './assess.ts';
import type { Stored } from './record.ts';

const { id, amount, pay_direction, stage: at } = contractTable;
const moneyOf = (which: SQL) => sql`(select coalesce(sum(e.amount), 0) from contract_entry e
  join contract_performance p on p.id = e.performance_id where e.contract_id = ${id} and p.kind = ${which})`;
/** What of its amount was paid, or came in. */
export const paidOf: SQL<number> = moneyOf(sql`${pay_direction}`).mapWith(Number) as SQL<number>;
const lastTerm = (column: SQL) =>
  sql`(select ${column} from contract_term t where t.contract_id = ${id} order by t.no desc limit 1)`;
/** The last day of the term it is in; before it is signed, as it was written. */
export const termEnd: SQL<string | null> = sql<
  string | null
>`case when exists (select from contract_term t where t.contract_id = ${id}) then ${lastTerm(sql`t.end_date`)} else ${contractTable.end_date} end`;

const nodes = (
  today: string,
  soon: number,
  which: SQL,
) => sql<number>`(select count(*)::int from ${contractPerformanceTable}
  where ${contractPerformanceTable.contract_id} = ${id} and ${which})`;
const lateNodes = (today: string, soon: number) => nodes(today, soon, sql`${stateOn(today, soon)} = 4`);
const running = sql`${at} in (${stage.running}, ${stage.suspended}, ${stage.expired})`;

/** Quick filters of the ledger: each is the condition of the list and of its count. */
export function quickFilters(today: string, soon: number): Record<Quick, SQL> {
  return {
    to_sign: sql`${at} = ${stage.toSign}`,
    // What goes on by itself does not expire.
    expiring: sql`${at} = ${stage.running} and ${contractTable.renewal} <> ${renewal.tacit}
      and ${termEnd} between ${today}::date and ${today}::date + 30`,
    late: sql`${at} in (${stage.running}, ${stage.expired}, ${stage.terminated}) and ${lateNodes(today, soon)} > 0`,
    to_archive: sql`${at} in (${stage.finished}, ${stage.terminated})`,
    suspended: sql`${at} = ${stage.suspended}`,
    unpaid: sql`${running} and ${pay_direction} <> ${direction.none} and ${paidOf} < ${amount}`,
  };
}

interface Facts {
  id: number;
  category_name: string;
  dept_name: string;
  undertaker_alias: string;
  party_names: string[];
  term_end: string | null;
  term_no: number | null;
  notice_date: string | null;
  days_left: number | null;
  nodes: number;
  nodes_done: number;
  nodes_late: number;
  next_node: string | null;
  next_date: string | null;
  paid: number;
}

export type RowFacts = Facts & { title: string; unpaid: number };

/** What lists show of contracts beside their columns and tickets; one statement, however many. */
export async function factsOf(tx: Db, rows: readonly Stored[], now: Date): Promise<Map<number, RowFacts>> {
  if (rows.length === 0) return new Map();
  const today = dayOf(now);
  const { soon_days: soon } = await rulesOf(tx);
  const of = sql`${contractPerformanceTable.contract_id} = ${id}`;
  const next = (column: SQL) => sql`(select ${column} from ${contractPerformanceTable}
    where ${of} and ${isOpen(today, soon)} order by ${contractPerformanceTable.plan_date}, ${contractPerformanceTable.id} limit 1)`;
  const found = await tx
    .select({
      id,
      category_name: contractCategoryTable.name,
      dept_name: sql<string>`(select d.name from dept d where d.id = ${contractTable.dept_id})`,
      undertaker_alias: sql<string>`(select u.alias from app_user u where u.id = ${contractTable.undertaker})`,
      party_names: sql<string[]>`array(select s.name from contract_side s where s.contract_id = ${id} order by s.no)`,
      term_end: termEnd,
      term_no: sql<number | null>`${lastTerm(sql`t.no`)}`,
      notice_date: sql<string | null>`${lastTerm(sql`t.notice_date`)}`,
      days_left: sql<number | null>`case when ${running} then (${termEnd}) - ${today}::date end`,
      nodes: nodes(today, soon, sql`not ${contractPerformanceTable.cancelled}`),
      nodes_done: nodes(today, soon, sql`${stateOn(today, soon)} = 3`),
      nodes_late: lateNodes(today, soon),
      next_node: sql<string | null>`${next(sql`${contractPerformanceTable.name}`)}`,
      next_date: sql<string | null>`${next(sql`${contractPerformanceTable.plan_date}`)}`,
      paid: paidOf,
    })
    .from(contractTable)
    .innerJoin(contractCategoryTable, eq(contractCategoryTable.id, contractTable.category_id))
    .where(
      isAmong(
        id,
        rows.map((row) => row.id),
      ),
    );
  const amounts = new Map(rows.map((row) => [row.id, row]));
  return new Map(found.map((facts: Facts) => [facts.id, { ...facts, ...beside(amounts.get(facts.id)!, facts) }]));
}

/** What follows of them. */
function beside(row: Stored, { paid }: Facts) {
  const unpaid =
    row.pay_direction === direction.none ? 0 : (Math.round(row.amount * 100) - Math.round(paid * 100)) / 100;
  return { title: row.name, unpaid: Math.max(0, unpaid) };
}

/** What a ticket says of a contract, where there is none. */
export const withoutTicket = {
  sn: '',
  ticket_id: null,
  workflow_id: 0,
  act_state_name: '已完成',
  state_id: 0,
  state_name: '',
  participant_info: {
    participant_type_id: 0,
    participant_type_name: '',
    participant: '',
    participant_name: '',
    participant_alias: '',
  },
  since: null,
  round: 0,
  news: false,
  on_behalf_of: '',
};
