import { eq, inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import { isForGood } from '#kernel/contract/refusal.ts';
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

/** The stored results of reading files, by file; unread files are absent. */
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

/** Warnings of the parts of the body file that the finished document leaves out. */
export async function lossWarnings(tx: Db, fileId: number | null): Promise<string[]> {
  if (fileId === null) return [];
  const losses = (await bodiesOf(tx, [fileId])).get(fileId)?.losses ?? [];
  return losses.length > 0 ? [`正文文件与成品不同：${losses.join('；')}`] : [];
}

export async function keepRead(tx: Db, read: BodyRead | null): Promise<void> {
  if (read) await tx.insert(documentBodyTable).values(read).onConflictDoNothing();
}

/** Reads a file, unless its content is known. Throws the reason why it cannot be a body. */
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

/** Reads a sent body before the transaction begins; null if the user may not name the file, which the transaction will refuse. */
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

/** Refuses to pass on a body that was saved by an editor and not read yet, because nobody knows whether it can be set and what it asks for. */
export async function refuseUnread(tx: Db, fileId: number | null): Promise<void> {
  if (fileId === null || (await bodiesOf(tx, [fileId])).has(fileId)) return;
  throw bodyUnread((await fileById(tx, fileId))?.name ?? '文件');
}

const task = 'document_body';
/** Queues the reading of a body that came from an editor; does nothing if its content is known. */
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
        // An unreadable file stays unread; trying again would not help.
        if (isForGood(error)) return null;
        throw error;
      });
      await databases.write((tx) => keepRead(tx, read));
    },
  };
}
