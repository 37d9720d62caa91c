import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { workflowGrantTable, workflowTable } from '../tables.ts';
import { administered } from './administer.ts';

const names = { view: '查看', intervene: '干预', admin: '管理' } as const;

async function grantsTo(tx: Db, person: number) {
  const { id, workflow_id, permission, holder, holder_type } = workflowGrantTable;
  const rows = await tx
    .select({ id, workflow_id, permission, title: workflowTable.name })
    .from(workflowGrantTable)
    .innerJoin(workflowTable, eq(workflowTable.id, workflow_id))
    .where(and(eq(holder_type, 'user'), eq(holder, String(person)), eq(workflowTable.is_deleted, false)))
    .orderBy(workflow_id, id);
  return rows.map((row) => ({ ...row, note: names[row.permission], at: null }));
}

/** Workflows for which somebody has grants. The person handing them over must administer the workflow. */
export const workflowLeaves: Leaves = {
  key: 'workflows',
  title: '流程权限',
  async openOf(tx, person, limit) {
    const rows = await grantsTo(tx, person);
    return heldOf(
      rows.map(({ id, title, note, at }) => ({ id, title, note, at })),
      limit,
    );
  },
  handOver: async (tx, from, to, { user }, only) =>
    eachHanded(await grantsTo(tx, from.id), only, async (row) => {
      await administered(tx, user, 'Update', row.workflow_id, true);
      const { id, workflow_id, permission } = row;
      await tx.delete(workflowGrantTable).where(eq(workflowGrantTable.id, id));
      await tx
        .insert(workflowGrantTable)
        .values({ workflow_id, permission, holder_type: 'user', holder: String(to.id) })
        .onConflictDoNothing();
    }),
};
