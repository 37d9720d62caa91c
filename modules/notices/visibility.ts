import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { meant } from '#modules/distributions/service.ts';
import { documentNoticeScopeTable, documentNoticeTable } from './tables.ts';

export const page = 'document/notice';
type Stored = typeof documentNoticeTable.$inferSelect;

const alive = eq(documentNoticeTable.is_deleted, false);
export const stateOf = sql<
  'coming' | 'current' | 'expired'
>`case when ${documentNoticeTable.publish_at} > now() then 'coming'
  when ${documentNoticeTable.expire_at} <= now() then 'expired' else 'current' end`;

/** Notices that are out and for a person: everybody's, or by department and those above it, role or name. */
export function meantFor({ id, depts, roleIds }: Viewer): SQL {
  return sql`(${stateOf} = 'current' and (${documentNoticeTable.scope} = 'all' or exists (
    select from ${documentNoticeScopeTable} s where s.notice_id = ${documentNoticeTable.id} and (
      s.user_id = ${id} or s.role_id = any(${sql.param([...roleIds])}::int[]) or s.dept_id in (
        with recursive up as (
          select d.id, d.parent_id from dept d where d.id = any(${sql.param([...depts])}::int[])
          union select d.id, d.parent_id from dept d join up on d.id = up.parent_id)
        select id from up)))))`;
}

/** Notices a person looks after: the own, and those of the departments they may delete in. */
export function managedBy(user: Viewer): SQL {
  const own = eq(documentNoticeTable.creator_id, user.id);
  return holds(user, 'Delete', page)
    ? or(own, within(scopeOf(user, 'Delete', page), documentNoticeTable.dept_id, own))!
    : own;
}

/** The one condition behind get, list, count and search. */
export const visibleTo = (user: Viewer): SQL | undefined => and(alive, or(meantFor(user), managedBy(user)));

/** Everybody a notice is for, as `(user_id, dept_id)`. */
export async function audienceOf(tx: Db, { id, scope }: Pick<Stored, 'id' | 'scope'>): Promise<SQL> {
  if (scope === 'all')
    return sql`select u.id user_id, u.dept_id from app_user u where u.is_active and not u.is_deleted`;
  const rows = await tx.select().from(documentNoticeScopeTable).where(eq(documentNoticeScopeTable.notice_id, id));
  return meant({
    depts: rows.flatMap((row) => row.dept_id ?? []),
    roles: rows.flatMap((row) => row.role_id ?? []),
    users: rows.flatMap((row) => row.user_id ?? []),
  });
}
