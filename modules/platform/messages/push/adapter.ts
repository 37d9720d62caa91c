import { and, eq, sql } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { Later, Undeliverable, type ChannelAdapter } from '#modules/platform/deliveries/service.ts';
import { pushTable } from '../tables.ts';
import { isDeviceKey, pushKeys } from './keys.ts';

interface PushPorts {
  databases: Databases;
  outgoing: Outgoing;
  secretBox: SecretBox;
  publicUrl(): string | null;
  now?: () => Date;
}

/** The body for a device: its person at posting time, and the page of the subject. */
interface PushBody {
  device: number;
  user: number;
  path: string;
}

/** Seconds for which a push service keeps a message it cannot deliver. */
const keepFor = 86_400;

/** Errors that mean either an unknown device or key, or a temporary fault: distinguished by their number and duration. */
const refusing = new Set([400, 401, 403]);
const mostRefusals = 5;
const leastHours = 24;

/** The browsers' own push services, by RFC 8030: encrypted for the device (8291), signed with our keys (8292). */
export function pushAdapter({ databases, outgoing, secretBox, publicUrl, now }: PushPorts): ChannelAdapter {
  return {
    async send({ key, target, title, body }) {
      const { device, user, path } = body as PushBody;
      // The device must still belong to the person the message was posted for.
      const mine = and(eq(pushTable.id, device), eq(pushTable.user_id, user));
      const [found] = await databases.fresh.select().from(pushTable).where(mine);
      if (!found) throw new Undeliverable('该设备已关闭推送，或已退出登录');
      const forget = () => databases.write((tx) => tx.delete(pushTable).where(mine));
      if (!isDeviceKey(found.p256dh)) {
        await forget();
        throw new Undeliverable('该设备的推送密钥不正确，请在该设备上重新开启推送');
      }
      const { default: webPush } = await import('web-push');
      const keys = await pushKeys(databases, secretBox);
      const origin = publicUrl();
      const {
        method,
        headers,
        body: sealed,
      } = webPush.generateRequestDetails(
        { endpoint: target, keys: { p256dh: found.p256dh, auth: secretBox.open(found.auth) } },
        JSON.stringify({ title, path, tag: key }),
        {
          TTL: keepFor,
          contentEncoding: 'aes128gcm',
          vapidDetails: {
            subject: origin?.startsWith('https:') ? origin : 'mailto:postmaster@localhost',
            publicKey: keys.public,
            privateKey: secretBox.open(keys.private),
          },
        },
      );
      const asked = { method: method as 'POST', headers: plain(headers), body: sealed as Buffer, redirects: 0 };
      const { status, headers: said } = await outgoing.request(target, asked);
      if (status === 404 || status === 410) {
        await forget();
        throw new Undeliverable('该设备已停止接收推送');
      }
      if (refusing.has(status)) {
        const [counted] = await databases.write((tx) =>
          tx
            .update(pushTable)
            .set({
              refusals: sql`least(${pushTable.refusals} + 1, 1000)`,
              refused_since: sql`coalesce(${pushTable.refused_since}, now())`,
            })
            .where(mine)
            .returning({
              isOver: sql<boolean>`${pushTable.refusals} >= ${mostRefusals} and ${pushTable.refused_since} < now() - make_interval(hours => ${leastHours})`,
            }),
        );
        if (counted?.isOver) {
          await forget();
          throw new Undeliverable(`推送服务一天以上都不接收（${status}），已关闭该设备的推送`);
        }
      }
      if (status === 413) throw new Undeliverable('推送服务认为内容过长（413）');
      const wait = Number(said['retry-after']);
      if (status === 429 && wait > 0)
        throw new Later(
          '推送服务要求稍后再发',
          new Date((now?.() ?? new Date()).getTime() + Math.min(wait, keepFor) * 1000),
        );
      if (status < 200 || status > 299) throw new Error(`推送服务回答 ${status}`);
      if (found.refusals > 0)
        await databases.write((tx) => tx.update(pushTable).set({ refusals: 0, refused_since: null }).where(mine));
      return { answer: String(status) };
    },
  };
}

/** The HTTP client computes the length itself. */
const plain = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (name === 'Content-Length' ? [] : [[name, String(value)]])),
  );
