import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { refuseOn } from '#kernel/server/db/db.ts';
import { lastingUntil, type Viewer } from '#kernel/server/access/viewer.ts';
import { holdRoles, rolesById, superRole } from '#modules/platform/access/service.ts';
import { postAsked, rightsBeyond, unknownPeople } from '../../contract/refusals.ts';
import { lasting, overAlready } from '../../contract/users/bulk.ts';
import { phoneInUse, unknownRole, type UserInput, type UserUpdate } from '../../contract/users.ts';
import { calledBy } from '../../service.ts';
import { decisiveAmong } from '../../service/powers.ts';
import { personWords } from '../../service/words.ts';
import { secretaryTable, userDeptTable, userRoleTable, userTable } from '../../tables.ts';
import { refuseBecoming } from '../depts/becoming.ts';
import { openDelegation } from '../depts/delegation.ts';
import { reaches, type UserRecord } from '../depts/reach.ts';

type Fields = UserInput | UserUpdate;
const given = (fields: Fields, key: string) =>
  Object.entries(fields).some(([name, value]) => name === key && value !== undefined);

/** The columns that were sent, and the resulting search words together with the stored values. */
const columnsKept = [
  'alias',
  'email',
  'company',
  'post',
  'gender',
  'office_phone',
  'office_room',
  'employ_no',
  'type_id',
  'is_active',
  'is_yg',
  'sort',
  'phone_visible',
] as const satisfies (keyof Fields & keyof UserRecord)[];

export function columnsOf(fields: Fields, record?: UserRecord) {
  const columns: Partial<UserRecord> = {
    ...Object.fromEntries(columnsKept.flatMap((key) => (given(fields, key) ? [[key, fields[key]]] : []))),
    ...(given(fields, 'dept') ? { dept_id: fields.dept ?? null } : {}),
    ...(fields.phone === undefined ? {} : { phone: fields.phone || null }),
  };
  const { username } = { username: '', ...record, ...fields };
  return { ...columns, ...personWords({ alias: '', ...record, ...columns, username }) };
}

export function phoneTaken(phone: string | undefined) {
  return refuseOn('app_user_phone_unique', () => phoneInUse(phone ?? ''));
}

/** Roles whose holders' mobile numbers are hidden by default. */
const leading: readonly string[] = ['xld', 'dept_ld'];

/** A new person's number: as requested, else hidden if one of the roles is a leader's, and visible otherwise. */
export async function withVisibility<T extends UserInput>(tx: Db, inputs: readonly T[]): Promise<T[]> {
  const roles = await rolesById(
    tx,
    inputs.flatMap((input) => input.roles ?? []),
  );
  const leads = new Set(roles.filter((role) => leading.includes(role.code)).map((role) => role.id));
  return inputs.map((input) => ({
    ...input,
    phone_visible: input.phone_visible ?? ((input.roles ?? []).some((id) => leads.has(id)) ? 3 : 1),
  }));
}

/** Refuses to give or remove a post by which people decide things the viewer may not name people for. */
export async function refusePosts(tx: Db, viewer: Viewer, posts: readonly string[]): Promise<void> {
  const [post] = (await decisiveAmong(tx, lastingUntil(viewer, null), { posts })).posts;
  if (post !== undefined) throw postAsked(post);
}

/** Refuses roles that do not exist, and for a new person those beyond the viewer's own rights. */
export async function rolesToGive(
  tx: Db,
  viewer: Viewer,
  roleIds: readonly number[],
  depts: readonly number[],
): Promise<void> {
  if (roleIds.length === 0) return;
  const wanted = [...new Set(roleIds)];
  await holdRoles(tx, wanted);
  const found = await rolesById(tx, wanted);
  if (found.length !== wanted.length) throw unknownRole();
  const delegation = await openDelegation(tx, viewer, [], { roles: wanted, depts });
  for (const role of found) {
    const why = delegation.whyNotGive(role, depts);
    if (why) throw why;
  }
}

/** A past day gives nothing; and the role of super administrators has none, so that no day removes the last of them. */
export async function refuseUntil(tx: Db, roleIds: readonly number[], until: string, now: Date): Promise<void> {
  if (until < dayOf(now)) throw overAlready(until);
  const found = (await rolesById(tx, roleIds)).find((role) => role.code === superRole);
  if (found) throw lasting(found.name);
}

/** Sets exactly these roles; held ones keep their last day, new and expired ones get `untilOf`. */
export async function placeRoles(
  tx: Db,
  userId: number,
  roleIds: readonly number[],
  untilOf: (roleId: number) => string | null = () => null,
): Promise<void> {
  const own = eq(userRoleTable.user_id, userId);
  const wanted = [...new Set(roleIds)];
  await tx.delete(userRoleTable).where(wanted.length > 0 ? and(own, notInArray(userRoleTable.role_id, wanted)) : own);
  const rows = wanted.map((roleId) => ({ user_id: userId, role_id: roleId, until: untilOf(roleId) }));
  if (rows.length > 0) await giveRoles(tx, rows);
}

/** Gives roles; a held one stays as it is, an expired one begins anew. Returns the people who were given something. */
export function giveRoles(tx: Db, rows: (typeof userRoleTable.$inferInsert)[]): Promise<{ id: number }[]> {
  return tx
    .insert(userRoleTable)
    .values(rows)
    .onConflictDoUpdate({
      target: [userRoleTable.user_id, userRoleTable.role_id],
      set: { until: sql`excluded.until` },
      setWhere: sql`not ${isHeld}`,
    })
    .returning({ id: userRoleTable.user_id });
}
/** True if a role with a last day is still held. */
export const isHeld = sql`(${userRoleTable.until} is null or ${userRoleTable.until} >= current_date)`;

/** The departments other than the main one. */
export async function placeDepts(tx: Db, userId: number, main: number | null, depts: readonly number[]): Promise<void> {
  await tx.delete(userDeptTable).where(eq(userDeptTable.user_id, userId));
  const rows = [...new Set(depts)]
    .filter((deptId) => deptId !== main)
    .map((deptId) => ({ user_id: userId, dept_id: deptId }));
  if (rows.length > 0) await tx.insert(userDeptTable).values(rows);
}

/** A secretary's leaders. A secretary sees and does what the leader may, so the leader too must be somebody the viewer may take over. */
export async function placeLeaders(
  tx: Db,
  viewer: Viewer,
  userId: number,
  usernames: readonly string[],
): Promise<void> {
  await tx.delete(secretaryTable).where(eq(secretaryTable.secretary_id, userId));
  const wanted = [...new Set(usernames)];
  if (wanted.length === 0) return;
  const found = await tx
    .select()
    .from(userTable)
    .where(sql`${inArray(userTable.username, wanted)} and ${userTable.is_active} and not ${userTable.is_deleted}`);
  const unknown = wanted.filter((name) => !found.some((row) => row.username === name));
  if (unknown.length > 0) throw unknownPeople(await calledBy(tx, unknown));
  const page = 'system/user';
  for (const leader of found) {
    if (!reaches(viewer, 'Update', page, leader) && !reaches(viewer, 'Create', page, leader))
      throw rightsBeyond(leader.alias);
    await refuseBecoming(tx, viewer, leader);
  }
  await tx.insert(secretaryTable).values(found.map((leader) => ({ secretary_id: userId, leader_id: leader.id })));
}
