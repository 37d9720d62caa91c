import { inArray, or, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { covers, lastingUntil, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { placeGives, reachWidened } from '../../contract/depts.ts';
import { notOneself, partBeyond } from '../../contract/refusals.ts';
import { deptsAround, deptsBelow } from '../../service/depts.ts';
import { personWithRights } from '../../service/rights.ts';
import { decisiveDepts } from '../../service/powers.ts';
import { deptPersonTable, secretaryTable, userDeptTable, userTable } from '../../tables.ts';
import { openDelegation } from './delegation.ts';
import { partNames, signerBeyond } from './dept-delegation.ts';
import { reaches, type UserRecord } from './reach.ts';

/**
 * Moves a department, and refuses if its new place gives the user, or somebody whose account they control, more than they may give: what roles reach
 * below, what is addressed to the departments above, its approvers, and those one approves for.
 */
export async function keepingPlace(
  tx: Db,
  viewer: Viewer,
  dept: { id: number; name: string; parent: number | null },
  move: () => Promise<unknown>,
): Promise<void> {
  if (viewer.superAdmin) return void (await move());
  const { above: was } = await deptsAround(tx, [dept.id]);
  const { above: will } = await deptsAround(tx, dept.parent === null ? [] : [dept.parent]);
  const gained = will.filter((id) => !was.includes(id));
  const lost = was.filter((id) => id !== dept.id && !will.includes(id));
  await keepingSigners(tx, viewer, dept.id, { gained, lost });
  await refuseJoining(tx, viewer, dept, gained);
  // Checked with the user's present and permanent rights, because a place is permanent.
  const givers = viewer.lasting ? [viewer, lastingUntil(viewer, null)] : [viewer];
  const people = await peopleOf(tx, gained);
  const ruled: UserRecord[][] = [];
  for (const giver of givers) ruled.push(await ruledAmong(tx, giver, people));
  const before = await grantsOf(tx, viewer);
  await move();
  for (const [page, codes] of await grantsOf(tx, viewer))
    for (const [code, scope] of codes) {
      const had = before.get(page)?.get(code);
      if (!had || !covers(had, scope)) throw reachWidened(dept.name);
    }
  for (const [no, giver] of givers.entries()) {
    const still = await ruledAmong(tx, giver, ruled[no]!);
    const wider = ruled[no]!.find((person) => !still.includes(person));
    if (wider) throw placeGives(dept.name, wider.alias);
  }
}

async function grantsOf(tx: Db, viewer: Viewer): Promise<Viewer['grants']> {
  return (await personWithRights(tx, viewer.id))?.rights.grants ?? viewer.grants;
}

/** Nobody becomes an approver by moving a department, or chooses their own approvers. */
async function keepingSigners(
  tx: Db,
  viewer: Viewer,
  dept: number,
  { gained, lost }: Record<'gained' | 'lost', readonly number[]>,
): Promise<void> {
  const { dept_id, user_id, part } = deptPersonTable;
  const parts = await tx
    .select({ dept: dept_id, user: user_id, part, username: userTable.username })
    .from(deptPersonTable)
    .innerJoin(userTable, sql`${userTable.id} = ${user_id}`)
    .where(inArray(dept_id, [...gained, ...lost]));
  const own = parts.find((one) => one.user === viewer.id && gained.includes(one.dept));
  if (own) throw notOneself(`把部门移到自己担任${partNames[own.part]}的部门之下`);
  const beyond = await signerBeyond(
    tx,
    viewer,
    dept,
    parts.map((one) => one.username),
  );
  if (beyond) throw partBeyond(beyond.alias, partNames[parts.find((one) => one.user === beyond.id)!.part]);
}

/** Members of a department also belong to those above it: nobody is moved to where the viewer could not have put them. */
async function refuseJoining(
  tx: Db,
  viewer: Viewer,
  dept: { id: number; name: string },
  gained: readonly number[],
): Promise<void> {
  const scope = scopeOf(viewer, 'Update', 'system/user');
  const decides = (await decisiveDepts(tx, lastingUntil(viewer, null), gained)).length > 0;
  if (!decides && (scope.all || gained.every((id) => scope.depts.has(id)))) return;
  const people = await peopleOf(tx, await deptsBelow(tx, [dept.id]));
  const [brought] = await ruledAmong(tx, viewer, people);
  if (brought) throw placeGives(dept.name, brought.alias);
}

/** People of departments by main or further place, and their secretaries: their rights depend on the department's place. */
async function peopleOf(tx: Db, depts: readonly number[]): Promise<UserRecord[]> {
  if (depts.length === 0) return [];
  const beside = tx
    .select({ id: userDeptTable.user_id })
    .from(userDeptTable)
    .where(inArray(userDeptTable.dept_id, [...depts]));
  const members = or(inArray(userTable.dept_id, [...depts]), inArray(userTable.id, beside));
  const ids = tx.select({ id: userTable.id }).from(userTable).where(members);
  const secretaries = tx
    .select({ id: secretaryTable.secretary_id })
    .from(secretaryTable)
    .where(inArray(secretaryTable.leader_id, ids));
  return tx
    .select()
    .from(userTable)
    .where(or(members, inArray(userTable.id, secretaries)))
    .orderBy(userTable.id);
}

/** Those of some people who are the viewer or whose accounts the viewer controls. */
async function ruledAmong<P extends UserRecord>(tx: Db, viewer: Viewer, people: readonly P[]): Promise<P[]> {
  if (people.length === 0) return [];
  const delegation = await openDelegation(tx, viewer, people);
  return people.filter(
    (one) =>
      one.id === viewer.id ||
      (!one.is_deleted && reaches(viewer, 'Update', 'system/user', one) && delegation.mayActOn(one)),
  );
}
