import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import { ZipFile } from 'yazl';
import { holdFailure } from '#kernel/server/process/held-failure.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { sizeText } from '#kernel/contract/upload.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import { contentLost } from '#modules/platform/files/contract.ts';
import { filesById, plainName, streamOf, watermarked, wholeFile } from '#modules/platform/files/service.ts';
import { mostZippedBytes } from './contract/codes.ts';
import { consentMissing, zipTooBig } from './contract/refusals.ts';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import type { Work } from './gallery/reading.ts';
import { consented, photoRows } from './gallery/rows.ts';
import { shownTo } from './gallery/visible.ts';

/** Streams photos of the gallery as a zip; each is checked once more when its turn comes, and one whose content the store has lost is named. */
export async function zipped({ tx, user, now, audit, services }: Work, ids: readonly number[]): Promise<FileReply> {
  const { fileStore, databases } = services;
  const asked = sql`photo.id = any(${sql.param([...ids])}::int[])`;
  const rows = await photoRows(tx, user, { where: sql`${asked} and ${shownTo(user)}`, limit: ids.length });
  if (rows.length < new Set(ids).size) throw absent('所选照片');
  const barred = rows.filter((row) => !row.consented);
  if (barred.length > 0) throw consentMissing(barred.slice(0, 5).map((row) => row.title));
  const size = rows.reduce((sum, row) => sum + row.size, 0);
  if (size > mostZippedBytes) throw zipTooBig(sizeText(size), sizeText(mostZippedBytes));
  const { rows: kept } = await tx.execute<{ id: number; file_id: number; watermark: boolean }>(sql`
    select photo.id, photo.file_id, c.watermark from photo join photo_category c on c.id = photo.category_id where ${asked}`);
  const files = await filesById(
    tx,
    kept.map((one) => one.file_id),
  );
  await tx.execute(sql`update photo set download_count = download_count + 1 where ${asked}`);
  audit({
    type: '照片',
    title: `${rows.length} 张照片`,
    after: { 下载: rows.map((row) => row.title).slice(0, 20), 张数: rows.length },
  });

  const words = `${user.alias} ${user.username} ${dayOf(now)}`;
  const still = sql`${shownTo(user)} and ${consented}`;
  const open = async ({ file_id, watermark }: (typeof kept)[number]): Promise<Readable> => {
    const file = files.get(file_id)!;
    if (!watermark) return streamOf(fileStore, file);
    const { bytes } = await watermarked(fileStore, file, wholeFile(fileStore, file), { words, by: user.id });
    return Readable.from([bytes as Buffer]);
  };
  const fill = async (zip: ZipFile, out: Readable) => {
    const lines: string[] = [];
    for (const row of rows) {
      const { rows: shown } = await databases.fresh.execute(
        sql`select from photo where photo.id = ${row.id} and ${still}`,
      );
      const credit = `《${row.title}》 摄影：${row.photographer}（${row.dept_name}） ${row.shot_at.slice(0, 10)}`;
      if (shown.length === 0) {
        lines.push(`${credit}：打包时已下架，没有放入`);
        continue;
      }
      const one = kept.find(({ id }) => id === row.id)!;
      const bytes = await open(one).catch((error: unknown) => {
        if (error instanceof Refusal && error.code === contentLost.code) return null;
        throw error;
      });
      if (!bytes) {
        lines.push(`${credit}：内容已不在服务器的存储中，没有放入`);
        continue;
      }
      lines.push(credit);
      const name = `${String(lines.length).padStart(3, '0')} ${plainName(row.title)}.jpg`;
      zip.addReadStream(bytes, name, { mtime: now, compress: false });
      const left = () => bytes.destroy();
      out.once('close', left);
      await finished(bytes);
      out.off('close', left);
    }
    zip.addBuffer(Buffer.from(lines.join('\r\n')), '署名.txt', { mtime: now });
    zip.end();
  };
  const bytes = async () => {
    const zip = new ZipFile();
    const out = holdFailure(zip.outputStream as Readable);
    // An aborted download closes the archive and the file being read.
    fill(zip, out).catch((error: Error) => out.destroy(error));
    return out;
  };
  return { type: 'application/zip', bytes, name: `照片 ${rows.length} 张.zip` };
}
