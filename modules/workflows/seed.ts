import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import type { MenuSeed } from '#modules/access/seed.ts';
import { leave } from './seeds/leave.ts';
import { repair } from './seeds/repair.ts';
import { hashOf } from './service.ts';
import { workflowTable, workflowVersionTable } from './tables.ts';

const page = (key: string, title: string, path: string, icon: string, order: number, codes: MenuSeed['codes']) => ({
  key,
  parent: 'ticket',
  title,
  path,
  icon,
  order,
  codes,
});
export const menus: MenuSeed[] = [
  page('workflow/list', '流程管理', 'workflow', 'ApartmentOutlined', 180, ['Create', 'Retrieve', 'Update', 'Delete']),
  { ...page('workflow/design', '流程设计', 'workflow/design/:id', '', 181, ['Retrieve', 'Update']), visible: false },
  page('workflow/notice', '通知方式', 'notice', 'NotificationOutlined', 190, [
    'Create',
    'Retrieve',
    'Update',
    'Delete',
  ]),
];

/** The workflows a new organisation begins with, published as version 1 where their key is missing. Idempotent. */
export async function seedWorkflows(tx: Db): Promise<void> {
  for (const [index, { definition, ...workflow }] of [repair, leave].entries()) {
    const [known] = await tx
      .select({ id: workflowTable.id })
      .from(workflowTable)
      .where(eq(workflowTable.key, workflow.key));
    if (known) continue;
    const [row] = await tx
      .insert(workflowTable)
      .values({ ...workflow, order_id: (index + 1) * 10 })
      .returning({ id: workflowTable.id });
    if (!row) continue;
    await tx.insert(workflowVersionTable).values({
      workflow_id: row.id,
      no: 1,
      status: 'published',
      definition,
      hash: hashOf(definition),
      published_at: new Date().toISOString(),
    });
  }
}
