import type { Db } from '#kernel/server/db/db.ts';
import { redheadTable } from './tables.ts';

/** The head of a house that has made none yet: the name of whoever issues, and 文件. What was deleted does not come back. */
export async function seedLetterheads(tx: Db): Promise<void> {
  if ((await tx.$count(redheadTable)) > 0) return;
  await tx.insert(redheadTable).values({ name: '本单位文件', colour: '#e60012', is_default: true });
}
