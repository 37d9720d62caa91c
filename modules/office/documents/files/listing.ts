import { and, asc, desc, eq, isNull } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById, type PersonCard } from '#modules/platform/people/service.ts';
import type { DocumentFile, FileVersion } from '../contract/files/files.ts';
import { secretLevel } from '../contract/shapes.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentFileTable, documentFileVersionTable } from '../tables/files.ts';
import { locksOn } from './locks.ts';
import type { Place } from './places.ts';

export interface Reading {
  user: { id: number };
  now: Date;
}

/** Kinds of file that an editor can open. */
const openable = new Set(['docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt', 'pdf', 'ofd', 'txt', 'csv']);
const nobody = (id: number): PersonCard => ({ id, username: '', alias: '', dept_id: null, dept_name: '' });

/**
 * All files of a document with their versions: the body, the attachments in order, then removed ones. Without `past` only the present
 * files, without versions and editors.
 */
export async function filesOf(
  tx: Db,
  doc: Stored,
  { user, now }: Reading,
  { mayWrite, past }: { mayWrite: (place: Place) => boolean; past: boolean },
): Promise<DocumentFile[]> {
  const { document_id: documentId, removed_at: removed } = documentFileTable;
  const places = await tx
    .select()
    .from(documentFileTable)
    .where(and(eq(documentId, doc.id), past ? undefined : isNull(removed)))
    .orderBy(asc(documentFileTable.id));
  const rows = past ? await versionsOf(tx, doc) : [];
  const locks = past ? await locksOn(tx, doc.id, now) : new Map<number, never>();
  const cards = await fileCards(
    tx,
    [...places, ...rows].map((row) => row.file_id),
    user,
  );
  const people = await peopleById(tx, [
    ...rows.map((row) => row.editor),
    ...[...locks.values()].map((lock) => lock.userId),
  ]);
  const person = (id: number) => people.get(id) ?? nobody(id);
  const shown = (row: typeof documentFileVersionTable.$inferSelect): FileVersion => ({
    version_no: row.version_no,
    file: cards.get(row.file_id)!,
    editor: person(row.editor).username,
    editor_info: person(row.editor),
    reason: row.reason,
    sha256: row.sha256,
    gmt_created: row.gmt_created,
  });
  const actionsOf = (place: Place, ext: string) => {
    if (place.removed_at !== null) return [];
    const open = doc.secret_level === secretLevel.none && openable.has(ext);
    const write = mayWrite(place);
    return [...(write ? ['upload'] : []), ...(open ? ['open'] : []), ...(open && write ? ['edit'] : [])];
  };
  const files = places.map((place): DocumentFile => {
    const file = cards.get(place.file_id)!;
    const lock = locks.get(place.id);
    return {
      id: place.id,
      kind: place.is_body ? 'body' : 'attachment',
      name: file.name,
      file,
      version_no: place.version_no,
      versions: rows.filter((row) => row.document_file_id === place.id).map(shown),
      removed_at: place.removed_at,
      lock: lock
        ? {
            by: person(lock.userId).username,
            by_info: person(lock.userId),
            until: lock.until,
            mine: lock.userId === user.id,
          }
        : null,
      actions: actionsOf(place, file.ext),
    };
  });
  const order = ({ removed_at, kind, file }: DocumentFile) =>
    removed_at !== null ? Infinity : kind === 'body' ? -1 : doc.attachments.indexOf(file.id);
  return files.toSorted((a, b) => (order(a) === order(b) ? a.id - b.id : order(a) - order(b)));
}

/** All versions in the places of a document, the newest first. */
async function versionsOf(tx: Db, { id }: Stored) {
  const rows = await tx
    .select({ version: documentFileVersionTable })
    .from(documentFileVersionTable)
    .innerJoin(documentFileTable, eq(documentFileTable.id, documentFileVersionTable.document_file_id))
    .where(eq(documentFileTable.document_id, id))
    .orderBy(desc(documentFileVersionTable.version_no));
  return rows.map((row) => row.version);
}

/** One version of a place in the shape of the answer. */
export async function versionOf(
  tx: Db,
  doc: Stored,
  place: Pick<Place, 'id' | 'version_no'>,
  reading: Reading,
): Promise<FileVersion> {
  const file = (await filesOf(tx, doc, reading, { mayWrite: () => false, past: true })).find(
    (one) => one.id === place.id,
  );
  return file!.versions.find((one) => one.version_no === place.version_no)!;
}
