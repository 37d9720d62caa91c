import { inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { DeptInput, DeptRow } from '../../contract/depts.ts';
import { headedBeyond, notOneself, partBeyond } from '../../contract/refusals.ts';
import { deptsBelow } from '../../service/depts.ts';
import { userTable } from '../../tables.ts';
import { openDelegation } from './delegation.ts';
import { reaches } from './reach.ts';

/** Functions of a person in a department. */
export const partNames = { leader: '负责人', approver: '审批人', dept_ld: '分管领导', secretary: '秘书' } as const;
const parts = Object.entries(partNames) as [keyof typeof partNames, string][];

/** Refuses functions in a department that the viewer would take themselves; one they hold already may stay. */
export function notNamingOneself(viewer: Viewer, body: Partial<DeptInput>, before?: DeptRow): void {
  if (viewer.superAdmin) return;
  const holds = (names: string | readonly string[] | undefined) => [names].flat().includes(viewer.username);
  for (const [part, title] of parts)
    if (holds(body[part]) && !holds(before?.[part])) throw notOneself(`把自己设为部门的${title}`);
}

/**
 * Nobody chooses their own approvers: in their own department, an administrator of some departments names and replaces only people they administer,
 * and closes no department whose people have more rights.
 */
export async function keepingParts(tx: Db, viewer: Viewer, body: Partial<DeptInput>, before: DeptRow): Promise<void> {
  if (scopeOf(viewer, 'Update', 'system/dept').all) return;
  const named = (of: Partial<DeptInput>, part: keyof typeof partNames) => [of?.[part] ?? []].flat();
  const off = body.status === false && before.status;
  const touched = parts.flatMap(([part, title]) => {
    const [is, was] = [named(body, part), named(before, part)];
    const changed =
      body[part] === undefined
        ? []
        : [...was.filter((one) => !is.includes(one)), ...is.filter((one) => !was.includes(one))];
    return [...changed, ...(off ? was : [])].filter(Boolean).map((username) => ({ username, title }));
  });
  const beyond = await signerBeyond(
    tx,
    viewer,
    before.id,
    touched.map((one) => one.username),
  );
  if (!beyond) return;
  if (off) throw headedBeyond(beyond.alias);
  throw partBeyond(beyond.alias, touched.find((one) => one.username === beyond.username)!.title);
}

/** Finds, among the people who become or stop being approvers of a department, one whom the viewer may not choose there; null if there is none. */
export async function signerBeyond(tx: Db, viewer: Viewer, dept: number, names: readonly string[]) {
  if (names.length === 0 || scopeOf(viewer, 'Update', 'system/dept').all) return null;
  const below = await deptsBelow(tx, [dept]);
  if (!viewer.depts.some((own) => below.includes(own))) return null;
  const people = await tx
    .select()
    .from(userTable)
    .where(inArray(userTable.username, [...names]));
  const delegation = await openDelegation(tx, viewer, people);
  const within = (person: (typeof people)[number]) =>
    reaches(viewer, 'Update', 'system/user', person) && delegation.mayActOn(person);
  return people.find((person) => person.id !== viewer.id && !within(person)) ?? null;
}
