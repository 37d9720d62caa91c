import { and, eq, or } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { plainSheet } from '#kernel/server/export/sheet-lines.ts';
import { readBook } from '#kernel/server/export/sheet-reader.ts';
import { workflowsWith } from '#modules/workflow/workflows/service.ts';
import { openTo } from '../commands/commands.ts';
import { ticketTable } from '../tables.ts';
import { ticketViewerOf } from '../visibility/viewer.ts';
import { inCategory } from '../visibility/visibility.ts';

/** A table has two thousand rows at most; above them stand its title and its head. */
const limits = { maxRows: 2100, maxColumns: 100, maxLetters: 2 ** 20, maxUnpacked: 24 * 2 ** 20 };

/** A sheet for a table of a form, as its author sees it, read for whoever writes such forms: who may begin a ticket of the workflow, has or handles one, or keeps the workflow. */
export async function sheetFor(tx: Db, user: Viewer, workflowId: number, bytes: Buffer) {
  await requireWriter(tx, user, workflowId);
  const { rows, beside } = await readBook(bytes, limits);
  return { ...plainSheet(rows), beside };
}

async function requireWriter(tx: Db, user: Viewer, workflowId: number): Promise<void> {
  const viewer = await ticketViewerOf(tx, user);
  if (user.superAdmin || workflowsWith(viewer.grants, 'admin').includes(workflowId)) return;
  const own = or(inCategory('duty', viewer), inCategory('owner', viewer));
  const [theirs] = await tx
    .select({ id: ticketTable.id })
    .from(ticketTable)
    .where(and(eq(ticketTable.workflow_id, workflowId), own))
    .limit(1);
  if (!theirs) await openTo(tx, user, workflowId, null);
}
