import type { Db } from '#kernel/server/db/db.ts';
import { covers, type Viewer } from '#kernel/server/access/viewer.ts';
import { reachWidened, type DeptInput, type DeptRow } from '../../contract/depts.ts';
import { notOneself } from '../../contract/refusals.ts';
import { personWithRights } from '../../service/rights.ts';

/** Moves a department, and refuses where the viewer's own grants then reach further than before. */
export async function keepingReach(tx: Db, viewer: Viewer, name: string, move: () => Promise<unknown>): Promise<void> {
  if (viewer.superAdmin) return void (await move());
  const before = await grantsOf(tx, viewer);
  await move();
  for (const [page, codes] of await grantsOf(tx, viewer))
    for (const [code, scope] of codes) {
      const had = before.get(page)?.get(code);
      if (!had || !covers(had, scope)) throw reachWidened(name);
    }
}

async function grantsOf(tx: Db, viewer: Viewer): Promise<Viewer['grants']> {
  return (await personWithRights(tx, viewer.id))?.rights.grants ?? viewer.grants;
}

/** What a person may be to a department. */
export const partNames = { leader: '负责人', approver: '审批人', dept_ld: '分管领导', secretary: '秘书' } as const;
const parts = Object.entries(partNames) as [keyof typeof partNames, string][];

/** Refuses parts of a department that the viewer would take for himself; one he holds already may stay. */
export function notNamingOneself(viewer: Viewer, body: Partial<DeptInput>, before?: DeptRow): void {
  if (viewer.superAdmin) return;
  const holds = (names: string | readonly string[] | undefined) => [names].flat().includes(viewer.username);
  for (const [part, title] of parts)
    if (holds(body[part]) && !holds(before?.[part])) throw notOneself(`把自己设为部门的${title}`);
}
