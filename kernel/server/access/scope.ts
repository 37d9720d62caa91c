import { or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Scope, Viewer } from './viewer.ts';

/**
 * The rows a scope reaches, as one condition. A module writes its use once and gives it to get, list, count, search,
 * export, statistics and feeds alike. `own` is what makes a row the viewer's own (creator, or the user row itself).
 */
export function within(scope: Scope, dept: AnyColumn, own: SQL): SQL {
  if (scope.all) return sql`true`;
  if (scope.depts.size === 0) return own;
  return or(isAmong(dept, scope.depts), own) ?? own;
}

/** Whether somebody writes in the name of a department: it is theirs, or one of these scopes reaches it. */
export const speaksFor = ({ depts }: Pick<Viewer, 'depts'>, dept: number, ...scopes: readonly Scope[]): boolean =>
  depts.includes(dept) || scopes.some((scope) => scope.all || scope.depts.has(dept));

/** A column among numbers, with one text however many there are, so that a prepared statement serves all. */
export function isAmong(column: AnyColumn, ids: Iterable<number>): SQL {
  return sql`${column} = any(${sql.param([...ids])}::int[])`;
}
