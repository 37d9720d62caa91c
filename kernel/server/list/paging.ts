import { asc, desc, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import { exactTotal, listedTotal } from '#kernel/contract/shapes.ts';
import { named, namedRows, type Db } from '../db/db.ts';

/** The most rows a sheet takes; a list that goes into one is counted as far. */
export const maxExportRows = 100_000;

/** The paging part of a list query, as `listQuery` parses it. */
export interface PageAsked {
  page: number;
  per_page: number;
  order_by?: string | undefined;
  desc?: boolean | undefined;
  /** Set when the rows go into a sheet: only the first page needs a total. */
  export?: 'xlsx' | undefined;
}

export interface Page<R> {
  value: R[];
  total: number;
  total_capped?: boolean;
  page: number;
  per_page: number;
}

export interface Order {
  /** What each name of the contract's `sort` orders by. */
  by: Record<string, AnyColumn | SQL>;
  /** Used when the query names none. */
  first: string;
  descending?: boolean;
  /** Breaks ties, so that pages never overlap. */
  tie: AnyColumn;
  /** The condition has one of a few texts, and its best plan does not depend on the values: the statements are kept prepared. */
  steady?: boolean;
}

export interface Total {
  total: number;
  /** There are more than `total`. */
  capped: boolean;
}

/**
 * One page of a select and its total. Scope, search and filters belong into the select's own condition.
 * A page behind the end answers the last one. Of wide rows another select with the same condition is counted.
 */
export async function pageOf<S extends PgSelect>(
  tx: Db,
  asked: PageAsked,
  select: S,
  order: Order,
  narrow: PgSelect = select,
): Promise<Page<Awaited<S>[number]>> {
  const from = (page: number) => ({ limit: asked.per_page, offset: (page - 1) * asked.per_page });
  const uncounted = asked.export && asked.page > 1;
  const [counted, rows] = await Promise.all([
    uncounted ? { total: 0, capped: false } : countOf(tx, narrow, boundOf(asked), order.steady),
    rowsOf(select, order, asked, from(asked.page)),
  ]);
  const page = pageWithin(asked, counted);
  const value = page === asked.page ? rows : await rowsOf(select, order, asked, from(page));
  return pageFrom(asked, page, value, counted);
}

/** How many pages behind the one that is asked for a pager leads to by its numbers. */
const pagesAhead = 5;

/** How far the rows of a list are counted: as far as its pager leads from the page that is asked for. */
export function boundOf({ page, per_page, export: sheet }: PageAsked): number {
  return sheet ? maxExportRows : Math.min(exactTotal, Math.max(listedTotal, (page + pagesAhead) * per_page));
}

/** The page that is answered where one behind the end is asked for. */
export function pageWithin(asked: PageAsked, { total }: Total): number {
  return asked.export ? asked.page : Math.min(asked.page, Math.max(1, Math.ceil(total / asked.per_page)));
}

export function pageFrom<R>(asked: PageAsked, page: number, value: R[], { total, capped }: Total): Page<R> {
  return { value, total, ...(capped ? { total_capped: true } : {}), page, per_page: asked.per_page };
}

/** One page of rows that were read already, in their order: at most `most`, and one besides where there are more. */
export function pageOfRead<R>(asked: PageAsked, rows: readonly R[], most: number): Page<R> {
  const counted = { total: Math.min(rows.length, most), capped: rows.length > most };
  const page = pageWithin(asked, counted);
  const [from, to] = [(page - 1) * asked.per_page, Math.min(page * asked.per_page, most)];
  return pageFrom(asked, page, rows.slice(from, to), counted);
}

/** What a list is ordered by, and in which direction. */
export function orderOf({ by, first, descending, tie }: Order, asked: PageAsked) {
  const name = asked.order_by ?? first;
  return { name, target: by[name] ?? tie, descending: asked.desc ?? (asked.order_by ? false : (descending ?? false)) };
}

export async function rowsOf<S extends PgSelect>(
  select: S,
  order: Order,
  asked: PageAsked,
  { limit, offset }: { limit: number; offset: number },
): Promise<Awaited<S>[number][]> {
  const { target, descending } = orderOf(order, asked);
  const direction = descending ? desc : asc;
  const query = select.orderBy(direction(target), direction(order.tie)).limit(limit).offset(offset);
  return (order.steady ? await named(query) : await query) as Awaited<S>[number][];
}

/** Exact up to a bound; beyond it the bound and capped, so that the cost does not grow with the table. */
export async function countOf(tx: Db, select: PgSelect, bound: number, steady = false): Promise<Total> {
  // oxlint-disable-next-line eslint/no-restricted-properties -- a number of ours, written out so that the planner knows it
  const limit = sql.raw(String(bound + 1));
  const inner = sql`${select.getSQL()} limit ${limit}`;
  const counting = sql`select count(*)::int as count from (${inner}) as counted`;
  const [row] = steady ? await namedRows<Counted>(tx, counting) : (await tx.execute<Counted>(counting)).rows;
  const count = row?.count ?? 0;
  return { total: Math.min(count, bound), capped: count > bound };
}
type Counted = { count: number };
