import { and, eq } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { grantsOf, mayReach, type Grants } from '../service.ts';
import { workflowTable } from '../tables.ts';

export const listPage = 'workflow/list';
export type Flow = typeof workflowTable.$inferSelect;

/** True if somebody with the code on the page of workflows may use it on this one: on all with a full scope, else on those they administer or made. */
export function mayAdminister(user: Viewer, code: PermissionCode, flow: Flow, grants: Grants): boolean {
  if (!holds(user, code, listPage)) return false;
  return (
    scopeOf(user, code, listPage).all || flow.creator_id === user.id || (grants.get(flow.id)?.has('admin') ?? false)
  );
}

/** Returns the workflow, its row locked for writing, to somebody who may administer it. Any other is reported as absent. */
export async function administered(
  tx: Db,
  user: Viewer,
  code: PermissionCode,
  id: number,
  lock: boolean,
): Promise<Flow> {
  const select = tx
    .select()
    .from(workflowTable)
    .where(and(eq(workflowTable.id, id), eq(workflowTable.is_deleted, false)))
    .$dynamic();
  const [flow] = await (lock ? select.for('update') : select);
  if (!flow || !mayReach(user, id) || !mayAdminister(user, code, flow, await grantsOf(tx, user))) throw absent('流程');
  return flow;
}
