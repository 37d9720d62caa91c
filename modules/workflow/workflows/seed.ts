import { houseNow } from '#kernel/server/process/clock.ts';
import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import type { Definition } from './engine/definition.ts';
import { leave } from './engine/gallery/leave.ts';
import { itService } from './engine/gallery/it-service.ts';
import { hashOf } from './service.ts';
import { workflowGrantTable, workflowTable, workflowVersionTable } from './tables.ts';

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
  page('workflow/group', '用户组', 'userGroup', 'UsergroupOutlined', 195, ['Create', 'Retrieve', 'Update', 'Delete']),
];

export interface WorkflowSeed {
  key: string;
  name: string;
  description: string;
  icon: string;
  category: string;
  /** The module whose records it decides; missing for plain tickets. */
  module?: string;
  /** Roles that may initially intervene in its tickets. */
  intervene?: readonly string[];
  definition: Definition;
}

/** The workflows a new organisation begins with. Idempotent. */
export const seedWorkflows = (tx: Db) => addWorkflows(tx, [itService, leave], 0);

/** Publishes workflows whose key is missing as version 1, listed after `after`. */
export async function addWorkflows(tx: Db, wanted: readonly WorkflowSeed[], after: number): Promise<void> {
  for (const [index, { definition, intervene = [], ...workflow }] of wanted.entries()) {
    const [known] = await tx
      .select({ id: workflowTable.id })
      .from(workflowTable)
      .where(eq(workflowTable.key, workflow.key));
    if (known) continue;
    const [row] = await tx
      .insert(workflowTable)
      .values({ ...workflow, order_id: after + (index + 1) * 10 })
      .returning({ id: workflowTable.id });
    if (!row) continue;
    await tx.insert(workflowVersionTable).values({
      workflow_id: row.id,
      no: 1,
      status: 'published',
      definition,
      hash: hashOf(definition),
      published_at: houseNow().toISOString(),
    });
    for (const holder of intervene)
      await tx
        .insert(workflowGrantTable)
        .values({ workflow_id: row.id, permission: 'intervene', holder_type: 'role', holder });
  }
}
