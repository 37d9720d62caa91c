import { invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { notAttachable } from '#modules/platform/files/contract.ts';
import { give } from '#modules/platform/files/service.ts';
import { readLater } from '../bodies/known.ts';
import type { Stored } from '../visibility/visibility.ts';
import { checkLock } from './locks.ts';
import { addVersion, closePlace, heldPlaces, openPlace, type Place } from './places.ts';

/** Updates the places of a document from the files it names now: former files become earlier versions, or are removed. */
export async function settleFiles(
  tx: Db,
  { user, now }: { user: { id: number }; now: Date },
  { before, after }: { before: Stored | null; after: Stored },
): Promise<void> {
  const named = [...(after.body_file === null ? [] : [after.body_file]), ...after.attachments];
  const wrong = (msg: string) => invalid([{ field: 'attachments', label: '附件', msg }]);
  if (new Set(named).size !== named.length) throw wrong('同一个附件只能放在一处，请重新上传');
  const places = before ? await heldPlaces(tx, after.id) : [];
  const known = new Set(before ? [...before.attachments, before.body_file] : []);
  const fresh = named.filter((id) => !known.has(id));
  const refused = await give(tx, { module: 'documents', recordId: after.id, user, fileIds: fresh });
  if (refused.length > 0) throw wrong(notAttachable().message);

  const body = places.find((place) => place.is_body);
  const fileId = after.body_file;
  if (fileId !== (before?.body_file ?? null)) {
    if (body) await checkLock(tx, body, user, now);
    if (fileId !== null && body) await addVersion(tx, body, { fileId, user, reason: '' });
    else if (fileId !== null) await openPlace(tx, { documentId: after.id, isBody: true, fileId, user });
    else if (body) await leave(tx, body, after);
    if (fileId !== null) await readLater(tx, fileId);
  }

  const lying = places.filter((place) => !place.is_body && place.removed_at === null);
  for (const place of lying)
    if (!after.attachments.includes(place.file_id)) {
      await checkLock(tx, place, user, now);
      await leave(tx, place, after);
    }
  for (const one of after.attachments)
    if (!lying.some((place) => place.file_id === one))
      await openPlace(tx, { documentId: after.id, isBody: false, fileId: one, user });
}

const leave = (tx: Db, place: Place, doc: Stored) => closePlace(tx, place, { kept: doc.submitted_at !== null });
