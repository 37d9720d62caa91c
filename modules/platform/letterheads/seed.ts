import type { Db } from '#kernel/server/db/db.ts';
import { redheadTable } from './tables.ts';

/** The first letterhead of an organisation that has none: the issuer's name, and 文件. Deleted ones do not come back. */
export async function seedLetterheads(tx: Db): Promise<void> {
  if ((await tx.$count(redheadTable)) > 0) return;
  await tx.insert(redheadTable).values({ name: '本单位文件', colour: '#e60012', is_default: true });
}
