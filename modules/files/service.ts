import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db.ts';
import type { Viewer } from '#kernel/server/viewer.ts';
import { fileTable } from './tables.ts';

export const fileNotYours = refusal(codes.refused, () => '附件不存在或已被使用，请重新上传');

export interface Attachment {
  fileId: number;
  module: string;
  recordId: number | string;
  user: Pick<Viewer, 'id'>;
  /** Seen without signing in. */
  open?: boolean;
}

/** Gives an upload to a record: only a free one of the person who saves, or one the record already has. */
export async function attach(tx: Db, { fileId, module, recordId, user, open = false }: Attachment): Promise<void> {
  const mine = and(isNull(fileTable.ownerModule), eq(fileTable.uploaderId, user.id));
  const had = and(eq(fileTable.ownerModule, module), eq(fileTable.ownerId, String(recordId)));
  const rows = await tx
    .update(fileTable)
    .set({ ownerModule: module, ownerId: String(recordId), open: open || sql`${fileTable.open}` })
    .where(and(eq(fileTable.id, fileId), or(mine, had)))
    .returning({ id: fileTable.id });
  if (rows.length === 0) throw fileNotYours();
}

/** Where a file is read. */
export async function fileUrl(_tx: Db, file: { id: number; open?: boolean }): Promise<string> {
  return `/api/file/${file.id}/`;
}
