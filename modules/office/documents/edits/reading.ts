import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { bodiesOf } from '../bodies/known.ts';
import type { Edit } from '../contract/files/edits.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentEditTable } from '../tables/edits.ts';
import type { Source } from './source.ts';

const max = 100;
type Row = typeof documentEditTable.$inferSelect;

async function editsOf(tx: Db, doc: Stored, own: boolean): Promise<Row[]> {
  // The author's changes before sending are visible only to the author.
  const sent = own ? undefined : isNotNull(documentEditTable.sent_at);
  const rows = await tx
    .select()
    .from(documentEditTable)
    .where(and(eq(documentEditTable.document_id, doc.id), sent))
    .orderBy(desc(documentEditTable.id))
    .limit(max);
  return rows.toReversed();
}

/** The changes of a document visible to a person, oldest first, and the versions of its body since sending. */
export async function changesOf(
  tx: Db,
  doc: Stored,
  user: { id: number },
): Promise<{ edits: Edit[]; versions: Source[]; unread: boolean }> {
  const rows = await editsOf(tx, doc, doc.creator_id === user.id);
  let count = 0;
  const numbered = rows.map((row) => ({ row, no: row.sent_at === null ? null : (count += 1) }));
  const people = await peopleById(
    tx,
    rows.map((row) => row.editor_id),
  );
  const edits = numbered.map(({ row, no }): Edit => ({
    id: row.id,
    no,
    editor_info: people.get(row.editor_id)!,
    state: row.state,
    fields: row.fields,
    gmt_created: row.gmt_created,
  }));
  const bodies = numbered.filter(({ row, no }) => no !== null && row.body_html !== null);
  if (bodies.length === 0) return { edits, versions: [], unread: false };
  // Each row holds the body before its change; the body after it is in the next row, or in the document.
  const texts = [
    ...bodies.map(({ row }) => ({ html: row.body_html ?? '', file: row.body_file })),
    { html: doc.body_html, file: doc.body_file },
  ];
  const read = await bodiesOf(
    tx,
    texts.flatMap((one) => one.file ?? []),
  );
  const versions = texts.flatMap(({ html, file }, index): Source[] => {
    const words = file === null ? null : read.get(file)?.words;
    return words === undefined ? [] : [{ html, words, no: index === 0 ? null : bodies[index - 1]!.no }];
  });
  return { edits, versions, unread: versions.length < texts.length };
}
