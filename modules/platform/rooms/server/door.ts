import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import { qrAddress } from '#kernel/server/text/qr-code.ts';
import { dayAfter, momentOf, momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { staged, type Context, type FileReply } from '#kernel/server/http/implement.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';
import { occupied } from '#modules/platform/bookings/contract.ts';
import { occupationsOf } from '#modules/platform/bookings/service.ts';
import { codeRead, newCode } from '#modules/platform/verification/service.ts';
import { roomState } from '../contract/shapes.ts';
import { doors } from '../contract/waiting.ts';
import { requireRoom, resource, titlesOf, type Room } from '../service.ts';
import { doorPage, doorWords } from './door-page.ts';
import { isOpenDoor, requireRoomReached } from './reach.ts';
import { doorTable } from '../tables.ts';

type Asked = Context & { user: Viewer };
const type = '门牌屏';
/** Limits requests by address: several screens may share one. */
const asking: Limit = { kind: 'door', limit: 600, seconds: 60 };
/** Limits invalid codes: a screen has a valid one, and requests no more often than a page that somebody opens. */
const guessing: Limit = { kind: 'door guess', limit: 60, seconds: 60 };
const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');

/** The content of a door screen: the present event, its end, and the next ones. Nothing that a stranger may not know. */
async function shown(tx: Db, room: Room, now: Date, origin: string | null): Promise<FileReply> {
  const at = momentText(now);
  const tomorrow = `${dayAfter(at.slice(0, 10), 1)} 00:00:00`;
  const rows = await occupationsOf(tx, resource, [room.id], { from: at, to: tomorrow });
  const known = await titlesOf(tx, null, rows);
  const today = rows.map((row) => ({ ...row, title: known(row)?.title ?? occupied, path: known(row)?.path }));
  const current = today.find((row) => row.start_time <= at);
  const next = today.find((row) => row.start_time > at);
  const clock = (text: string) => (text.slice(0, 10) === at.slice(0, 10) ? text.slice(11, 16) : text.slice(5, 16));
  const shut = room.status !== roomState.usable || room.office.status !== onOff.on;
  const state = shut
    ? '停用'
    : !current
      ? '空闲'
      : current.end_time <= at
        ? '整理中'
        : current.state === 'held'
          ? '待确认'
          : '使用中';
  const look = state === '空闲' ? 'free' : state === '使用中' ? 'busy' : 'wait';
  const until = current
    ? `至 ${clock(current.free_at)}`
    : next
      ? `空闲至 ${clock(next.start_time)}`
      : '今天之后没有安排';
  const subject = current ?? next;
  const image = origin && subject?.path ? await qrAddress(`${origin}${subject.path}`, { margin: 1, width: 320 }) : null;
  const later = today
    .filter((row) => row !== current)
    .slice(0, 6)
    .map(
      (row) =>
        `<li><span>${clock(row.start_time)}–${clock(row.end_time)}</span><span>${asMarkup(row.title)}</span></li>`,
    )
    .join('');
  const place = [room.building, room.floor, room.room_no].filter(Boolean).join(' ');
  return doorPage(
    room.name,
    `<body class="${look}"><header><h1>${asMarkup(room.name)}</h1><span>${asMarkup(place)} · ${room.capacity} 人</span></header>
<main><div class="now"><b>${state}</b>${current ? `<strong>${asMarkup(current.title)}</strong>` : ''}<p>${shut ? '请联系会务人员' : until}</p>${
      later && `<p>接下来</p><ol>${later}</ol>`
    }</div>${image ? `<figure><img alt="会议页二维码" src="${image}"><figcaption>扫码签到、确认到场或提前结束</figcaption></figure>` : ''}</main>
<footer><span>${asMarkup(room.office.name)} ${asMarkup(room.office.phone)}</span><time datetime="${at.replace(' ', 'T')}">更新于 ${at}</time></footer></body>`,
  );
}

/** The door of an address, while screens open it. */
async function doorOf(tx: Db, typed: string) {
  const code = codeRead(typed);
  if (!code) return undefined;
  const [door] = await tx
    .select()
    .from(doorTable)
    .where(and(eq(doorTable.code_hash, hashOf(code)), isOpenDoor));
  return door;
}

export const doorHandlers = {
  async make({ params }: { params: { id: number } }, { tx, user, audit, services }: Asked) {
    const room = await requireRoom(tx, params.id);
    requireRoomReached(user, 'Update', room);
    const code = newCode();
    const row = { code_hash: hashOf(code), creator_id: user.id };
    await tx
      .insert(doorTable)
      .values({ room_id: room.id, ...row })
      .onConflictDoUpdate({ target: doorTable.room_id, set: { ...row, gmt_created: sql`now()`, last_seen: null } });
    audit({ type, id: room.id, title: room.name, after: { 地址: '已生成' } });
    const url = `${services.publicUrl() ?? ''}/api/meet/door/${code}/`;
    return { url, image: await qrAddress(url, { margin: 2, width: 320 }) };
  },

  async end({ params }: { params: { id: number } }, { tx, user, audit }: Asked) {
    const room = await requireRoom(tx, params.id);
    requireRoomReached(user, 'Update', room);
    const gone = await tx.delete(doorTable).where(eq(doorTable.room_id, room.id)).returning();
    if (gone.length === 0) throw absent(type);
    audit({ type, id: room.id, title: room.name, before: { 地址: '已生成' }, after: { 地址: '已停用' } });
    return { id: room.id };
  },

  page: staged(doors.page, {
    before: async ({ params }, { origin, read, services: { attempts } }) => {
      const tries = await attempts.hit(asking, origin.ip);
      return tries.exceeded || (await doorOf(read, params.code)) ? tries : attempts.hit(guessing, origin.ip);
    },
    run: async ({ params, prepared: tries }, { tx, now, services, afterReading }) => {
      if (tries.exceeded) return doorWords('刷新过于频繁，稍后自动恢复', 429);
      const door = await doorOf(tx, params.code);
      if (!door) return doorWords('门牌屏地址已失效，请联系会务人员更换', 404);
      if (!door.last_seen || now.getTime() - momentOf(door.last_seen).getTime() > 60_000)
        afterReading(async (writing) => {
          await writing
            .update(doorTable)
            .set({ last_seen: momentText(now) })
            .where(and(eq(doorTable.room_id, door.room_id), eq(doorTable.code_hash, door.code_hash)));
        });
      return shown(tx, await requireRoom(tx, door.room_id), now, services.publicUrl());
    },
  }),
};
