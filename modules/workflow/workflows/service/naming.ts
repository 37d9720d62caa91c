import { and, eq, inArray, not, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { mayAdminister } from '../definition/administer.ts';
import type { State } from '../engine/definition.ts';
import { namedInState } from '../engine/naming/places.ts';
import { grantsOf, mayReach } from '../service.ts';
import { userGroupTable, workflowTable } from '../tables.ts';

/**
 * True if a state of a workflow asks a person by name, or by a user group that the viewer is not in, and the viewer could name nobody for it: then the
 * viewer must not choose who decides there instead.
 */
export async function isNamedBeyond(
  tx: Db,
  viewer: Viewer,
  { workflow_id, state, person }: { workflow_id: number; state: State; person: number },
): Promise<boolean> {
  const people = namedInState(state, 'user');
  const groups = namedInState(state, 'group').map(Number);
  const isNamed =
    (people.includes(person) && !people.includes(viewer.id)) || (await isInOneOf(tx, groups, person, viewer.id));
  if (!isNamed) return false;
  const [flow] = await tx.select().from(workflowTable).where(eq(workflowTable.id, workflow_id));
  return !flow || !mayReach(viewer, flow.id) || !mayAdminister(viewer, 'Update', flow, await grantsOf(tx, viewer));
}

async function isInOneOf(tx: Db, groups: readonly number[], person: number, without: number): Promise<boolean> {
  if (groups.length === 0) return false;
  const { id, people } = userGroupTable;
  const has = (one: number) => sql`${one}::int = any(${people})`;
  const found = tx
    .select({ id })
    .from(userGroupTable)
    .where(and(inArray(id, groups), has(person), not(has(without))));
  return (await found.limit(1)).length > 0;
}
