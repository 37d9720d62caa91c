import { and, asc, desc, getTableName, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import { exactTotal, listedTotal } from '#kernel/contract/shapes.ts';
import type { Db } from '../db/db.ts';
import {
  countOf,
  orderOf,
  pageFrom,
  pageOf,
  pageWithin,
  rowsOf,
  type Order,
  type Page,
  type PageAsked,
  type Total,
} from './paging.ts';
import { searchLexemes, searchQuery } from './search.ts';

// The search index reads all occurrences of a word before it returns the first row. So it is used for rare words, while for common words the newest
// rows are read in the order of the list. The planner alone cannot choose: it assumes that the pairs of a phrase are independent of each other.

export interface SearchedOrder extends Order {
  /**
   * The names of orders that an index provides, each with the condition of that index (`true` if it has none), which the select must also contain.
   * Other orders always use the search index.
   */
  along: Record<string, SQL>;
}

/** For a word more common than a list counts, rows are counted to this many behind the page. */
export const searchAhead = 100;
/** More rows are read than should be enough, because words are not spread evenly. */
const spare = 1.5;

/**
 * One page of search results, like `pageOf` without a search. `select` adds the search condition to its own; `counting` may read less, because its
 * rows are only counted. The total is exact up to 1,000; for a common word it is a lower bound, marked as capped.
 */
export async function searchedPageOf<S extends PgSelect>(
  tx: Db,
  asked: PageAsked,
  { column, value }: { column: AnyColumn; value: string },
  select: (found: SQL | undefined) => S,
  order: SearchedOrder,
  counting: (found: SQL | undefined) => PgSelect = select,
): Promise<Page<Awaited<S>[number]>> {
  if (value.trim() === '') return pageOf(tx, asked, select(undefined), order, counting(undefined));
  const query = searchQuery(value);
  if (query === undefined) return pageOf(tx, asked, select(sql`false`), order);
  const hit = sql`${column} @@ ${query}::tsquery`;
  const sorted = orderOf(order, asked);
  const along = order.along[sorted.name];
  if (asked.export) return pageOf(tx, asked, select(hit), order, counting(hit));

  const wanted = Math.min(asked.page, Math.floor(exactTotal / asked.per_page));
  const needed = wanted * asked.per_page;
  const walk = along && planWalk(await spreadOf(tx, column, searchLexemes(value)), needed);
  if (along && walk) {
    const bound = boundOf(column, sorted, along, walk.rows);
    const inOrder = select(and(sql`ts_match_vq(${column}, ${query}::tsquery)`, bound));
    const rows = await rowsOf(inOrder, order, asked, { limit: walk.wanted, offset: 0 });
    if (rows.length >= needed) {
      const total: Total =
        rows.length > needed + searchAhead
          ? { total: needed + searchAhead, capped: true }
          : await countOf(tx, counting(hit), Math.max(listedTotal, needed + searchAhead));
      return pageFrom(asked, wanted, rows.slice(needed - asked.per_page, needed), total);
    }
  }
  const counted = await countOf(tx, counting(hit), Math.max(listedTotal, needed + searchAhead));
  const page = pageWithin({ ...asked, page: wanted }, counted);
  const offset = (page - 1) * asked.per_page;
  return pageFrom(asked, page, await rowsOf(select(hit), order, asked, { limit: asked.per_page, offset }), counted);
}

interface Spread {
  rows: number;
  /** An upper estimate of the rows that contain the rarest part of the search. */
  matching: number;
}

/** The distance to read along the order, and the number of rows wanted; null if the search index is quicker. */
export function planWalk({ rows, matching }: Spread, needed: number): { rows: number; wanted: number } | null {
  if (matching === 0) return null;
  const far = (wanted: number) => Math.ceil((spare * wanted * rows) / matching);
  const both = needed + searchAhead + 1;
  // The index is read twice, for the total and for the page.
  if (far(both) <= matching / 2) return { rows: far(both), wanted: both };
  return far(needed) <= matching ? { rows: far(needed), wanted: needed } : null;
}

/** Limits a walk to the first rows of an order. On a shorter table nothing is found, and the search index is used. */
function boundOf(
  column: AnyColumn,
  { target, descending }: { target: AnyColumn | SQL; descending: boolean },
  along: SQL,
  rows: number,
): SQL {
  const table = sql.identifier(getTableName(column.table));
  const last = sql`(select ${target} from ${table} where ${along} order by ${(descending ? desc : asc)(target)} limit 1 offset ${rows})`;
  return descending ? sql`${target} >= ${last}` : sql`${target} <= ${last}`;
}

/** The planner's statistics for the rows of a table and for the rows with each of the words; nothing is run. */
async function spreadOf(tx: Db, column: AnyColumn, lexemes: readonly string[]): Promise<Spread> {
  const table = sql.identifier(getTableName(column.table));
  const name = sql.identifier(column.name);
  const each = lexemes.map((lexeme) => sql`select from ${table} where ${name} @@ ${lexeme}::tsquery`);
  const parts = sql.join([sql`select from ${table}`, ...each], sql` union all `);
  const { rows } = await tx.execute<{ 'QUERY PLAN': [{ Plan: Node }] }>(sql`explain (format json) ${parts}`);
  const [all = 0, ...found] = (rows[0]?.['QUERY PLAN'][0].Plan.Plans ?? []).map((plan) => plan['Plan Rows']);
  return { rows: all, matching: Math.min(...found) };
}
interface Node {
  'Plan Rows': number;
  Plans?: Node[];
}
