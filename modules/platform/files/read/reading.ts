import { desc, lte } from 'drizzle-orm';
import { absent, signedOut } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Address } from './address.ts';
import type { Owners } from './owners.ts';
import type { FileRow } from './preview.ts';
import { ruleOf } from '../service.ts';
import { fileTable } from '../tables.ts';

export interface Asked {
  fileId: number;
  address: Address;
  tx: Db;
  user: Viewer | null;
  now: Date;
}

/**
 * Returns the file if the viewer may see it (public, their own unattached upload, or by its record's rule), and the reader: the signed-in person, or
 * the address's user, with present rights. Throws `absent`, for strangers `signedOut`.
 */
export async function readable(owners: Owners, asked: Asked): Promise<{ file: FileRow; reader: number | null }> {
  const { fileId, address, tx, user, now } = asked;
  // For a missing file a neighbouring one is checked instead, so that the reply takes as long.
  const [near] = await tx
    .select()
    .from(fileTable)
    .where(lte(fileTable.id, fileId))
    .orderBy(desc(fileTable.id))
    .limit(1);
  const holder = tx.services.signer.holder(fileId, address, now);
  const reader = user ?? (holder === null ? null : await tx.services.identity.ofPerson(holder));
  const may = near && (near.is_public || (reader !== null && (await sees(owners, near, reader, tx))));
  if (!may || near.id !== fileId) throw user ? absent('文件') : signedOut();
  return { file: near, reader: reader?.id ?? null };
}

async function sees(owners: Owners, row: FileRow, user: Viewer, tx: Db): Promise<boolean> {
  if (row.owner_module === null || row.owner_id === null) return row.uploader_id === user.id;
  const rule = ruleOf(owners, row.owner_module);
  return rule !== undefined && rule.may(user, { id: row.id, recordId: row.owner_id }, tx);
}
