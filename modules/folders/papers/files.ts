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
  const had = await tx.select().from(paperFileTable).where(eq(paperFileTable.paperId, paperId));
  const hadBody = had.find((file) => file.body)?.fileId ?? null;
  const hadBeside = had.filter((file) => !file.body).map((file) => file.fileId);
  const main = body.file === undefined ? hadBody : body.file;
  if (kept && main !== hadBody) throw textKept();
  const beside = (body.attachments ?? hadBeside).filter((id) => id !== main);
  if (kept === 'all' && hadBeside.toSorted().join() !== beside.toSorted().join()) throw approvedKept();
  const wanted = new Set([...(main === null ? [] : [main]), ...beside]);
  const gone = had.map((file) => file.fileId).filter((id) => !wanted.has(id));
  await tx.delete(paperFileTable).where(eq(paperFileTable.paperId, paperId));
  await detachAll(tx, { fileIds: gone, module, recordId: paperId });
  await attachAll(tx, { fileIds: [...wanted], module, recordId: paperId, user });
  const rows = [...wanted].map((fileId, order) => ({ fileId, paperId, order, body: fileId === main }));
  if (rows.length > 0) await tx.insert(paperFileTable).values(rows);
}

/** Takes all files from a paper. */
export async function dropFiles(tx: Db, paperId: number): Promise<void> {
  const had = await tx.select().from(paperFileTable).where(eq(paperFileTable.paperId, paperId));
  const ids = had.map((file) => file.fileId);
  if (ids.length === 0) return;
  await tx.delete(paperFileTable).where(inArray(paperFileTable.fileId, ids));
  await detachAll(tx, { fileIds: ids, module, recordId: paperId });
}
