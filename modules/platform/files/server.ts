import { eq } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { fileTooBig } from '#kernel/contract/upload.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileEnding } from '#kernel/server/files/file-name.ts';
import { implement, staged, type FileReply, type ServerModule } from '#kernel/server/http/implement.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import { createPlaces } from '#kernel/server/jobs/turns.ts';
import { allowedName } from '#kernel/server/files/upload.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import type { Services } from '#kernel/server/services.ts';
import {
  comingAtOnce,
  files,
  stillUsed,
  tooManyComing,
  unknownOwner,
  uploadBroken,
  type Progress,
} from './contract.ts';
import { admitted, aside, enter, type FileStore } from './store/store.ts';
import { checkRoom, dropLoose, takeRoom } from './store/loose.ts';
import type { Owners } from './read/owners.ts';
import { watermarkedCopy, wordsFor } from './marking/handing.ts';
import { watermarked, nameOfWatermarked, type Watermark } from './marking/marked.ts';
import { addPortion, cancelUpload, takePortion, uploadOf, type UploadRow } from './store/portions.ts';
import { previewOf, smallerOf, wholeFile, type FileRow } from './read/preview.ts';
import { readable, type Asked } from './read/reading.ts';
import { checkQuota, quotaOf, takeQuota, usageOf } from './quota.ts';
import { fileUrls, ruleOf } from './service.ts';
import { fileTable, uploadTable } from './tables.ts';

export interface FilesServices {
  owners: Owners;
  fileStore: FileStore;
  /** Missing if the machine has no office program. */
  toPdf: ToPdf | null;
  settings: Services['settings'];
}

/** Without its name: the record that takes it may be secret, and otherwise names its files itself. */
const toLog = ({ name, size, module }: Pick<UploadRow, 'name' | 'size' | 'module'>) => ({
  类型: fileEnding(name),
  大小: size,
  用途: module,
});

/** All strangers queue as one person. */
const strangers = 0;

export function filesModule({ owners, fileStore, toPdf, settings }: FilesServices): ServerModule {
  const ruleFor = (module: string) => {
    const rule = ruleOf(owners, module);
    if (!rule) throw unknownOwner(module);
    return rule;
  };
  const coming = createPlaces<number>(comingAtOnce, () => tooManyComing(comingAtOnce));
  const quota = async () => quotaOf(await settings.get('site'));
  const largest = async () => (await settings.get('site')).file_max_mb * 2 ** 20;

  const cardOf = (tx: Db, row: FileRow, user: { id: number }, now: Date) => ({
    ...row,
    ...fileUrls(tx, row, user, now),
  });
  const cardById = async (tx: Db, id: number, user: { id: number }, now: Date) => {
    const [row] = await tx.select().from(fileTable).where(eq(fileTable.id, id));
    return row ? cardOf(tx, row, user, now) : null;
  };
  const progressOf = async (tx: Db, row: UploadRow, user: { id: number }, now: Date): Promise<Progress> => ({
    upload_id: row.id,
    offset: row.come,
    size: row.size,
    file: row.file_id === null ? null : await cardById(tx, row.file_id, user, now),
  });

  /** The watermark for a reader, if the file requires one; else null. */
  const watermarkOf = async (file: FileRow, reader: number | null, { tx, now }: Asked): Promise<Watermark | null> => {
    if (reader === null) return null;
    const rule = ruleOf(owners, file.owner_module ?? '');
    const words = await wordsFor(tx, file, reader, { rule, settings, since: now });
    return words === null ? null : { words, by: reader };
  };

  return implement('files', files, {
    upload: staged(files.upload, {
      before: async ({ body, incoming }, { read, user }) => {
        const rule = ruleFor(body.module);
        const { name } = allowedName(incoming.name, rule.kinds);
        const most = await largest();
        if (body.size !== undefined && body.size > most) throw fileTooBig(most);
        await checkRoom(read, { userId: user.id, size: body.size ?? 0, largest: most });
        await checkQuota(read, { userId: user.id, size: body.size ?? 1, quota: await quota() });
        if (body.size !== undefined) return { name, most, size: body.size };
        const file = await coming(user.id, () =>
          aside(fileStore, incoming.stream, { most, name }, async (sent) => {
            if (sent.broken) throw uploadBroken();
            // Checked before the store receives it: a file refused afterwards would stay there for an hour.
            await checkRoom(read, { userId: user.id, size: sent.size, largest: most });
            await checkQuota(read, { userId: user.id, size: sent.size, quota: await quota() });
            return admitted(fileStore, sent, { name, rule, by: user.id });
          }),
        );
        return { name, most, file };
      },
      run: async ({ body, prepared }, { tx, user, now, audit }) => {
        const { file, most } = prepared;
        const by = { module: body.module, uploader_id: user.id };
        const name = file?.name ?? prepared.name;
        const size = file?.size ?? prepared.size ?? 0;
        await takeRoom(tx, { userId: user.id, size, largest: most });
        await takeQuota(tx, { userId: user.id, size, quota: await quota() });
        if (file) {
          const id = await enter(tx, file, by);
          audit({ type: '文件', id, after: toLog({ name, size, module: body.module }) });
          return { ...file, id, ...fileUrls(tx, { id, mime: file.mime }, user, now) };
        }
        const [row] = await tx
          .insert(uploadTable)
          .values({ ...by, name, size })
          .returning();
        audit({ type: '文件', after: { 上传编号: row!.id, ...toLog(row!) } });
        return progressOf(tx, row!, user, now);
      },
    }),
    usage: async (_asked, { tx, user }) => {
      const [used, most] = [await usageOf(tx, user.id), await quota()];
      // In whole megabytes, to reveal nothing about a single small file.
      const round = Math.floor(used.site / 2 ** 20) * 2 ** 20;
      const site = holds(user, 'Retrieve', 'system/site') ? { used: round, most: most.site } : null;
      return { own: { used: used.own, most: most.own }, site };
    },
    progress: async ({ params }, { tx, user, now }) =>
      progressOf(tx, await uploadOf(tx, params.id, user.id), user, now),
    append: staged(files.append, {
      before: async ({ params, query, incoming }, { read, user }) => {
        const row = await uploadOf(read, params.id, user.id);
        const sent = { offset: query.offset, content: incoming.stream, rule: ruleFor(row.module) };
        return { row, portion: await coming(user.id, () => takePortion(fileStore, row, sent)) };
      },
      run: async ({ prepared: { row, portion } }, { tx, user, now }) => {
        await addPortion(tx, fileStore, row, portion);
        return progressOf(tx, await uploadOf(tx, row.id, user.id), user, now);
      },
    }),
    cancel: async ({ params }, { tx, user, audit }) => {
      const row = await uploadOf(tx, params.id, user.id);
      await cancelUpload(tx, row);
      audit({ type: '文件', before: { 上传编号: row.id, ...toLog(row) } });
      return {};
    },
    discard: async ({ params }, { tx, user, audit }) => {
      const [row] = await tx.select().from(fileTable).where(eq(fileTable.id, params.id));
      if (row?.uploader_id !== user.id) throw absent('文件');
      if (!(await dropLoose(tx, row.id, user.id))) throw stillUsed(row.name);
      audit({ type: '文件', id: row.id, before: toLog(row) });
      return {};
    },
    download: async ({ params, query }, { tx, user, now }): Promise<FileReply> => {
      const asked = { fileId: params.id, address: query, tx, user, now };
      const { file, reader } = await readable(owners, asked);
      const mark = await watermarkOf(file, reader, asked);
      // The full photograph is only delivered by its own module, on request.
      const sent = file.shot ? await smallerOf(fileStore, file, 'large') : wholeFile(fileStore, file);
      if (mark === null) return { ...sent, name: file.name };
      const copy = await watermarkedCopy({ fileStore, toPdf }, file, mark);
      return { ...copy, name: nameOfWatermarked(file, copy) };
    },
    preview: async ({ params, query: { thumb, size, ...address } }, { tx, user, now }): Promise<FileReply> => {
      const asked = { fileId: params.id, address, tx, user, now };
      const { file, reader } = await readable(owners, asked);
      const smaller = thumb ? 'thumb' : (size ?? (file.shot ? 'large' : null));
      const shown = smaller
        ? await smallerOf(fileStore, file, smaller)
        : await previewOf(fileStore, toPdf, file, reader ?? strangers);
      const mark = await watermarkOf(file, reader, asked);
      return mark === null ? shown : watermarked(fileStore, file, shown, mark);
    },
  });
}
