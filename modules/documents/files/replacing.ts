import { eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { readLater } from '../bodies/known.ts';
import { keepEdit } from '../edits/keeping.ts';
import { seal } from '../signing/sealing.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';
import { addVersion, type Place } from './places.ts';

/** Puts a file that the document owns into a place of it; the document names it from now on. */
export async function replace(
  tx: Db,
  { doc, place }: { doc: Stored; place: Place },
  version: { fileId: number; user: { id: number }; reason: string },
): Promise<Place> {
  const versionNo = await addVersion(tx, place, version);
  const { fileId } = version;
  const named = place.is_body
    ? { body_file: fileId }
    : { attachments: sql`array_replace(${documentTable.attachments}, ${place.file_id}, ${fileId})` as never };
  const [after] = await tx
    .update(documentTable)
    .set({ ...named, ...touched(documentTable) })
    .where(eq(documentTable.id, doc.id))
    .returning();
  await keepEdit(tx, { before: doc, after: after!, user: version.user });
  await seal(tx, doc, after!);
  if (place.is_body) await readLater(tx, fileId);
  return { ...place, version_no: versionNo, file_id: fileId };
}
