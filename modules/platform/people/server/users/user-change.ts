import { eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { holdRoles, rightsChanged, rolesById } from '#modules/platform/access/service.ts';
import { notOneself, rightsBeyond, roleBeyond } from '../../contract/refusals.ts';
import { superAdminOnly, unknownRole, type UserRow, type UserUpdate } from '../../contract/users.ts';
import { endSessionsOf } from '../../service/rights.ts';
import { userTable } from '../../tables.ts';
import { refuseBecoming } from '../depts/becoming.ts';
import { keepingSuperAdmin, openDelegation, type Delegation } from '../depts/delegation.ts';
import { deptsToJoin, type UserRecord } from '../depts/reach.ts';
import { columnsOf, phoneTaken, placeDepts, placeLeaders, placeRoles, refusePosts } from './user-parts.ts';

/**
 * Changes a user as far as the viewer may; ends the user's sessions if roles, type or employment change. New roles are held until the day returned by
 * `untilOf`; null: permanently.
 */
export async function changeUser(
  tx: Db,
  viewer: Viewer,
  found: UserRecord,
  before: UserRow,
  body: UserUpdate,
  untilOf: (roleId: number) => string | null = () => null,
): Promise<{ newPhone: boolean }> {
  const heldRoles = before.roles.map((role) => role.id);
  const roles = body.roles && !same(body.roles, heldRoles) ? [...new Set(body.roles)] : null;
  const dept = body.dept === undefined ? found.dept_id : body.dept;
  const beside = body.depts ?? before.depts;
  const moved = dept !== found.dept_id || !same(beside, before.depts);
  const retyped = body.type_id !== undefined && body.type_id !== found.type_id;
  const switched = body.is_active !== undefined && body.is_active !== found.is_active;
  const newPhone = body.phone !== undefined && (body.phone || null) !== found.phone;
  const newMail = body.email !== undefined && body.email !== found.email;
  const newPost = body.post !== undefined && body.post !== found.post;
  const newLeaders = body.leader_of && !same(body.leader_of, before.leader_of) ? body.leader_of : null;

  if (found.id === viewer.id) {
    if (roles) throw notOneself('修改自己的角色');
    if (moved) throw notOneself('修改自己的部门');
    if (retyped || newLeaders) throw notOneself('修改自己的类型和服务的领导');
    if (switched) throw notOneself('停用自己');
    if (newPhone) throw notOneself('在这里修改自己的手机号');
    if (newPost && !viewer.superAdmin) throw notOneself('修改自己的职务');
  }
  if (retyped && !viewer.superAdmin) throw superAdminOnly('修改用户类型');

  const depts = [...(dept === null ? [] : [dept]), ...beside];
  await holdRoles(tx, roles ?? []);
  const delegation = await openDelegation(tx, viewer, [found], { roles: [...(roles ?? []), ...heldRoles], depts });
  if (!delegation.mayActOn(found)) throw rightsBeyond(found.alias);
  // A code sent to a number signs its owner in, and messages go to the address; changing one's own takes nothing from others.
  if (newPhone || (newMail && found.id !== viewer.id)) await refuseBecoming(tx, viewer, found);
  if (newPost) await refusePosts(tx, viewer, [found.post, body.post ?? '']);
  const held = [...(found.dept_id === null ? [] : [found.dept_id]), ...before.depts];
  if (moved) await deptsToJoin(tx, viewer, 'Update', dept, beside, held);
  if (roles) await checkRoles(tx, heldRoles, roles, { delegation, depts, untilOf });
  // A new place extends the reach of the same roles.
  if (moved && !delegation.mayLeaveWith(roles ?? heldRoles, depts)) throw rightsBeyond(found.alias);

  const write = async () => {
    await tx
      .update(userTable)
      .set({ ...columnsOf(body, found), gmt_modified: sql`now()`, version: found.version + 1 })
      .where(eq(userTable.id, found.id))
      .catch(phoneTaken(body.phone));
    if (roles) await placeRoles(tx, found.id, roles, untilOf);
    if (moved) await placeDepts(tx, found.id, dept, beside);
    if (newLeaders) await placeLeaders(tx, viewer, found.id, newLeaders);
  };
  await (roles || retyped || switched ? keepingSuperAdmin(tx, write) : write());
  if (roles || retyped || (switched && !body.is_active)) await endSessionsOf(tx, found.id);
  else await rightsChanged(tx, found.id);
  return { newPhone };
}

interface Giving {
  delegation: Delegation;
  depts: readonly number[];
  untilOf(roleId: number): string | null;
}

async function checkRoles(
  tx: Db,
  held: readonly number[],
  wanted: readonly number[],
  { delegation, depts, untilOf }: Giving,
): Promise<void> {
  const touched = [...wanted.filter((id) => !held.includes(id)), ...held.filter((id) => !wanted.includes(id))];
  const rows = await rolesById(tx, touched);
  if (rows.length !== touched.length) throw unknownRole();
  for (const role of rows) {
    const taken = held.includes(role.id);
    const why = taken ? null : delegation.whyNotGive(role, depts, untilOf(role.id));
    if (why) throw why;
    if (taken && !delegation.mayHandle(role.id, depts)) throw roleBeyond(role.name);
  }
}

function same<T extends string | number>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && new Set([...one, ...other]).size === one.length;
}
