import { and } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { retentions, type Archive } from '../contract/archived.ts';
import { secretLevel } from '../contract/shapes.ts';
import { docs } from '../record/record.ts';
import { isOffice } from '../visibility/office.ts';
import type { Stored } from '../visibility/visibility.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { archiveOf } from './state.ts';

/** The owner module of package files in `files`. */
export const packageModule = 'documents/archive';

/** True if the user may download the package: the office, for documents that it sees. */
export async function seesPackage(user: Viewer, file: { id: number; recordId: string }, tx: Db): Promise<boolean> {
  if (!isOffice(user)) return false;
  const id = Number(file.recordId);
  const open = and(docs.definition.named, docs.alive, docs.inside(tx, await docs.viewerOf(tx, user)));
  return (await archiveOf(tx, id))?.package_id === file.id && (await docs.one(tx, id, open)) !== undefined;
}

/** The archive facts of a document, with the package file for the office. */
export async function archiveShown(tx: Db, doc: Stored, user: Viewer): Promise<Archive | null> {
  const archive = await archiveOf(tx, doc.id);
  if (!archive) return null;
  const by = (await peopleById(tx, [archive.archived_by])).get(archive.archived_by);
  const { package_id: packageId } = archive;
  const shown = packageId !== null && isOffice(user) && doc.secret_level === secretLevel.none;
  const files = await fileCards(tx, shown ? [packageId] : [], user);
  return {
    retention: archive.retention,
    retention_name: retentions[archive.retention as 1],
    archive_no: archive.archive_no,
    archived_by: by?.alias ?? '',
    archived_at: archive.archived_at,
    ready: packageId !== null,
    package: files.get(packageId ?? 0) ?? null,
  };
}
