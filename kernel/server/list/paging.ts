import { asc, desc, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import { exactTotal, listedTotal } from '#kernel/contract/shapes.ts';
import { named, namedRows, type Db } from '../db/db.ts';

/** The maximum number of rows in a sheet; a list that is exported is counted up to it. */
export const maxExportRows = 100_000;

/** The paging part of a list query, as `listQuery` parses it. */
export interface PageAsked {
  page: number;
  per_page: number;
  order_by?: string | undefined;
  desc?: boolean | undefined;
  /** Set if the rows go into a sheet: only the first page needs a total. */
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
  /** The column or expression for each name in the contract's `sort`. */
  by: Record<string, AnyColumn | SQL>;
  /** The name used if the query has none. */
  first: string;
  descending?: boolean;
  /** Makes the order unique, so that pages never overlap. */
  tie: AnyColumn;
  /** The condition has one of a few texts, and its best plan does not depend on the values, so the statements stay prepared. */
  steady?: boolean;
}

export interface Total {
  total: number;
  /** There are more rows than `total`. */
  capped: boolean;
}

/**
 * Returns one page of a select and its total. Scope, search and filters belong into the select's condition. A page behind the end returns the last
 * one. For wide rows, a second select with the same condition is counted.
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

/** The number of pages after the current one that a pager links to. */
const pagesAhead = 5;

/** The limit up to which rows are counted: as far as the pager can lead from the requested page. */
export function boundOf({ page, per_page, export: sheet }: PageAsked): number {
  return sheet ? maxExportRows : Math.min(exactTotal, Math.max(listedTotal, (page + pagesAhead) * per_page));
}

/** Returns the page to answer; the last one if the requested page is behind the end. */
export function pageWithin(asked: PageAsked, { total }: Total): number {
  return asked.export ? asked.page : Math.min(asked.page, Math.max(1, Math.ceil(total / asked.per_page)));
}

export function pageFrom<R>(asked: PageAsked, page: number, value: R[], { total, capped }: Total): Page<R> {
  return { value, total, ...(capped ? { total_capped: true } : {}), page, per_page: asked.per_page };
}

/** One page of rows that were already read in order: at most `most`, and one more if there are more. */
export function pageOfRead<R>(asked: PageAsked, rows: readonly R[], most: number): Page<R> {
  const counted = { total: Math.min(rows.length, most), capped: rows.length > most };
  const page = pageWithin(asked, counted);
  const [from, to] = [(page - 1) * asked.per_page, Math.min(page * asked.per_page, most)];
  return pageFrom(asked, page, rows.slice(from, to), counted);
}

/** The order of a list and its direction. */
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

/** Exact up to a bound; beyond it the bound and `capped`, so that the cost does not grow with the table. */
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
