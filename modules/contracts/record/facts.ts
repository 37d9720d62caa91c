import { eq, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { fenOf, yuanOf } from '#kernel/contract/money/money.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Quick } from '../contract/contracts.ts';
import { direction, nature, renewal, stage } from '../contract/codes.ts';
import { isLate } from '../performing/state.ts';
import { contractCategoryTable, contractPerformanceTable, contractTable } from '../tables.ts';
import type { Stored } from './record.ts';

const { id, amount, paid, pay_direction, stage: at, term_end } = contractTable;
const { contract_id, cancelled, is_open, name, plan_date } = contractPerformanceTable;
const nodes = (which: SQL) =>
  sql<number>`(select count(*)::int from ${contractPerformanceTable} where ${contract_id} = ${id} and ${which})`;
const running = sql`${at} in (${stage.running}, ${stage.suspended}, ${stage.expired})`;

/** Quick filters of the ledger: each is the condition of the list and of its count. */
export function quickFilters(today: string): Record<Quick, SQL> {
  return {
    to_sign: sql`${at} = ${stage.toSign}`,
    // What goes on by itself does not expire.
    expiring: sql`${at} = ${stage.running} and ${contractTable.renewal} <> ${renewal.tacit}
      and ${term_end} between ${today}::date and ${today}::date + 30`,
    late: sql`${at} in (${stage.running}, ${stage.expired}, ${stage.terminated}) and exists (select from ${contractPerformanceTable}
      where ${contract_id} = ${id} and ${is_open} and ${plan_date} < ${today}::date)`,
    to_archive: sql`${at} in (${stage.finished}, ${stage.terminated})`,
    suspended: sql`${at} = ${stage.suspended}`,
    unpaid: sql`${running} and ${contractTable.nature} <> ${nature.supplement} and ${pay_direction} <> ${direction.none} and ${paid} < ${amount}`,
  };
}

interface Facts {
  id: number;
  category_name: string;
  undertaker_alias: string;
  party_names: string[];
  notice_date: string | null;
  days_left: number | null;
  nodes: number;
  nodes_done: number;
  nodes_late: number;
  next_node: string | null;
  next_date: string | null;
}

export type RowFacts = Facts & { title: string; unpaid: number };

/** What lists show of contracts beside their columns and tickets; one statement, however many. */
export async function factsOf(tx: Db, rows: readonly Stored[], now: Date): Promise<Map<number, RowFacts>> {
  if (rows.length === 0) return new Map();
  const today = dayOf(now);
  const next = (column: AnyColumn) => sql<string | null>`(select ${column} from ${contractPerformanceTable}
    where ${contract_id} = ${id} and ${is_open} order by ${plan_date}, ${contractPerformanceTable.id} limit 1)`;
  const found = await tx
    .select({
      id,
      category_name: contractCategoryTable.name,
      undertaker_alias: sql<string>`(select u.alias from app_user u where u.id = ${contractTable.undertaker})`,
      party_names: sql<string[]>`array(select s.name from contract_side s where s.contract_id = ${id} order by s.no)`,
      notice_date: sql<string | null>`(select t.notice_date from contract_term t where t.contract_id = ${id}
        order by t.no desc limit 1)`,
      days_left: sql<number | null>`case when ${running} then ${term_end} - ${today}::date end`,
      nodes: nodes(sql`not ${cancelled}`),
      nodes_done: nodes(sql`not ${cancelled} and not ${is_open}`),
      nodes_late: nodes(isLate(today)),
      next_node: next(name),
      next_date: next(plan_date),
    })
    .from(contractTable)
    .innerJoin(contractCategoryTable, eq(contractCategoryTable.id, contractTable.category_id))
    .where(
      isAmong(
        id,
        rows.map((row) => row.id),
      ),
    );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return new Map(found.map((facts: Facts) => [facts.id, { ...facts, ...beside(stored.get(facts.id)!) }]));
}

/** What follows of them. */
function beside({ name: title, pay_direction: pays, amount: whole, paid: done }: Stored) {
  const unpaid = pays === direction.none ? 0 : yuanOf(fenOf(whole) - fenOf(done));
  return { title, unpaid: Math.max(0, unpaid) };
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
