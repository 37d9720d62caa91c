import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, lastingUntil, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { deptDecides } from '../../contract/refusals.ts';
import { unknownDept } from '../../contract/users.ts';
import { deptNames } from '../../service.ts';
import { decisiveDepts } from '../../service/powers.ts';
import { deptTable, userTable } from '../../tables.ts';

/** The users a code reaches on the pages: the one condition of get, list, count, search, export and look-ups. */
export function usersWithin(viewer: Viewer, code: PermissionCode, ...pages: readonly string[]): SQL {
  const reached = within(scopeOf(viewer, code, ...pages), userTable.dept_id, eq(userTable.id, viewer.id));
  return sql`(not ${userTable.is_deleted} and (${reached}))`;
}

/** The same for one row already read. */
export function reaches(
  viewer: Viewer,
  code: PermissionCode,
  page: string,
  user: { id: number; dept_id: number | null },
): boolean {
  if (!holds(viewer, code, page)) return false;
  const scope = scopeOf(viewer, code, page);
  return scope.all || user.id === viewer.id || (user.dept_id !== null && scope.depts.has(user.dept_id));
}

/** The departments a code reaches on the pages. */
export function deptsWithin(viewer: Viewer, code: PermissionCode, ...pages: readonly string[]): SQL {
  const reached = within(scopeOf(viewer, code, ...pages), deptTable.id, sql`false`);
  return sql`(not ${deptTable.is_deleted} and (${reached}))`;
}

export type UserRecord = typeof userTable.$inferSelect;

/** A user to be changed, locked; one outside the scope is reported as absent. */
export async function userToChange(
  tx: Db,
  viewer: Viewer,
  id: number,
  code: PermissionCode,
  page = 'system/user',
): Promise<UserRecord> {
  const [user] = await tx
    .select()
    .from(userTable)
    .where(and(eq(userTable.id, id), usersWithin(viewer, code, page)))
    .for('update');
  if (!user) throw absent('用户');
  return user;
}

/**
 * Refuses departments that are deleted, closed or outside the scope, and locks the others against deletion until the end. Departments that somebody
 * newly joins (`before` lists their present ones) are also refused if their people decide what the viewer may not give.
 */
export async function deptsToJoin(
  tx: Db,
  viewer: Viewer,
  code: PermissionCode,
  main: number | null,
  beside: readonly number[],
  before: readonly number[] = [],
): Promise<void> {
  const scope = scopeOf(viewer, code, 'system/user');
  if (main === null && !scope.all) throw unknownDept();
  const wanted = [...new Set([...(main === null ? [] : [main]), ...beside])];
  if (wanted.length === 0) return;
  if (!scope.all && !wanted.every((id) => scope.depts.has(id))) throw unknownDept();
  const found = await tx
    .select({ id: deptTable.id })
    .from(deptTable)
    .where(and(inArray(deptTable.id, wanted), eq(deptTable.is_deleted, false), eq(deptTable.is_active, true)))
    .for('share');
  if (found.length !== wanted.length) throw unknownDept();
  const gained = wanted.filter((id) => !before.includes(id));
  const [decisive] = await decisiveDepts(tx, lastingUntil(viewer, null), gained, before);
  if (decisive !== undefined) throw deptDecides((await deptNames(tx, [decisive]))[0] ?? String(decisive));
}
