import { eq } from 'drizzle-orm';
import { notify } from '#kernel/server/bus.ts';
import type { Db } from '#kernel/server/db.ts';
import type { SecretBox } from '#kernel/server/secret-box.ts';
import type { Interfaces } from './contract/interfaces.ts';
import { withoutSecrets } from './secrets.ts';
import { settingTable } from './tables.ts';

const key = 'secret';
const known = eq(settingTable.key, key);

/** Whether this database's sealed values are of this box's secret; a database that knows none takes this one for its own. */
export async function isOwnSecret(tx: Db, box: SecretBox): Promise<boolean> {
  const mark = box.mark('the secret of this database');
  await tx.insert(settingTable).values({ key, value: { mark } }).onConflictDoNothing();
  const [row] = await tx.select().from(settingTable).where(known);
  return row?.value['mark'] === mark;
}

/** The next node to start brings the secret that holds from then on; what older ones sealed in settings is gone. */
export async function forgetSecret(tx: Db): Promise<void> {
  await tx.delete(settingTable).where(known);
  const kept = eq(settingTable.key, 'interface');
  const [row] = await tx.select().from(settingTable).where(kept);
  if (!row) return;
  await tx
    .update(settingTable)
    .set({ value: withoutSecrets(row.value as Interfaces) })
    .where(kept);
  await notify(tx, 'settings', 'interface');
}
