import { invalid } from '#kernel/contract/refusal.ts';
import { speaksFor } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { deptsBelow, headedBy } from '#modules/platform/people/service.ts';
import { audienceNames, audienceOf } from '#modules/platform/people/service/audience.ts';
import { beyondOwn } from '../contract/refusals.ts';
import type { meetTable } from '../tables.ts';
import { byCreator } from './slot.ts';

type Called = Pick<typeof meetTable.$inferSelect, 'audience' | 'dept_id' | 'creator_id'>;
const managing = (user: Viewer) => scopeOf(user, 'chuli', 'meet/manage');

/** True for departments beyond the user's own for which they may create meetings: those they sign for, and those in their scope. */
const answersFor = async (tx: Db, user: Viewer, dept: number): Promise<boolean> =>
  speaksFor(user, dept, scopeOf(user, 'Create', 'meet/list'), managing(user)) ||
  (await headedBy(tx, user.id)).includes(dept);

/** Refuses a department that the writer has no relation to; the former value may stay. */
export async function refuseForeignDept(
  tx: Db,
  user: Viewer,
  dept: number | null | undefined,
  before: Pick<Called, 'dept_id'> | null,
): Promise<void> {
  if (typeof dept !== 'number' || dept === before?.dept_id || (await answersFor(tx, user, dept))) return;
  const msg = '不是您所在或管辖的部门，请重新选择；不选即为本人部门';
  throw invalid([{ field: 'dept_id', label: '主办部门', msg }]);
}

/** Groups of an audience beyond the departments for which the user may create meetings, in stored form. */
async function groupsBeyond(tx: Db, user: Viewer, names: readonly string[]): Promise<string[]> {
  const groups = names.filter((name) => !name.startsWith('u'));
  if (groups.length === 0) return [];
  const own = await deptsBelow(tx, [...user.depts, ...(await headedBy(tx, user.id))]);
  const mine = new Set(audienceOf(groups).depts.filter((dept) => own.includes(dept)));
  return groups.filter((name) => !name.startsWith('d') || !mine.has(Number(name.slice(1))));
}

/** True if the user may invite anybody: leaders, the head of the meeting's department, the office. */
async function callsAnybody(tx: Db, user: Viewer, { dept_id }: Pick<Called, 'dept_id'>): Promise<boolean> {
  if (user.superAdmin || user.roleCodes.has('xld') || user.roleCodes.has('dept_ld')) return true;
  if (dept_id === null) return holds(user, 'chuli', 'meet/manage') && managing(user).all;
  return speaksFor({ depts: [] }, dept_id, managing(user)) || (await headedBy(tx, user.id)).includes(dept_id);
}

/** True if a meeting invites more people than its creator may invite alone, so that the head and the office must approve. */
export async function asksBeyond(tx: Db, row: Called): Promise<boolean> {
  if (row.audience.every((name) => name.startsWith('u'))) return false;
  const { user } = await byCreator(tx, row, new Date(0));
  return (await groupsBeyond(tx, user, row.audience)).length > 0 && !(await callsAnybody(tx, user, row));
}

/** Refuses to add people to an approved meeting who would have needed approval. */
export async function refuseBeyond(tx: Db, user: Viewer, before: Called, audience: readonly string[]): Promise<void> {
  const fresh = await groupsBeyond(
    tx,
    user,
    audience.filter((name) => !before.audience.includes(name)),
  );
  if (fresh.length === 0 || (await callsAnybody(tx, user, before))) return;
  throw beyondOwn((await audienceNames(tx, [fresh]))[0]!);
}
