import type { Db } from '#kernel/server/db.ts';
import { appTokenTable } from './tables.ts';

/** Ends every application's key, for a secret that is lost; who had one is given another by a new token. */
export async function forgetTokenKeys(tx: Db): Promise<void> {
  await tx.update(appTokenTable).set({ key: '', active: false });
}
