import { ECDH } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { settingTable } from '#kernel/server/db/tables.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { pushTable } from '../tables.ts';

const key = 'push';
const kept = eq(settingTable.key, key);

/** The keys that identify us to push services; the private one is sealed. */
const PushKeys = z.object({ public: z.string(), private: z.string() });
export type PushKeys = z.output<typeof PushKeys>;

/** Makes our keys if there are none: at the first start. */
export async function makePushKeys(tx: Db, box: SecretBox): Promise<void> {
  const [known] = await tx.select({ key: settingTable.key }).from(settingTable).where(kept);
  if (known) return;
  const { default: webPush } = await import('web-push');
  const made = webPush.generateVAPIDKeys();
  const value = { public: made.publicKey, private: box.seal(made.privateKey) } satisfies PushKeys;
  await tx.insert(settingTable).values({ key, value }).onConflictDoNothing();
}

/** Made now if this installation is older than the keys. */
export async function pushKeys(databases: Databases, box: SecretBox): Promise<PushKeys> {
  const read = () => databases.fresh.select().from(settingTable).where(kept);
  let [row] = await read();
  if (!row) {
    await databases.beside((tx) => makePushKeys(tx, box));
    [row] = await read();
  }
  return PushKeys.parse(row!.value);
}

/** True if a device's key is a point of the curve: otherwise nothing can be encrypted for it. */
export function isDeviceKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** After the loss of the secret nobody can sign for the devices any more: each must subscribe anew. Returns how many there were. */
export async function forgetPush(tx: Db): Promise<number> {
  await tx.delete(settingTable).where(kept);
  return (await tx.delete(pushTable).returning({ id: pushTable.id })).length;
}
