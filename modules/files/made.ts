import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { cleanFileName } from '#kernel/server/file-name.ts';
import type { Db } from '#kernel/server/db.ts';
import type { ToPdf } from '#kernel/server/office-pdf.ts';
import { keep, keyOf, type Content } from './content.ts';
import { enter, type Shelf } from './keeping.ts';
import { previewOf, type FileRow } from './preview.ts';
import { fileTable } from './tables.ts';

/** A file that the product itself made, not yet of any record. */
export interface Made extends Content {
  ext: string;
  mime: string;
}

/** Brings bytes that the product made into the store; no record refers to them yet. */
export async function keepMade(shelf: Shelf, bytes: Buffer, kind: { ext: string; mime: string }): Promise<Made> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const made = { sha256, size: bytes.length, open: () => Readable.from([bytes]), ...kind };
  await keep(shelf, made);
  return made;
}

/** Gives a record a file that was made; answers its id. */
export async function giveMade(
  tx: Db,
  made: Made,
  { name, module, recordId, by }: { name: string; module: string; recordId: number; by: number },
): Promise<number> {
  const id = await enter(
    tx,
    { ...made, name: cleanFileName(`${name}.${made.ext}`), thumb: null },
    { module, uploaderId: by },
  );
  await tx
    .update(fileTable)
    .set({ ownerModule: module, ownerId: String(recordId) })
    .where(eq(fileTable.id, id));
  return id;
}

export async function fileById(tx: Db, id: number): Promise<FileRow | null> {
  const [row] = await tx.select().from(fileTable).where(eq(fileTable.id, id));
  return row ?? null;
}

/** The bytes of a kept file. Fails where the store has lost them. */
export async function bytesOf(shelf: Pick<Shelf, 'store'>, file: Pick<FileRow, 'sha256'>): Promise<Buffer> {
  const stream = await shelf.store.get(keyOf(file.sha256));
  if (!stream) throw new Error(`the store has lost ${file.sha256}`);
  return buffer(stream);
}

/** A file as a PDF: itself, or what the office program makes of it; as it is where there is neither. */
export async function asPdf(shelf: Shelf, toPdf: ToPdf | null, file: FileRow): Promise<Made> {
  const same = { ...file, open: () => Readable.from([]) };
  if (file.mime === 'application/pdf' || !toPdf) return same;
  const { bytes } = await previewOf(shelf, toPdf, file).catch(() => ({ bytes: null }));
  if (typeof bytes !== 'function') return same;
  return keepMade(shelf, await buffer(await bytes()), { ext: 'pdf', mime: 'application/pdf' });
}
