import { and, asc, count, eq, inArray, or, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { BodyOf, ReplyOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { rolesById } from '#modules/access/service.ts';
import { userTable } from '#modules/people/tables.ts';
import { notYourRole, tooManyViews, viewTaken, type accounts } from '../contract.ts';
import { sharedViewTable as v } from '../tables.ts';

/** For one role in one list. */
const most = 20;

/** What the roles of a person were given to look at a list by, and what they gave themselves. */
export async function sharedViewsOf(
  tx: Db,
  user: Viewer,
  list: string,
): Promise<ReplyOf<typeof accounts.sharedViews>['value']> {
  const roles = inArray(v.role_id, user.roleIds.length > 0 ? [...user.roleIds] : [0]);
  const rows = await tx
    .select({
      id: v.id,
      name: v.name,
      search: v.search,
      role_id: v.role_id,
      creator: userTable.alias,
      by: v.creator_id,
    })
    .from(v)
    .innerJoin(userTable, eq(userTable.id, v.creator_id))
    .where(and(eq(v.list, list), or(roles, eq(v.creator_id, user.id))))
    .orderBy(asc(v.role_id), asc(v.id))
    .limit(100);
  const names = new Map(
    (
      await rolesById(
        tx,
        rows.map((row) => row.role_id),
      )
    ).map((role) => [role.id, role.name]),
  );
  return rows.map(({ by, role_id, ...row }) => ({
    ...row,
    role_name: names.get(role_id) ?? '',
    mine: by === user.id || user.superAdmin,
  }));
}

/** Gives a view to a role that one holds oneself. */
export async function shareView(
  tx: Db,
  user: Viewer,
  { list, name, search, role_id }: BodyOf<typeof accounts.shareView>,
) {
  if (!user.roleIds.includes(role_id)) throw notYourRole();
  // Those who share at once are counted one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`shared views ${list} ${role_id}`}, 0))`);
  const [there] = await tx
    .select({ count: count() })
    .from(v)
    .where(and(eq(v.list, list), eq(v.role_id, role_id)));
  if ((there?.count ?? 0) >= most) throw tooManyViews(most);
  const [made] = await tx
    .insert(v)
    .values({ list, name, search, role_id, creator_id: user.id })
    .onConflictDoNothing()
    .returning({ id: v.id });
  if (!made) throw viewTaken(name);
  return made;
}

/** Takes it back: whoever gave it, or a super administrator. */
export async function removeView(tx: Db, user: Viewer, id: number) {
  const own = user.superAdmin ? undefined : eq(v.creator_id, user.id);
  const [gone] = await tx
    .delete(v)
    .where(and(eq(v.id, id), own))
    .returning({ id: v.id, name: v.name });
  if (!gone) throw absent('视图');
  return gone;
}
