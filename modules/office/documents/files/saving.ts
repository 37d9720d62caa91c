import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { fileById } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { fileFrozen, keptAsReceived, savedMeanwhile } from '../contract/files/file-refusals.ts';
import { refuseForbiddenSecret } from '../rules/facts.ts';
import { keepsAsReceived } from '../rules/registering.ts';
import { refuseRecipient } from '../visibility/visibility.ts';
import { documentFileVersionTable } from '../tables/files.ts';
import { placeSeen, type PlaceSeen } from './held.ts';
import { checkLock } from './locks.ts';
import type { Place } from './places.ts';

export interface Saving {
  user: Viewer;
  now: Date;
  /** The version the change is based on; unchecked if absent. */
  versionNo: number | undefined;
}
export type Writable = PlaceSeen & { name: string; ext: string };

/** A place into which this person may save; with `lock`, it is locked, in no editor, and unchanged. Throws the reason otherwise. */
export async function writablePlace(tx: Db, id: number, saving: Saving, lock: boolean): Promise<Writable> {
  const { user, now, versionNo } = saving;
  const visibility = await placeSeen(tx, user, id, lock);
  const { doc, place, mayWrite } = visibility;
  await refuseRecipient(tx, visibility.viewer, doc.id, '更换公文文件');
  await refuseForbiddenSecret(tx, doc);
  const { name, ext } = (await fileById(tx, place.file_id))!;
  if (!mayWrite && keepsAsReceived(doc, user)) throw keptAsReceived();
  if (!mayWrite) throw fileFrozen(name, actState.label(doc.act_state));
  await checkLock(tx, place, user, now);
  if (versionNo !== undefined && versionNo !== place.version_no)
    throw savedMeanwhile(name, await editorOf(tx, place), place.version_no);
  return { ...visibility, name, ext };
}

async function editorOf(tx: Db, place: Place): Promise<string> {
  const { document_file_id: documentFileId, version_no: versionNo, editor: editorId } = documentFileVersionTable;
  const [row] = await tx
    .select({ editorId })
    .from(documentFileVersionTable)
    .where(and(eq(documentFileId, place.id), eq(versionNo, place.version_no)));
  return (row && (await peopleById(tx, [row.editorId])).get(row.editorId)?.alias) ?? '他人';
}
