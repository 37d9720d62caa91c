import type { Db } from '#kernel/server/db/db.ts';
import { readLater } from '../bodies/known.ts';
import { keepEdit } from '../edits/keeping.ts';
import { docs } from '../record/record.ts';
import { seal } from '../signing/sealing.ts';
import type { Stored } from '../visibility/visibility.ts';
import { addVersion, type Place } from './places.ts';

/** Puts a file of the document into one of its places and updates the document's reference. */
export async function replace(
  tx: Db,
  { doc, place }: { doc: Stored; place: Place },
  version: { fileId: number; user: { id: number }; reason: string },
): Promise<Place> {
  const versionNo = await addVersion(tx, place, version);
  const { fileId } = version;
  const named = place.is_body
    ? { body_file: fileId }
    : { attachments: doc.attachments.map((id) => (id === place.file_id ? fileId : id)) };
  const after = await docs.set(tx, doc, named);
  await keepEdit(tx, { before: doc, after, user: version.user });
  await seal(tx, doc, after);
  if (place.is_body) await readLater(tx, fileId);
  return { ...place, version_no: versionNo, file_id: fileId };
}
