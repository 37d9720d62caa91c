import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { giveMade, type Made } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { isBeingApproved } from '#modules/workflow/records/service.ts';
import {
  mostStrokes,
  pageMissing,
  tooManyStrokes,
  type Ink,
  type MarkedPaper,
  type NewStroke,
  type Stroke,
} from '../contract/files/marks.ts';
import { docs, type DocumentViewer } from '../record/record.ts';
import { isHandling } from '../record/rows.ts';
import { documentMarkedPaperTable as paperTable, documentStrokeTable as strokeTable } from '../tables/marks.ts';
import type { Stored } from '../visibility/visibility.ts';

export type Paper = typeof paperTable.$inferSelect;

/** True for people with a task on a document in review. */
export const mayMark = async (tx: Db, doc: Stored, viewer: DocumentViewer): Promise<boolean> =>
  isBeingApproved(doc) && isHandling(await docs.ticketActions(tx, viewer, doc));

/** The stored paper of a document with this digest; null if nobody drew on it. */
export async function keptPaper(tx: Db, doc: Pick<Stored, 'id'>, digest: string): Promise<Paper | null> {
  const one = and(eq(paperTable.document_id, doc.id), eq(paperTable.digest, digest));
  return (await tx.select().from(paperTable).where(one))[0] ?? null;
}

/** Stores a paper when somebody first draws on it. */
export async function keepPaper(
  tx: Db,
  doc: Stored,
  { digest, made, pages, by }: { digest: string; made: Made; pages: number; by: number },
): Promise<Paper> {
  const file_id = await giveMade(tx, made, {
    name: `批注版面 ${doc.title}`,
    module: 'documents',
    recordId: doc.id,
    by,
  });
  const [paper] = await tx
    .insert(paperTable)
    .values({ document_id: doc.id, digest: digest, file_id, pages })
    .returning();
  return paper!;
}

/** The marked papers of a document, the newest first, with their layers; `now` is the digest of the present pages. */
export async function markedPapers(tx: Db, doc: Stored, now: string): Promise<MarkedPaper[]> {
  const layers = await tx
    .select({
      paper: paperTable,
      user: strokeTable.user_id,
      strokes: sql<number>`count(*)::int`,
      pages: sql<number[]>`array_agg(distinct ${strokeTable.page} order by ${strokeTable.page})`,
      last_at: sql<string>`max(${strokeTable.gmt_created})`.mapWith(strokeTable.gmt_created),
    })
    .from(strokeTable)
    .innerJoin(paperTable, eq(paperTable.id, strokeTable.paper_id))
    .where(eq(paperTable.document_id, doc.id))
    .groupBy(paperTable.id, strokeTable.user_id)
    .orderBy(desc(paperTable.id), sql`min(${strokeTable.id})`);
  const people = await peopleById(
    tx,
    layers.map((layer) => layer.user),
  );
  const papers = new Map(layers.map(({ paper }) => [paper.id, paper]));
  return [...papers.values()].map(({ id, digest, gmt_created }) => ({
    digest: digest,
    current: digest === now,
    gmt_created,
    layers: layers
      .filter((layer) => layer.paper.id === id)
      .map(({ user, strokes, pages, last_at }) => ({ user_info: people.get(user)!, strokes, pages, last_at })),
  }));
}

/** A marked paper for the archive. */
export interface MarkedForArchive {
  file_id: number;
  layers: MarkedPaper['layers'];
  strokes: Stroke[];
}

/** All marks on a document for the archive, by paper, oldest first. */
export async function markedForArchive(tx: Db, doc: Stored): Promise<MarkedForArchive[]> {
  const found: MarkedForArchive[] = [];
  for (const { digest, layers } of (await markedPapers(tx, doc, '')).toReversed()) {
    const paper = (await keptPaper(tx, doc, digest))!;
    found.push({ file_id: paper.file_id, layers, strokes: await strokesOn(tx, paper, { id: 0 }) });
  }
  return found;
}

type Reader = Pick<Viewer, 'id'>;

/** All strokes on a paper in order, as a reader sees them. */
export async function strokesOn(tx: Db, paper: Pick<Paper, 'id'>, reader: Reader): Promise<Stroke[]> {
  const of = eq(strokeTable.paper_id, paper.id);
  const rows = await tx.select().from(strokeTable).where(of).orderBy(asc(strokeTable.id));
  return rows.map((row) => strokeOf(row, reader));
}
const strokeOf = (row: typeof strokeTable.$inferSelect, reader: Reader): Stroke => {
  const { id, user_id, page, ink, points } = row;
  return { id, user_id, mine: user_id === reader.id, page, ink: ink as Ink, points };
};

/** Adds strokes to a person's layer. Throws `pageMissing` and `tooManyStrokes`. */
export async function draw(
  tx: Db,
  paper: Paper,
  { user, strokes }: { user: Reader; strokes: readonly NewStroke[] },
): Promise<Stroke[]> {
  const beyond = strokes.find((stroke) => stroke.page > paper.pages);
  if (beyond) throw pageMissing(beyond.page);
  const own = and(eq(strokeTable.paper_id, paper.id), eq(strokeTable.user_id, user.id));
  if ((await tx.$count(strokeTable, own)) + strokes.length > mostStrokes) throw tooManyStrokes(mostStrokes);
  const rows = await tx
    .insert(strokeTable)
    .values(strokes.map((stroke) => ({ ...stroke, paper_id: paper.id, user_id: user.id })))
    .returning();
  return rows.map((row) => strokeOf(row, user)).toSorted((a, b) => a.id - b.id);
}

/** Removes a stroke of a person from a paper; false if it is not theirs. */
export async function erase(
  tx: Db,
  paper: Paper,
  { user, stroke }: { user: Reader; stroke: number },
): Promise<boolean> {
  const own = and(eq(strokeTable.id, stroke), eq(strokeTable.paper_id, paper.id), eq(strokeTable.user_id, user.id));
  return (await tx.delete(strokeTable).where(own).returning({ id: strokeTable.id })).length > 0;
}
