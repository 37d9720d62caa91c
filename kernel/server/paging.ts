import { asc, desc, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import { exactTotal } from '#kernel/contract/shapes.ts';
import type { Db } from './db.ts';

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
}

/**
 * One page of a select and its total. Scope, search and filters belong into the select's own condition.
 * A page behind the end answers the last one.
 */
export async function pageOf<S extends PgSelect>(
  tx: Db,
  asked: PageAsked,
  select: S,
  order: Order,
): Promise<Page<Awaited<S>[number]>> {
  const counted = asked.export && asked.page > 1 ? { total: 0, capped: false } : await countOf(tx, select);
  const last = Math.max(1, Math.ceil((counted.capped ? exactTotal : counted.total) / asked.per_page));
  const page = asked.export ? asked.page : Math.min(asked.page, last);
  const target = order.by[asked.order_by ?? order.first] ?? order.tie;
  const direction = (asked.desc ?? (asked.order_by ? false : order.descending)) ? desc : asc;
  const value = (await select
    .orderBy(direction(target), direction(order.tie))
    .limit(asked.per_page)
    .offset((page - 1) * asked.per_page)) as Awaited<S>[number][];
  return {
    value,
    total: counted.total,
    ...(counted.capped ? { total_capped: true } : {}),
    page,
    per_page: asked.per_page,
  };
}

/** Exact up to 10,000; beyond it 10,000 and capped, so that the cost does not grow with the table. */
export async function countOf(tx: Db, select: PgSelect): Promise<{ total: number; capped: boolean }> {
  const inner = sql`${select.getSQL()} limit ${exactTotal + 1}`;
  const { rows } = await tx.execute<{ count: string }>(sql`select count(*) as count from (${inner}) as counted`);
  const count = Number(rows[0]?.count ?? 0);
  return { total: Math.min(count, exactTotal), capped: count > exactTotal };
}
