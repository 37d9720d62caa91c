import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { rolesById } from '#modules/platform/access/service.ts';
import { roleText, type UserRow } from '../../contract/users.ts';
import { deptTable, secretaryTable, userRoleTable, userTable } from '../../tables.ts';
import { openDelegation } from '../depts/delegation.ts';
import { besideDepts, maskedPhone, mayAskPhone } from '../phones.ts';
import { reaches } from '../depts/reach.ts';
import { isHeld } from './user-parts.ts';

const columns = {
  id: userTable.id,
  username: userTable.username,
  alias: userTable.alias,
  phone: userTable.phone,
  phone_visible: userTable.phone_visible,
  email: userTable.email,
  company: userTable.company,
  dept_id: userTable.dept_id,
  dept_name: sql<string>`coalesce(${deptTable.name}, '')`,
  depts: besideDepts,
  post: userTable.post,
  gender: userTable.gender,
  office_phone: userTable.office_phone,
  office_room: userTable.office_room,
  employ_no: userTable.employ_no,
  avatar: userTable.avatar_id,
  type_id: userTable.type_id,
  is_active: userTable.is_active,
  is_yg: userTable.is_yg,
  sort: userTable.sort,
  last_login: userTable.last_login,
  must_change_pwd: userTable.must_change_pwd,
  gmt_created: userTable.gmt_created,
  gmt_modified: userTable.gmt_modified,
  version: userTable.version,
};

/** People ordered by the reading of their names, and within one reading by characters. */
export const byReading = sql`(${userTable.reading} || ' ' || ${userTable.alias}) collate "C"`;

/** Users with their main department, for a list or a single one. */
export function selectUsers(tx: Db) {
  return tx.select(columns).from(userTable).leftJoin(deptTable, eq(deptTable.id, userTable.dept_id));
}
type Selected = Awaited<ReturnType<typeof selectUsers>>[number];

/** Accounts that other servers know for signing in. */
export interface Bindings {
  /** Those of the people who are bound to a WeChat account, and those known to single sign-on. */
  boundAmong(tx: Db, ids: readonly number[]): Promise<Record<'wechat' | 'sso', ReadonlySet<number>>>;
  /** Unbinds a person's WeChat account and tells the person. Returns whether there was one. */
  unbind(tx: Db, userId: number): Promise<boolean>;
  /** Forgets a person's identity at single sign-on. Returns whether there was one. */
  releaseSso(tx: Db, userId: number): Promise<boolean>;
}

/** Rows for the reply: roles, leaders, a masked number, and the viewer's actions. Ten queries for any number of rows. */
export async function userRows(
  tx: Db,
  viewer: Viewer,
  selected: readonly Selected[],
  bindings: Pick<Bindings, 'boundAmong'>,
): Promise<UserRow[]> {
  if (selected.length === 0) return [];
  const ids = selected.map((row) => row.id);
  const held = await tx
    .select()
    .from(userRoleTable)
    .where(and(inArray(userRoleTable.user_id, ids), isHeld));
  const roles = await rolesById(
    tx,
    held.map((row) => row.role_id),
  );
  const leaders = await tx
    .select({ userId: secretaryTable.secretary_id, username: userTable.username })
    .from(secretaryTable)
    .innerJoin(userTable, eq(userTable.id, secretaryTable.leader_id))
    .where(inArray(secretaryTable.secretary_id, ids))
    .orderBy(asc(userTable.username));
  const delegation = await openDelegation(tx, viewer, selected);
  const bound = await bindings.boundAmong(tx, ids);
  return selected.map(({ dept_id, ...row }) => {
    const owner = { ...row, dept_id };
    const edits = reaches(viewer, 'Update', 'system/user', owner) && delegation.mayActOn(owner);
    const deletes = reaches(viewer, 'Delete', 'system/user', owner) && delegation.mayActOn(owner);
    const other = row.id !== viewer.id;
    return {
      ...row,
      dept: dept_id,
      phone: maskedPhone(viewer, owner),
      roles: roles.flatMap((role) => {
        const own = held.find((one) => one.user_id === row.id && one.role_id === role.id);
        return own ? [{ ...role, until: own.until }] : [];
      }),
      leader_of: leaders.filter((leader) => leader.userId === row.id).map((leader) => leader.username),
      actions: [
        ...(edits ? ['update'] : []),
        ...(edits && other ? ['roles', 'reset_password'] : []),
        ...(edits && other && bound.wechat.has(row.id) ? ['unbind_wechat'] : []),
        ...(edits && other && bound.sso.has(row.id) ? ['release_sso'] : []),
        ...(deletes && other ? ['delete'] : []),
        ...(mayAskPhone(viewer, owner) ? ['phone'] : []),
      ],
    };
  });
}

/** Values of a user for the audit log. */
export function userFacts(row: UserRow): Record<string, unknown> {
  return {
    姓名: row.alias,
    手机: row.phone,
    邮箱: row.email,
    单位: row.company,
    部门: row.dept_name,
    兼职部门: row.depts,
    职务: row.post,
    性别: row.gender,
    办公电话: row.office_phone,
    办公室: row.office_room,
    工号: row.employ_no,
    类型: row.type_id,
    启用: row.is_active,
    员工: row.is_yg,
    角色: row.roles.map(roleText),
    手机可见: row.phone_visible,
    服务的领导: row.leader_of,
    排序: row.sort,
  };
}
