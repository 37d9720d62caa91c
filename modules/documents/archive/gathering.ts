import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { filesById, type FileRow } from '#modules/files/service.ts';
import { deptNamesById, peopleById } from '#modules/people/service.ts';
import { handlingsOf } from '#modules/tickets/service.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';
import { archiveOf, type Archive } from './state.ts';

/** One step of the flow with names instead of numbers. */
export interface Step {
  state: string;
  who: string;
  dept: string;
  /** Who decided in their stead; empty where nobody did. */
  delegate: string;
  did: string;
  suggestion: string;
  arrived: string;
  handled: string | null;
  missed: boolean;
  corrected: { before: string; at: string } | null;
}

/** All that goes into the package of a document. */
export interface Gathered {
  doc: Stored;
  archive: Archive;
  creator: string;
  dept: string;
  issuer: string;
  archivist: string;
  files: ReadonlyMap<number, FileRow>;
  handlings: readonly Step[];
}

/** Reads what is packed; null where the document is not archived. */
export async function gather(tx: Db, documentId: number): Promise<Gathered | null> {
  const archive = await archiveOf(tx, documentId);
  const [doc] = await tx.select().from(documentTable).where(eq(documentTable.id, documentId));
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
  const files = await filesById(tx, wanted);
  return {
    doc,
    archive,
    creator: aliasOf(doc.creator_id),
    dept: (await deptNamesById(tx, doc.dept_id === null ? [] : [doc.dept_id])).get(doc.dept_id ?? 0) ?? '',
    issuer: aliasOf(doc.issuer),
    archivist: aliasOf(archive.archived_by),
    files,
    handlings: handlings.map((one) => ({
      state: one.state,
      who: aliasOf(one.assignee),
      dept: people.get(one.assignee)?.dept_name ?? '',
      delegate: aliasOf(one.delegate),
      did: one.did,
      suggestion: one.handled === null ? '' : one.suggestion,
      arrived: one.arrived,
      handled: one.handled,
      missed: one.missed,
      corrected: one.corrected,
    })),
  };
}
