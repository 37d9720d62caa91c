import { or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Scope, Viewer } from './viewer.ts';

/**
 * The rows that a scope reaches, as one condition. A module writes it once and uses it for get, list, count, search, export, statistics and feeds
 * alike. `own` matches the viewer's own rows (by creator, or the user row itself).
 */
export function within(scope: Scope, dept: AnyColumn, own: SQL): SQL {
  if (scope.all) return sql`true`;
  if (scope.depts.size === 0) return own;
  return or(isAmong(dept, scope.depts), own) ?? own;
}

/** True if the person may write in the name of a department: it is one of theirs, or one of the scopes reaches it. */
export const speaksFor = ({ depts }: Pick<Viewer, 'depts'>, dept: number, ...scopes: readonly Scope[]): boolean =>
  depts.includes(dept) || scopes.some((scope) => scope.all || scope.depts.has(dept));

/** True if a column is among numbers. The text is the same for any number of them, so that one prepared statement serves all. */
export function isAmong(column: AnyColumn | SQL, ids: Iterable<number>): SQL {
  return sql`${column} = any(${sql.param([...ids])}::int[])`;
}
