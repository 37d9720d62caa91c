import { eq, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { named, type Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { countedTo, type Quick } from '../contract/contracts.ts';
import { stage } from '../contract/codes.ts';
import { expiring, owing, toArchive, toSign, unpaid } from '../performing/figures.ts';
import { isLate } from '../performing/state.ts';
import { contractCategoryTable, contractPerformanceTable, contractTable } from '../tables.ts';
import type { Stored } from './record.ts';

const { id, stage: at, term_end } = contractTable;
const { contract_id, cancelled, is_open, name, plan_date } = contractPerformanceTable;
/** A column of the first open row. */
const next = (column: AnyColumn) =>
  sql<
    string | null
  >`(array_agg(${column} order by ${plan_date}, ${contractPerformanceTable.id}) filter (where ${is_open}))[1]`;
// oxlint-disable-next-line eslint/no-restricted-properties -- numbers of ours, written out so that the planner of a prepared statement knows them
const written = (...codes: number[]) => sql.raw(codes.join(', '));
/** Quick filters of the ledger: each is the condition of the list and of its count. */
export function quickFilters(today: string): Record<Quick, SQL> {
  return {
    to_sign: toSign,
    expiring: expiring(today, 30),
    late: sql`${at} in (${written(stage.running, stage.expired, stage.terminated)}) and exists (select from ${contractPerformanceTable}
      where ${contract_id} = ${id} and ${is_open} and ${plan_date} < ${today}::date)`,
    to_archive: toArchive,
    suspended: sql`${at} = ${written(stage.suspended)}`,
    unpaid: sql`${unpaid} > 0`,
    disputed: sql`${contractTable.open_disputes} > 0`,
  };
}
/** The limit of counting. */
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
  unpaid: number;
}

export type RowFacts = Facts & { title: string };

/** The fields of list rows besides columns and tickets; one statement in all. */
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
        days_left: sql<number | null>`case when ${owing} then ${term_end} - ${today}::date end`,
        unpaid: sql<number>`${unpaid}::float8`,
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
  return new Map(found.map((facts: Facts) => [facts.id, { ...facts, title: stored.get(facts.id)!.name }]));
}
