import { and, asc, count, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { BodyOf, ReplyOf } from '#kernel/contract/call.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { everybodysRole, rolesById } from '#modules/platform/access/service.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { notWithAll, notYourRole, tooManyOwnViews, tooManyViews, viewTaken, type accounts } from '../contract.ts';
import { sharedViewTable as v } from '../tables.ts';

/** Limits for one role in one list, and of these for one person: nobody fills the list of all others. */
const most = 20;
const mostOfOne = 5;

/** Roles that everybody has: what is shared with them is seen by all. */
const common: readonly string[] = [everybodysRole, 'staff'];

type Shared = ReplyOf<typeof accounts.sharedViews>['value'][number];

/** The views of a list shared with a person's roles, and those the person shared. */
export async function sharedViewsOf(tx: Db, user: Viewer, list: string): Promise<Shared[]> {
  const roles = inArray(v.role_id, user.roleIds.length > 0 ? [...user.roleIds] : [0]);
  const rows = await tx
    .select({
      id: v.id,
      name: v.name,
      search: v.search,
      columns: v.columns,
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
  return rows.map(({ by, role_id, columns, ...row }) => ({
    ...row,
    columns: columns as Shared['columns'],
    role_name: names.get(role_id) ?? '',
    mine: by === user.id || user.superAdmin,
  }));
}

/** Shares a view or column setting with a role that one holds. */
export async function shareView(
  tx: Db,
  user: Viewer,
  { list, name, shared, role_id }: BodyOf<typeof accounts.shareView>,
) {
  if (!user.roleIds.includes(role_id)) throw notYourRole();
  const [role] = await rolesById(tx, [role_id]);
  if (role && common.includes(role.code) && !holds(user, 'Update', 'system/role')) throw notWithAll(role.name);
  const isView = 'search' in shared;
  const what = isView ? '视图' : '列设置';
  // Concurrent shares are counted one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`shared views ${list} ${role_id}`}, 0))`);
  const [there] = await tx
    .select({ all: count(), own: sql<number>`(count(*) filter (where ${v.creator_id} = ${user.id}))::int` })
    .from(v)
    .where(and(eq(v.list, list), eq(v.role_id, role_id), isNull(isView ? v.columns : v.search)));
  if (there!.own >= mostOfOne) throw tooManyOwnViews(what, mostOfOne);
  if (there!.all >= most) throw tooManyViews(what, most);
  const [made] = await tx
    .insert(v)
    .values({ list, name, role_id, creator_id: user.id, ...shared })
    .onConflictDoNothing()
    .returning({ id: v.id });
  if (!made) throw viewTaken(what, name);
  return { ...made, what };
}

/** Removes it: allowed to its author and to a super administrator. */
export async function removeView(tx: Db, user: Viewer, id: number) {
  const own = user.superAdmin ? undefined : eq(v.creator_id, user.id);
  const [gone] = await tx
    .delete(v)
    .where(and(eq(v.id, id), own))
    .returning({ id: v.id, name: v.name, search: v.search });
  if (!gone) throw absent('视图');
  return { ...gone, what: gone.search === null ? '列设置' : '视图' };
}
