import { eq, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { fenOf, yuanOf } from '#kernel/contract/money/money.ts';
import { named, type Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { countedTo, type Quick } from '../contract/contracts.ts';
import { direction, nature, renewal, stage } from '../contract/codes.ts';
import { isLate } from '../performing/state.ts';
import { contractCategoryTable, contractPerformanceTable, contractTable } from '../tables.ts';
import type { Stored } from './record.ts';

const { id, amount, paid, pay_direction, stage: at, term_end } = contractTable;
const { contract_id, cancelled, is_open, name, plan_date } = contractPerformanceTable;
/** Of the first row that is still to be performed. */
const next = (column: AnyColumn) =>
  sql<
    string | null
  >`(array_agg(${column} order by ${plan_date}, ${contractPerformanceTable.id}) filter (where ${is_open}))[1]`;
// oxlint-disable-next-line eslint/no-restricted-properties -- numbers of ours, written out so that the planner of a prepared statement knows them
const written = (...codes: number[]) => sql.raw(codes.join(', '));
/** Something may still be owed. */
const owing: readonly number[] = [stage.running, stage.suspended, stage.expired];
const running = sql`${at} in (${written(...owing)})`;

/** Quick filters of the ledger: each is the condition of the list and of its count. */
export function quickFilters(today: string): Record<Quick, SQL> {
  return {
    to_sign: sql`${at} = ${written(stage.toSign)}`,
    // What goes on by itself does not expire.
    expiring: sql`${at} = ${written(stage.running)} and ${contractTable.renewal} <> ${written(renewal.tacit)}
      and ${term_end} between ${today}::date and ${today}::date + 30`,
    late: sql`${at} in (${written(stage.running, stage.expired, stage.terminated)}) and exists (select from ${contractPerformanceTable}
      where ${contract_id} = ${id} and ${is_open} and ${plan_date} < ${today}::date)`,
    to_archive: sql`${at} in (${written(stage.finished, stage.terminated)})`,
    suspended: sql`${at} = ${written(stage.suspended)}`,
    unpaid: sql`${running} and ${contractTable.nature} <> ${written(nature.supplement)}
      and ${pay_direction} <> ${written(direction.none)} and ${paid} < ${amount}`,
    disputed: sql`${contractTable.open_disputes} > 0`,
  };
}
/** How many are counted at most. */
export const countedMost = written(countedTo);

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
  const of = tx
    .select({
      nodes: sql<number>`count(*) filter (where not ${cancelled})::int`.as('nodes'),
      nodes_done: sql<number>`count(*) filter (where not ${cancelled} and not ${is_open})::int`.as('nodes_done'),
      nodes_late: sql<number>`count(*) filter (where ${isLate(today)})::int`.as('nodes_late'),
      next_node: next(name).as('next_node'),
      next_date: next(plan_date).as('next_date'),
    })
    .from(contractPerformanceTable)
    .where(eq(contract_id, id))
    .as('of');
  const found = await named(
    tx
      .select({
        id,
        category_name: contractCategoryTable.name,
        undertaker_alias: sql<string>`(select u.alias from app_user u where u.id = ${contractTable.undertaker})`,
        party_names: sql<string[]>`array(select s.name from contract_side s where s.contract_id = ${id} order by s.no)`,
        notice_date: sql<string | null>`(select t.notice_date from contract_term t where t.contract_id = ${id}
          order by t.no desc limit 1)`,
        days_left: sql<number | null>`case when ${running} then ${term_end} - ${today}::date end`,
        nodes: of.nodes,
        nodes_done: of.nodes_done,
        nodes_late: of.nodes_late,
        next_node: of.next_node,
        next_date: of.next_date,
      })
      .from(contractTable)
      .innerJoin(contractCategoryTable, eq(contractCategoryTable.id, contractTable.category_id))
      .innerJoinLateral(of, sql`true`)
      .where(
        isAmong(
          id,
          rows.map((row) => row.id),
        ),
      ),
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return new Map(found.map((facts: Facts) => [facts.id, { ...facts, ...beside(stored.get(facts.id)!) }]));
}

/** What follows of them. */
function beside({ name: title, stage: stands, nature: of, pay_direction: pays, amount: whole, paid: done }: Stored) {
  const owes = owing.includes(stands) && of !== nature.supplement && pays !== direction.none;
  const unpaid = owes ? yuanOf(fenOf(whole) - fenOf(done)) : 0;
  return { title, unpaid: Math.max(0, unpaid) };
}
