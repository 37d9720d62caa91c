import { eq, inArray } from 'drizzle-orm';
import type { Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { lastingUntil, type Viewer } from '#kernel/server/access/viewer.ts';
import { rolesById } from '#modules/platform/access/service.ts';
import { deptNames } from '../../service.ts';
import { actsForBeyond, decidesBeyond, rightsBeyond } from '../../contract/refusals.ts';
import { decisiveAmong, decisiveDepts } from '../../service/powers.ts';
import { secretaryTable, userTable } from '../../tables.ts';
import { openDelegation } from './delegation.ts';
import { reaches, type UserRecord } from './reach.ts';

/**
 * Why the user may not obtain somebody's powers, for themselves or an account they control: the person's rights, the posts and roles by which they
 * are found, those they act for and, unless it stays theirs, what they were named for. Null if that gives nothing new. Taking over an account is
 * permanent, so it requires permanent rights.
 */
export async function whyNotBecome(
  tx: Db,
  asking: Viewer,
  person: UserRecord,
  { named = true }: { named?: boolean } = {},
): Promise<Refusal | null> {
  if (asking.superAdmin) return null;
  const viewer = lastingUntil(asking, null);
  for (const principal of await principalsOf(tx, viewer, person.id)) {
    const beyond =
      !reaches(viewer, 'Update', 'system/user', principal) || (await whyNotBeOne(tx, viewer, principal, true));
    if (beyond) return actsForBeyond(person.alias, principal.alias);
  }
  return whyNotBeOne(tx, viewer, person, named);
}

export async function refuseBecoming(tx: Db, viewer: Viewer, person: UserRecord): Promise<void> {
  const why = await whyNotBecome(tx, viewer, person);
  if (why) throw why;
}

/** True if somebody was named for something the viewer may not name people for. */
async function isNamedBeyond(tx: Db, viewer: Viewer, person: number): Promise<boolean> {
  if (viewer.superAdmin) return false;
  for (const { beyond } of tx.services.product.powers) if (await beyond?.(tx, viewer, person)) return true;
  return false;
}

/** True if somebody personally holds a right that the viewer may not grant. */
export async function holdsBeyond(tx: Db, viewer: Viewer, person: number): Promise<boolean> {
  if (viewer.superAdmin) return false;
  const lasting = lastingUntil(viewer, null);
  for (const { granted } of tx.services.product.powers) if (await granted?.(tx, lasting, person)) return true;
  return false;
}

/** Checks what one person may do for themselves. */
async function whyNotBeOne(tx: Db, viewer: Viewer, person: UserRecord, named: boolean): Promise<Refusal | null> {
  const delegation = await openDelegation(tx, viewer, [person]);
  if (!delegation.mayActOn(person)) return rightsBeyond(person.alias);
  const roles = await rolesById(tx, delegation.rolesOf(person.id));
  const by = { posts: [person.post], roles: roles.map((role) => role.code) };
  const decisive = await decisiveAmong(tx, viewer, by);
  const role = roles.find((one) => decisive.roles.has(one.code));
  if (role) return decidesBeyond(person.alias, `角色“${role.name}”`);
  if (decisive.posts.has(person.post)) return decidesBeyond(person.alias, `职务“${person.post}”`);
  const [dept] = await decisiveDepts(tx, viewer, delegation.deptsOf(person.id));
  if (dept !== undefined) return decidesBeyond(person.alias, `部门“${(await deptNames(tx, [dept]))[0] ?? dept}”`);
  return named && (await isNamedBeyond(tx, viewer, person.id)) ? rightsBeyond(person.alias) : null;
}

/** All people somebody acts for, as secretary or delegate, directly and through others; excluding those the viewer already acts for. */
async function principalsOf(tx: Db, viewer: Viewer, person: number): Promise<UserRecord[]> {
  const seen = new Set([person]);
  for (const at of seen) {
    if (at === viewer.id) continue;
    const led = tx.select({ id: secretaryTable.leader_id }).from(secretaryTable);
    for (const { id } of await led.where(eq(secretaryTable.secretary_id, at))) seen.add(id);
    for (const { actsFor } of tx.services.product.powers)
      for (const id of (await actsFor?.(tx, at)) ?? []) seen.add(id);
  }
  const others = [...seen].filter((id) => id !== person && id !== viewer.id);
  if (others.length === 0) return [];
  return tx.select().from(userTable).where(inArray(userTable.id, others)).orderBy(userTable.id);
}
