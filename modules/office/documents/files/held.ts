import { and, desc, eq, inArray, isNull, lte } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import {
  attach,
  enter,
  fileById,
  filesById,
  quotaOf,
  takeQuota,
  type Accepted,
  type OwnerRule,
} from '#modules/platform/files/service.ts';
import { readSettings } from '#modules/platform/settings/service.ts';
import type { Held, HeldFiles } from '#modules/platform/wopi/service.ts';
import { tooManyAttachments } from '../contract/files/file-refusals.ts';
import { mostAttachments, secretLevel } from '../contract/shapes.ts';
import { keepEdit } from '../edits/keeping.ts';
import { docs } from '../record/record.ts';
import { seal } from '../signing/sealing.ts';
import { seen, type SeenDocument, type Stored } from '../visibility/visibility.ts';
import { documentFileTable, documentFileVersionTable } from '../tables/files.ts';
import { keepLock, lockOf } from './locks.ts';
import { openPlace, type Place } from './places.ts';
import { replace } from './replacing.ts';
import { writablePlaces } from './writing.ts';

export interface PlaceSeen extends SeenDocument {
  place: Place;
  mayWrite: boolean;
}

/** A place in a document that the user sees, with what they may do there; with `lock`, locked in the order of all actions. Throws `absent`. */
export async function placeSeen(tx: Db, user: Viewer, id: number, lock = false): Promise<PlaceSeen> {
  // For a missing place, a nearby one is looked up instead, so that the answer takes as long.
  const [near] = await tx
    .select()
    .from(documentFileTable)
    .where(and(lte(documentFileTable.id, id), isNull(documentFileTable.removed_at)))
    .orderBy(desc(documentFileTable.id))
    .limit(1);
  const there = near?.id === id;
  const visibility = await seen(tx, user, near?.document_id ?? 0, lock && there, '文件');
  if (!there) throw absent('文件');
  const held = and(eq(documentFileTable.id, id), isNull(documentFileTable.removed_at));
  const [place] = lock ? await tx.select().from(documentFileTable).where(held).for('update') : [near];
  if (!place) throw absent('文件');
  return { ...visibility, place, mayWrite: (await writablePlaces(tx, visibility, user))(place) };
}

async function heldOf(tx: Db, { doc, place, mayWrite }: PlaceSeen): Promise<Held> {
  const file = await fileById(tx, place.file_id);
  const [version] = await tx
    .select({ gmt_created: documentFileVersionTable.gmt_created })
    .from(documentFileVersionTable)
    .where(
      and(
        eq(documentFileVersionTable.document_file_id, place.id),
        eq(documentFileVersionTable.version_no, place.version_no),
      ),
    );
  const { id, version_no: versionNo } = place;
  return { id, file: file!, versionNo, saved: momentOf(version!.gmt_created), ownerId: doc.creator_id, mayWrite };
}

/** Makes an accepted upload a file of the document. */
export async function enterFor(tx: Db, doc: Stored, user: { id: number }, file: Accepted): Promise<number> {
  const quota = quotaOf((await readSettings(tx, 'site')).value);
  await takeQuota(tx, { userId: user.id, size: file.size, quota });
  const fileId = await enter(tx, file, { module: 'documents', uploader_id: user.id });
  await attach(tx, { fileId, module: 'documents', recordId: doc.id, user });
  return fileId;
}

/** Files of documents for an editor. Secret ones are absent for it, whatever its token. */
export const heldFiles = (rule: OwnerRule): HeldFiles => ({
  rule,
  async held(tx, user, id, lock) {
    const visibility = await placeSeen(tx, user, id, lock);
    if (visibility.doc.secret_level > secretLevel.none) throw absent('文件');
    return heldOf(tx, visibility);
  },
  lockOf,
  keepLock,
  async save(tx, user, held, file) {
    if (file.sha256 === held.file.sha256) return held;
    const visibility = await placeSeen(tx, user, held.id, true);
    const fileId = await enterFor(tx, visibility.doc, user, file);
    const place = await replace(tx, visibility, { fileId, user, reason: '在线编辑' });
    return heldOf(tx, { ...visibility, place });
  },
  // The name is printed, so a new name makes a new version, which a signer sees.
  async rename(tx, user, held, name) {
    const visibility = await placeSeen(tx, user, held.id, true);
    const { ext, mime, size, sha256 } = held.file;
    const fileId = await enterFor(tx, visibility.doc, user, { name, ext, mime, size, sha256 } as Accepted);
    const place = await replace(tx, visibility, { fileId, user, reason: '改名' });
    return heldOf(tx, { ...visibility, place });
  },
  async beside(tx, held) {
    const { document_id, file_id, id } = documentFileTable;
    const document = tx.select({ id: document_id }).from(documentFileTable).where(eq(id, held.id));
    const places = await tx
      .select({ id, file_id })
      .from(documentFileTable)
      .where(and(inArray(document_id, document), isNull(documentFileTable.removed_at)));
    const files = await filesById(
      tx,
      places.map((place) => place.file_id),
    );
    return places.map((place) => ({ id: place.id, name: files.get(place.file_id)?.name ?? '' }));
  },
  async lay(tx, user, held, file) {
    const visibility = await placeSeen(tx, user, held.id, true);
    const { doc } = visibility;
    if (doc.attachments.length >= mostAttachments) throw tooManyAttachments();
    const fileId = await enterFor(tx, doc, user, file);
    await openPlace(tx, { documentId: doc.id, isBody: false, fileId, user });
    const after = await docs.set(tx, doc, { attachments: [...doc.attachments, fileId] });
    await keepEdit(tx, { before: doc, after, user });
    await seal(tx, doc, after);
    const [place] = await tx.select().from(documentFileTable).where(eq(documentFileTable.file_id, fileId));
    return heldOf(tx, { ...visibility, place: place! });
  },
});
