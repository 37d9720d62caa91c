import { and, eq, notInArray, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isLoopback } from '#kernel/server/process/config.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { post } from '#modules/platform/deliveries/service.ts';
import { noSession } from '../contract.ts';
import { devicesPushed, notPushService, wrongDeviceKey, type pushCalls } from '../contract/push.ts';
import { pushTable } from '../tables.ts';
import type { Outgoing } from '../outside/outside.ts';
import { isDeviceKey } from './keys.ts';

type Device = BodyOf<typeof pushCalls.subscribe>;

/** Registers this device; on a shared one it replaces another person. A new device gets a greeting, to show that it works. */
export async function subscribe(tx: Db, user: Viewer, device: Device, box: SecretBox): Promise<{ id: number }> {
  if (user.sessionId <= 0) throw noSession();
  const { protocol, hostname } = new URL(device.endpoint);
  // A local push service is allowed only if the operator permits it.
  if (protocol !== 'https:' && !isLoopback(hostname)) throw notPushService(hostname);
  if (!isDeviceKey(device.p256dh)) throw wrongDeviceKey();
  const whose = { user_id: user.id, session_id: user.sessionId, p256dh: device.p256dh, auth: box.seal(device.auth) };
  const [known] = await tx
    .select({ user_id: pushTable.user_id })
    .from(pushTable)
    .where(eq(pushTable.endpoint, device.endpoint));
  const [row] = await tx
    .insert(pushTable)
    .values({ endpoint: device.endpoint, ...whose })
    .onConflictDoUpdate({ target: pushTable.endpoint, set: { ...whose, gmt_modified: sql`now()` } })
    .returning({ id: pushTable.id });
  const latest = tx
    .select({ id: pushTable.id })
    .from(pushTable)
    .where(eq(pushTable.user_id, user.id))
    .orderBy(sql`gmt_modified desc, id desc`)
    .limit(devicesPushed);
  await tx.delete(pushTable).where(and(eq(pushTable.user_id, user.id), notInArray(pushTable.id, latest)));
  if (known?.user_id !== user.id)
    await post(tx, [
      {
        channel: 'push',
        target: device.endpoint,
        title: '本设备已开启推送',
        body: { device: row!.id, user: user.id, path: '/msg' },
        key: `push:${row!.id}:${user.sessionId}`,
        userId: user.id,
        urgent: true,
      },
    ]);
  return { id: row!.id };
}

export async function unsubscribe(tx: Db, user: Viewer, endpoint: string) {
  await tx.delete(pushTable).where(and(eq(pushTable.endpoint, endpoint), eq(pushTable.user_id, user.id)));
  return {};
}

/** Posts a delivery to each device on which a person wants messages. */
export async function byPush(tx: Db, { key, to, messageId, title, web_path: path }: Outgoing): Promise<void> {
  const devices = await tx
    .select({ id: pushTable.id, endpoint: pushTable.endpoint })
    .from(pushTable)
    .where(eq(pushTable.user_id, to.id));
  const about = { module: 'messages', objectId: messageId, userId: to.id };
  await post(
    tx,
    devices.map(({ id, endpoint }) => ({
      channel: 'push' as const,
      target: endpoint,
      title,
      body: { device: id, user: to.id, path: path || '/msg' },
      key: `${key}:${id}`,
      ...about,
    })),
  );
}
