import { createHash } from 'node:crypto';
import { and, count, eq, getTableColumns, isNull } from 'drizzle-orm';
import { absent, signedOut } from '#kernel/contract/refusal.ts';
import { fileKinds, fileNotAllowed, type FileKind } from '#kernel/contract/upload.ts';
import type { Db } from '#kernel/server/db.ts';
import { cleanFileName, fileEnding } from '#kernel/server/file-name.ts';
import { acceptImage } from '#kernel/server/image.ts';
import { implement, staged, type FileReply, type ServerModule, type UploadedFile } from '#kernel/server/implement.ts';
import { acceptFile } from '#kernel/server/upload.ts';
import type { Viewer } from '#kernel/server/viewer.ts';
import type { Address, Signer } from './address.ts';
import { files, maxUpload, notPreviewable, tooManyLoose, unknownOwner } from './contract.ts';
import type { OwnerRule, Owners } from './owners.ts';
import { fileUrl, ruleOf } from './service.ts';
import { fileTable } from './tables.ts';

const maxLoose = 100;
const images: readonly FileKind[] = ['png', 'jpg', 'webp', 'gif'];
/** Types a browser may show beside the application; anything else is only ever a download. */
const shown = new Set(['image/webp', 'image/png', 'application/pdf', 'text/plain']);

export function filesModule({ owners, signer }: { owners: Owners; signer: Signer }): ServerModule {
  const open = async (asked: Asked) => {
    const file = await readable(owners, signer, asked);
    if (!file) throw asked.user ? absent('文件') : signedOut();
    return file;
  };
  return implement('files', files, {
    upload: staged(files.upload, {
      before: async ({ body, file }) => {
        const rule = ruleOf(owners, body.module);
        if (!rule) throw unknownOwner(body.module);
        return accepted(file, rule);
      },
      run: async ({ body, prepared }, { tx, user, now, audit }) => {
        const loose = and(eq(fileTable.uploaderId, user.id), isNull(fileTable.ownerModule));
        const [kept] = await tx.select({ n: count() }).from(fileTable).where(loose);
        if ((kept?.n ?? 0) >= maxLoose) throw tooManyLoose(maxLoose);
        const { content, name, ext, mime } = prepared;
        const sha256 = createHash('sha256').update(content).digest('hex');
        const card = { name, ext, mime, size: content.length, sha256 };
        const [row] = await tx
          .insert(fileTable)
          .values({ ...card, content, module: body.module, uploaderId: user.id })
          .returning({ id: fileTable.id });
        audit({
          type: '文件',
          id: row!.id,
          title: name,
          after: { 文件名: name, 大小: content.length, 用途: body.module },
        });
        return { ...card, id: row!.id, url: fileUrl(signer, row!.id, user, now) };
      },
    }),
    download: async ({ params, query }, { tx, user, now }): Promise<FileReply> => {
      const file = await open({ fileId: params.id, address: query, tx, user, now });
      return { type: file.mime, bytes: file.content, size: file.size, name: file.name };
    },
    preview: async ({ params, query }, { tx, user, now }): Promise<FileReply> => {
      const file = await open({ fileId: params.id, address: query, tx, user, now });
      if (!shown.has(file.mime)) throw notPreviewable(file.name);
      const type = file.mime.startsWith('text/') ? `${file.mime}; charset=utf-8` : file.mime;
      return { type, bytes: file.content, size: file.size };
    },
  });
}

async function accepted(file: UploadedFile, rule: OwnerRule) {
  const name = cleanFileName(file.name);
  const kind = fileKinds.find((known) => known === fileEnding(name));
  if (!kind || !rule.kinds.includes(kind)) throw fileNotAllowed(name, rule.kinds);
  if (!images.includes(kind)) return { ...(await acceptFile(file.bytes, file.name, rule.kinds)), content: file.bytes };
  const { bytes, ext, mime } = await acceptImage(file.bytes, { maxBytes: maxUpload, size: rule.imageSize });
  return { content: bytes, ext, mime, name: cleanFileName(`${name.replace(/\.[^.]*$/, '')}.${ext}`) };
}

interface Asked {
  fileId: number;
  address: Address;
  tx: Db;
  user: Viewer | null;
  now: Date;
}

/** The file where the viewer may see it: public, addressed to them, their own loose upload, or by its record's rule. */
async function readable(owners: Owners, signer: Signer, { fileId, address, tx, user, now }: Asked) {
  const [row] = await tx.select(head).from(fileTable).where(eq(fileTable.id, fileId));
  if (!row) return null;
  const may =
    row.open ||
    addressed(signer.holder(fileId, address, now), user) ||
    (user !== null && (await sees(owners, row, user, tx)));
  if (!may) return null;
  const [file] = await tx.select().from(fileTable).where(eq(fileTable.id, fileId));
  return file ?? null;
}

const { content: _content, ...head } = getTableColumns(fileTable);
type Head = Omit<typeof fileTable.$inferSelect, 'content'>;

/** Somebody signed in may not use an address made for another. */
const addressed = (holder: number | null, user: Viewer | null) => holder !== null && (!user || user.id === holder);

async function sees(owners: Owners, row: Head, user: Viewer, tx: Db): Promise<boolean> {
  if (row.ownerModule === null || row.ownerId === null) return row.uploaderId === user.id;
  const rule = ruleOf(owners, row.ownerModule);
  return rule !== undefined && rule.may(user, { id: row.id, recordId: row.ownerId }, tx);
}
