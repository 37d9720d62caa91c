import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { deviceName } from '#kernel/contract/words/device.ts';
import { addressOf } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Origin } from '#kernel/server/http/implement.ts';
import { accountNews } from '#modules/platform/messages/service/news.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { deviceDays } from './known-devices.ts';

type Device = Pick<Origin, 'ip' | 'userAgent'>;

/** Remembers the device of a session, and notifies its person if it is new; not at their first sign-in. */
export async function meetDevice(tx: Db, userId: number, sessionId: number, device: Device): Promise<void> {
  const { rows } = await tx.execute<{ strange: boolean }>(sql`
    with met as (
      insert into sign_in_device as d (user_id, mark) values (${userId}, ${markOf(device)})
      on conflict (user_id, mark) do update set last_used = now() returning xmax = 0 as new)
    select met.new and exists (select from sign_in_device where user_id = ${userId}) as strange from met`);
  if (!rows[0]?.strange) return;
  await announce(
    tx,
    accountNews.NEW_DEVICE_LOGIN,
    { id: sessionId },
    {
      title: `您的账号在新设备上登录：${deviceName(device.userAgent)}`,
      content: `网络地址 ${device.ip}。如非本人操作，请立即修改密码并联系管理员，修改后其他设备上的登录会退出。`,
      module: 'accounts',
      by: null,
    },
    [userId],
  );
}

/** A browser stays the same device after an update, and within an IPv6 network. */
export function markOf({ ip, userAgent }: Device): string {
  return createHash('sha256')
    .update(`${addressOf(ip)}\n${userAgent.replace(/\d[\d._]*/g, '')}`)
    .digest('hex');
}

const portion = 1000;

/** Forgets devices unused for half a year, except each person's last: one portion of each; returns true if more may wait. */
export async function purgeDevices(tx: Db): Promise<boolean> {
  const more = [await purge(tx, 'sign_in_device'), await purge(tx, 'known_device')];
  return more.includes(true);
}

async function purge(tx: Db, name: 'sign_in_device' | 'known_device'): Promise<boolean> {
  const table = sql.identifier(name);
  const { rowCount } = await tx.execute(sql`
    delete from ${table} where (user_id, mark) in (
      select user_id, mark from ${table} old where last_used < now() - make_interval(days => ${deviceDays})
        and exists (select from ${table} later where later.user_id = old.user_id and later.last_used > old.last_used)
      order by last_used limit ${portion} for update skip locked)`);
  return rowCount === portion;
}
