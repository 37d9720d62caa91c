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
 * Moves a department, and refuses where its new place gives whoever moves it, or somebody whose account they rule, more than they may give:
 * what roles reach below, what is for the departments above, who signs for it and for whom one signs.
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
  // By what the mover has now, and by what they have for good: a place gives for good.
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

/** Nobody comes to sign for a department by moving it, and who signs for oneself is not chosen by oneself. */
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

/**
 * Whoever is in a department is in those above it too: nobody is brought to where the viewer could not have put them, nor to where a list of
 * rights gives what the viewer may not.
 */
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

/** Those of departments by a main or another place, and their secretaries: whose rights go by where a department stands. */
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

/** Of people, the viewer and those whose accounts they rule. */
async function ruledAmong<P extends UserRecord>(tx: Db, viewer: Viewer, people: readonly P[]): Promise<P[]> {
  if (people.length === 0) return [];
  const delegation = await openDelegation(tx, viewer, people);
  return people.filter(
    (one) =>
      one.id === viewer.id ||
      (!one.is_deleted && reaches(viewer, 'Update', 'system/user', one) && delegation.mayActOn(one)),
  );
}
