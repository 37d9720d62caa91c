import type { Db } from '#kernel/server/db/db.ts';
import { filesById, type FileRow } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { handlingsOf, type Handling } from '#modules/workflow/tickets/service.ts';
import { markedForArchive, type MarkedForArchive } from '../marks/layers.ts';
import { docs } from '../record/record.ts';
import type { Stored } from '../visibility/visibility.ts';
import { archiveOf, type Archive } from './state.ts';

/** One step of the flow with names; `delegate` is the person who decided in the place of `who`, empty if nobody did. */
type Step = Omit<Handling, 'delegate'> & { who: string; dept: string; delegate: string };

/** The contents of a document's package. */
export interface Gathered {
  doc: Stored;
  archive: Archive;
  creator: string;
  dept: string;
  issuer: string;
  archivist: string;
  files: ReadonlyMap<number, FileRow>;
  handlings: readonly Step[];
  /** Handwritten marks by the pages they were drawn on, oldest first. */
  marked: readonly MarkedForArchive[];
}

/** Collects the contents of the package; null if the document is not archived. */
export async function gather(tx: Db, documentId: number): Promise<Gathered | null> {
  const archive = await archiveOf(tx, documentId);
  const doc = await docs.one(tx, documentId);
  if (!archive || !doc?.ticket_id) return null;
  const handlings = await handlingsOf(tx, doc.ticket_id);
  const people = await peopleById(tx, [
    doc.creator_id,
    archive.archived_by,
    ...(doc.issuer === null ? [] : [doc.issuer]),
    ...handlings.flatMap((one) => [one.assignee, ...(one.delegate === null ? [] : [one.delegate])]),
  ]);
  const aliasOf = (id: number | null) => people.get(id ?? 0)?.alias ?? '';
  const wanted = [doc.body_file, doc.final_file, ...doc.attachments].filter((one) => one !== null);
  const marked = await markedForArchive(tx, doc);
  const files = await filesById(tx, [...wanted, ...marked.map((one) => one.file_id)]);
  return {
    doc,
    archive,
    creator: aliasOf(doc.creator_id),
    dept: (await deptNamesById(tx, doc.dept_id === null ? [] : [doc.dept_id])).get(doc.dept_id ?? 0) ?? '',
    issuer: aliasOf(doc.issuer),
    archivist: aliasOf(archive.archived_by),
    files,
    marked,
    handlings: handlings.map((one) => ({
      ...one,
      who: aliasOf(one.assignee),
      dept: people.get(one.assignee)?.dept_name ?? '',
      delegate: aliasOf(one.delegate),
      suggestion: one.handled === null ? '' : one.suggestion,
    })),
  };
}
