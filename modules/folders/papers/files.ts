import { eq, inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, detachAll } from '#modules/files/service.ts';
import { approvedKept, textKept } from '../contract/refusals.ts';
import type { PaperInput } from '../contract/rows.ts';
import { paperFileTable } from '../tables.ts';

const module = 'folders';

/** What of the files stays as it is: the body's, or all of them. */
export type KeptFiles = 'body' | 'all' | null;

/** Gives a paper the files that were sent and takes away those that are not named any more. */
export async function placeFiles(
  tx: Db,
  paperId: number,
  body: Pick<Partial<PaperInput>, 'file' | 'attachments'>,
  user: { id: number },
  kept: KeptFiles = null,
): Promise<void> {
  if (body.file === undefined && body.attachments === undefined) return;
  const had = await tx.select().from(paperFileTable).where(eq(paperFileTable.paper_id, paperId));
  const hadBody = had.find((file) => file.is_body)?.file_id ?? null;
  const hadBeside = had.filter((file) => !file.is_body).map((file) => file.file_id);
  const main = body.file === undefined ? hadBody : body.file;
  if (kept && main !== hadBody) throw textKept();
  const beside = (body.attachments ?? hadBeside).filter((id) => id !== main);
  if (kept === 'all' && hadBeside.toSorted().join() !== beside.toSorted().join()) throw approvedKept();
  const wanted = new Set([...(main === null ? [] : [main]), ...beside]);
  const gone = had.map((file) => file.file_id).filter((id) => !wanted.has(id));
  await tx.delete(paperFileTable).where(eq(paperFileTable.paper_id, paperId));
  await detachAll(tx, { fileIds: gone, module, recordId: paperId });
  await attachAll(tx, { fileIds: [...wanted], module, recordId: paperId, user });
  const rows = [...wanted].map((fileId, order) => ({
    file_id: fileId,
    paper_id: paperId,
    order_id: order,
    is_body: fileId === main,
  }));
  if (rows.length > 0) await tx.insert(paperFileTable).values(rows);
}

/** Takes all files from a paper. */
export async function dropFiles(tx: Db, paperId: number): Promise<void> {
  const had = await tx.select().from(paperFileTable).where(eq(paperFileTable.paper_id, paperId));
  const ids = had.map((file) => file.file_id);
  if (ids.length === 0) return;
  await tx.delete(paperFileTable).where(inArray(paperFileTable.file_id, ids));
  await detachAll(tx, { fileIds: ids, module, recordId: paperId });
}
