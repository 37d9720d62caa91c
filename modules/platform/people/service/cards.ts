import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { PersonCard } from '../contract/cards.ts';
import { deptTable, userTable } from '../tables.ts';

export type DeptPart = 'leader' | 'approver' | 'dept_ld' | 'secretary';

/** The columns of a person's card; the main department is joined. */
export const card = {
  id: userTable.id,
  username: userTable.username,
  alias: userTable.alias,
  dept_id: userTable.dept_id,
  dept_name: sql<string>`coalesce(${deptTable.name}, '')`,
};
/** People who can be asked to do something. */
export const working = and(eq(userTable.is_active, true), eq(userTable.is_deleted, false));

/** Cards of users (with their main department joined) in display order; by default all of them. */
export function cards(tx: Db, where: SQL | undefined, limit = 100_000): Promise<PersonCard[]> {
  return tx
    .select(card)
    .from(userTable)
    .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id))
    .where(where)
    .orderBy(asc(userTable.sort), asc(userTable.id))
    .limit(limit);
}

/** Those of some people who have delegates now: for all their tasks (`wholly`) or some. */
export type AwayNow = (
  tx: Db,
  people: readonly number[],
) => Promise<ReadonlyMap<number, { wholly: boolean; delegates: string[] }>>;

declare module '#kernel/server/product.ts' {
  interface Product {
    awayNow: AwayNow;
  }
  interface ModuleDefinition {
    /** The people who are away now, provided by one module. */
    awayNow?: AwayNow;
  }
}
