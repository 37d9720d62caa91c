import { ne } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { appTokenTable } from './tables.ts';

/** Ends every application's key, for a secret that is lost; who had one is given another by a new token. Answers how many there were. */
export async function forgetTokenKeys(tx: Db): Promise<number> {
  const { rowCount } = await tx.update(appTokenTable).set({ key: '', status: false }).where(ne(appTokenTable.key, ''));
  return rowCount ?? 0;
}
