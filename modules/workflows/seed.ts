import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { leave } from './seeds/leave.ts';
import { repair } from './seeds/repair.ts';
import { hashOf } from './service.ts';
import { workflowTable, workflowVersionTable } from './tables.ts';

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
