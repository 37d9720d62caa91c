import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { rolesById } from '#modules/access/service.ts';
import type { UserRow } from '../../contract/users.ts';
import { deptTable, secretaryTable, userRoleTable, userTable } from '../../tables.ts';
import { openDelegation } from '../depts/delegation.ts';
import { besideDepts, maskedPhone, mayAskPhone } from '../phones.ts';
import { reaches } from '../depts/reach.ts';

const columns = {
  id: userTable.id,
  username: userTable.username,
  alias: userTable.alias,
  phone: userTable.phone,
  phoneVisible: userTable.phoneVisible,
  email: userTable.email,
  company: userTable.company,
  deptId: userTable.deptId,
  dept_name: sql<string>`coalesce(${deptTable.name}, '')`,
  depts: besideDepts,
  post: userTable.post,
  gender: userTable.gender,
  office_phone: userTable.officePhone,
  office_room: userTable.officeRoom,
  employ_no: userTable.employeeNo,
  avatar: userTable.avatarId,
  type: userTable.type,
  is_active: userTable.active,
  is_yg: userTable.staff,
  sort: userTable.order,
  last_login: userTable.lastLogin,
  must_change_pwd: userTable.mustChangePassword,
  gmt_created: userTable.created,
  gmt_modified: userTable.modified,
  version: userTable.version,
};

/** Users with their main department, for a list or one of them. */
export function selectUsers(tx: Db) {
  return tx.select(columns).from(userTable).leftJoin(deptTable, eq(deptTable.id, userTable.deptId));
}
type Selected = Awaited<ReturnType<typeof selectUsers>>[number];

/** What other servers' sign-in knows of people. */
export interface WechatBindings {
  /** Those of the people who are bound to a WeChat. */
  boundAmong(tx: Db, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Lets a person's WeChat go and tells the person. Answers whether there was one. */
  unbind(tx: Db, userId: number): Promise<boolean>;
}

/** Rows as they leave: roles, leaders, a masked number, and what the viewer may do. Ten queries for any number of rows. */
export async function userRows(
  tx: Db,
  viewer: Viewer,
  selected: readonly Selected[],
  wechat: Pick<WechatBindings, 'boundAmong'>,
): Promise<UserRow[]> {
  if (selected.length === 0) return [];
  const ids = selected.map((row) => row.id);
  const held = await tx.select().from(userRoleTable).where(inArray(userRoleTable.userId, ids));
  const roles = await rolesById(
    tx,
    held.map((row) => row.roleId),
  );
  const leaders = await tx
    .select({ userId: secretaryTable.secretaryId, username: userTable.username })
    .from(secretaryTable)
    .innerJoin(userTable, eq(userTable.id, secretaryTable.leaderId))
    .where(inArray(secretaryTable.secretaryId, ids))
    .orderBy(asc(userTable.username));
  const delegation = await openDelegation(tx, viewer, selected);
  const bound = await wechat.boundAmong(tx, ids);
  return selected.map(({ deptId, phoneVisible, type, ...row }) => {
    const owner = { id: row.id, phone: row.phone, phoneVisible, deptId, depts: row.depts };
    const subject = { id: row.id, type, deptId };
    const edits = reaches(viewer, 'Update', 'system/user', subject) && delegation.mayActOn(subject);
    const deletes = reaches(viewer, 'Delete', 'system/user', subject) && delegation.mayActOn(subject);
    const other = row.id !== viewer.id;
    return {
      ...row,
      dept: deptId,
      phone: maskedPhone(viewer, owner),
      phone_visible: phoneVisible,
      type_id: type,
      roles: roles.filter((role) => held.some((one) => one.userId === row.id && one.roleId === role.id)),
      leader_of: leaders.filter((leader) => leader.userId === row.id).map((leader) => leader.username),
      actions: [
        ...(edits ? ['update'] : []),
        ...(edits && other ? ['roles', 'reset_password'] : []),
        ...(edits && other && bound.has(row.id) ? ['unbind_wechat'] : []),
        ...(deletes && other ? ['delete'] : []),
        ...(mayAskPhone(viewer, owner) ? ['phone'] : []),
      ],
    };
  });
}

/** What the audit log keeps of a user. */
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
    角色: row.roles.map((role) => role.name),
    手机可见: row.phone_visible,
    服务的领导: row.leader_of,
    排序: row.sort,
  };
}
