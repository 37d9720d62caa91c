import { eq } from 'drizzle-orm';
import { notify } from '#kernel/server/live/bus.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import type { Interfaces } from './contract/interfaces.ts';
import { secretsIn, withoutSecrets } from './secrets.ts';
import { settingTable } from '#kernel/server/db/tables.ts';

const key = 'secret';
const known = eq(settingTable.key, key);

const markOf = (box: SecretBox) => box.keyedHash('the secret of this database');

/** The index of the box whose secret sealed the stored values; -1 for none of them, null if the database knows no secret. */
export async function ownAmong(tx: Db, boxes: readonly SecretBox[]): Promise<number | null> {
  const [row] = await tx.select().from(settingTable).where(known);
  return row ? boxes.map(markOf).indexOf(row.value['mark'] as string) : null;
}

/** True if this database's values were sealed with this box's secret; a database without a known secret adopts it. */
export async function isOwnSecret(tx: Db, box: SecretBox): Promise<boolean> {
  const mark = markOf(box);
  await tx.insert(settingTable).values({ key, value: { mark } }).onConflictDoNothing();
  const [row] = await tx.select().from(settingTable).where(known);
  return row?.value['mark'] === mark;
}

/**
 * The next node to start sets the new secret; values in the settings sealed with the old one are deleted. Returns how many passwords and keys there
 * were.
 */
export async function forgetSecret(tx: Db): Promise<number> {
  await tx.delete(settingTable).where(known);
  const kept = eq(settingTable.key, 'interface');
  const [row] = await tx.select().from(settingTable).where(kept);
  if (!row) return 0;
  const before = row.value as Interfaces;
  await tx
    .update(settingTable)
    .set({ value: withoutSecrets(before) })
    .where(kept);
  await notify(tx, 'settings', 'interface');
  return secretsIn(before);
}
