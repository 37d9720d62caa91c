import { eq, inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import { Refusal } from '#kernel/contract/refusal.ts';
import { fileById, filesById, type FileRow } from '#modules/platform/files/service.ts';
import { bodyUnread } from '../contract/files/file-refusals.ts';
import { documentBodyTable } from '../tables/bodies.ts';
import { takeBody, type BodyReading, type BodyServices, type Taken } from './taking.ts';

export type KnownBody = typeof documentBodyTable.$inferSelect;
export type BodyRead = Omit<KnownBody, 'gmt_created'>;

const wayOf = { text: 1, pages: 2, apart: 3 } as const;
const readOf = (sha256: string, taken: Taken): BodyRead => ({
  sha256,
  way: wayOf[taken.kind],
  words: taken.words,
  pages: taken.kind === 'text' ? null : taken.pages,
  losses: taken.losses,
});

/** What is known of the content of files, by file; of those that were read. */
export async function bodiesOf(tx: Db, fileIds: readonly number[]): Promise<Map<number, KnownBody>> {
  if (fileIds.length === 0) return new Map();
  const files = await filesById(tx, fileIds);
  const contents = [...files.values()].map((file) => file.sha256);
  const rows = await tx.select().from(documentBodyTable).where(inArray(documentBodyTable.sha256, contents));
  const bodies = new Map(rows.map((row) => [row.sha256, row]));
  return new Map(
    [...files.values()].flatMap(({ id, sha256 }) => {
      const body = bodies.get(sha256);
      return body ? [[id, body] as const] : [];
    }),
  );
}

/** What the finished document does not hold of its body file, for whoever reads it. */
export async function lossWarnings(tx: Db, fileId: number | null): Promise<string[]> {
  if (fileId === null) return [];
  const losses = (await bodiesOf(tx, [fileId])).get(fileId)?.losses ?? [];
  return losses.length > 0 ? [`正文文件与成品不同：${losses.join('；')}`] : [];
}

export async function keepRead(tx: Db, read: BodyRead | null): Promise<void> {
  if (read) await tx.insert(documentBodyTable).values(read).onConflictDoNothing();
}

/** Reads a content that is not known yet; what is known is answered as it was read. Throws what keeps it from being a body. */
export async function readFile(
  services: BodyReading,
  read: Db,
  file: Pick<FileRow, 'name' | 'ext' | 'mime' | 'size' | 'sha256'>,
  field?: string,
): Promise<BodyRead> {
  const [known] = await read.select().from(documentBodyTable).where(eq(documentBodyTable.sha256, file.sha256));
  if (known) return known;
  return readOf(file.sha256, await takeBody(services, file as FileRow, field));
}

/** What a person sent as a body, read before a transaction begins; null where it is not theirs to name, which the transaction refuses. */
export async function readSent(
  services: BodyServices,
  read: Db,
  { fileId, user, field }: { fileId: number | null | undefined; user: { id: number }; field?: string },
): Promise<BodyRead | null> {
  if (!fileId) return null;
  const file = await fileById(read, fileId);
  return file && file.uploader_id === user.id && file.module === 'documents'
    ? readFile({ ...services, by: user.id }, read, file, field)
    : null;
}

/** Nobody passes on a body that was not read since an editor saved it: what it asks for, and whether it can be set at all, is not known yet. */
export async function refuseUnread(tx: Db, fileId: number | null): Promise<void> {
  if (fileId === null || (await bodiesOf(tx, [fileId])).has(fileId)) return;
  throw bodyUnread((await fileById(tx, fileId))?.name ?? '文件');
}

const task = 'document_body';
/** Has a body read that came where there was no time for it: from an editor. Nothing where it is known. */
export async function readLater(tx: Db, fileId: number): Promise<void> {
  const known = await bodiesOf(tx, [fileId]);
  if (!known.has(fileId)) await enqueue(tx, task, { id: fileId }, { key: `${task}-${fileId}` });
}

export function bodyTask(services: BodyServices & { databases: Pick<Databases, 'fresh' | 'write'> }): Task {
  const { databases } = services;
  return {
    name: task,
    title: '读取正文文件',
    async run(payload) {
      const file = await fileById(databases.fresh, (payload as { id: number }).id);
      if (!file) return;
      const read = await readFile({ ...services, by: 'house' }, databases.fresh, file).catch((error: unknown) => {
        // What cannot be read stays unread: it will not be readable by and by.
        if (error instanceof Refusal) return null;
        throw error;
      });
      await databases.write((tx) => keepRead(tx, read));
    },
  };
}
