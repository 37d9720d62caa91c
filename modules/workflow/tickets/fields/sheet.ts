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

/** A table has at most two thousand rows; above them are its title and its headings. */
const limits = { maxRows: 2100, maxColumns: 100, maxLetters: 2 ** 20, maxUnpacked: 24 * 2 ** 20 };

/**
 * Reads an uploaded sheet for a table of a form, for people who write such forms: those who may begin a ticket of the workflow, have or handle one,
 * or administer the workflow.
 */
export async function sheetFor(tx: Db, user: Viewer, workflowId: number, bytes: Buffer) {
  await requireWriter(tx, user, workflowId);
  const { rows, beside, hiddenColumns } = await readBook(bytes, limits);
  return { ...plainSheet(rows), hidden_columns: hiddenColumns, beside };
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
