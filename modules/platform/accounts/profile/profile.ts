import { eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { signedOut } from '#kernel/contract/refusal.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { permissionCodes } from '#kernel/contract/call.ts';
import { rolesById } from '#modules/platform/access/service.ts';
import { fileUrl } from '#modules/platform/files/service.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { hasConfirmedMail } from '../forgotten/holder.ts';
import type { LoginReply, Profile } from '../contract.ts';
import type { SecondStep } from '../contract/second.ts';
import type { SignInWay } from '../contract/online.ts';

type UserRow = typeof userTable.$inferSelect;

/** The row of a person with the department's name. */
export async function personRow(tx: Db, userId: number): Promise<{ user: UserRow; department: string }> {
  const [row] = await tx
    .select({ user: userTable, department: sql<string>`coalesce(${deptTable.name}, '')` })
    .from(userTable)
    .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id))
    .where(eq(userTable.id, userId));
  if (!row) throw signedOut();
  return row;
}

/** Somebody who signs in through another server does not use our password, so need not choose one. */
export const ownPasswordFirst = (way: SignInWay) => way === 'password' || way === 'phone';

/** The reply of the sign-in call, with the field names of the specification. */
export async function signedInAs(
  tx: Db,
  userId: number,
  jwt: string,
  { way, owed }: { way: SignInWay; owed: SecondStep | null },
): Promise<LoginReply> {
  const { user, department } = await personRow(tx, userId);
  // Somebody who only has the password learns no more from it.
  const reach = owed ? { phone: '', email: '' } : { phone: user.phone ?? '', email: user.email };
  return {
    jwt,
    alias: user.alias,
    ...reach,
    company: user.company,
    department,
    username: user.username,
    user_id: user.id,
    user_dept: user.dept_id,
    is_yg: user.is_yg,
    must_change_pwd: user.must_change_pwd && ownPasswordFirst(way),
  };
}

/** Everything people may see of their own account. */
export async function profileOf(tx: Db, viewer: Viewer): Promise<Profile> {
  const { user, department } = await personRow(tx, viewer.id);
  const roles = await rolesById(tx, viewer.roleIds);
  return {
    id: user.id,
    username: user.username,
    alias: user.alias,
    phone: user.phone ?? '',
    email: user.email,
    email_confirmed: await hasConfirmedMail(tx, viewer.id),
    company: user.company,
    department,
    user_dept: user.dept_id,
    post: user.post,
    gender: user.gender,
    office_phone: user.office_phone,
    office_room: user.office_room,
    avatar: user.avatar_id === null ? null : { id: user.avatar_id, url: fileUrl(tx, user.avatar_id, viewer) },
    is_yg: user.is_yg,
    must_change_pwd: viewer.mustChangePassword,
    is_super: viewer.superAdmin,
    last_login: user.last_login,
    seeing: viewer.seeing,
    roles,
    menuPermission: await pointsOf(tx, viewer),
  };
}

/** Path of each page on which the person holds codes, colon, code. */
async function pointsOf(tx: Db, viewer: Viewer): Promise<string[]> {
  const { rows } = await tx.execute<{ path: string; component: string; code: string }>(sql`
    with recursive tree as (
      select id, component, web_path::text as path from menu where parent_id is null
      union all
      select m.id, m.component, case when m.web_path like '/%' then m.web_path else rtrim(t.path, '/') || '/' || m.web_path end
      from menu m join tree t on m.parent_id = t.id)
    select t.path, t.component, b.code from tree t
      join menu_button mb on mb.menu_id = t.id join button b on b.id = mb.button_id
    order by t.path, b.order_id`);
  return rows
    .filter((row) => permissionCodes.some((code) => code === row.code && holds(viewer, code, row.component)))
    .map((row) => `${row.path}:${row.code}`);
}
