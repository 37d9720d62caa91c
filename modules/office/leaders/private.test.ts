import { readSheet } from 'read-excel-file/node';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { feeds } from '#modules/platform/feeds/contract.ts';
import { readPaper } from '#modules/platform/typesetting/testing/paper.ts';
import { printWeeks } from './board/weeks.ts';
import { at, calls, nextWeek, openLeaders } from './testing/house.ts';

let house: Awaited<ReturnType<typeof openLeaders>>;
beforeAll(async () => {
  house = await openLeaders();
});
afterAll(() => house.app.close());

const song = 'kanarie';
const words = {
  title: `${song}title`,
  address: `${song}place`,
  participants: `${song}people`,
  remark: `${song}remark`,
};
const bytesOf = async (who: Client, path: string) => Buffer.from(await (await who.fetch(path)).arrayBuffer());

test('an export leaves out what its person may not know, even if they filter by that day', async () => {
  const day = nextWeek(8);
  await house.written(house.secretary, {
    ...words,
    start_time: `${day} 09:00`,
    end_time: `${day} 10:00`,
    visibility: 3,
  });
  await house.written(house.secretary, { title: '公开的会', start_time: `${day} 14:00`, end_time: `${day} 15:00` });
  const sheetOf = async (who: Client) =>
    JSON.stringify(await readSheet(await bytesOf(who, `/api/leader/?export=xlsx&start=${day}&end=${day}`)));
  for (const who of [house.clerk, house.app.admin]) {
    expect(await sheetOf(who)).toContain('公开的会');
    expect(await sheetOf(who)).not.toContain(song);
  }
});

test('a private entry stands only in the calendars of its own leader’s side', async () => {
  const day = nextWeek(9);
  const time = { start_time: `${day} 09:00`, end_time: `${day} 10:00` };
  const open = { ...time, leaders: [house.principal.username, house.vice.username], contact: house.staff.username };
  const people = { contact: house.staff.username, escort: [house.head.username] };
  await house.written(house.secretary, { ...words, ...people, ...time, visibility: 3, force: true });
  await house.written(house.clerk, { ...open, title: '大家的会', force: true });
  const calendarOf = async (who: Client) => {
    const { path } = await who.get(feeds.add, { body: { name: '手机', keys: ['leaders'] } });
    return (await (await house.app.stranger.fetch(path)).text()).replaceAll('\r\n ', '');
  };
  for (const who of [house.principal, house.secretary]) expect(await calendarOf(who)).toContain(words.title);
  for (const who of [house.vice, house.colleague2, house.staff, house.head, house.clerk, house.app.admin])
    expect(await calendarOf(who)).not.toContain(song);
  expect(await calendarOf(house.staff)).toContain('大家的会');
});

test('an entry made private later hides its old text from others in the log and in published weeks', async () => {
  const time = { start_time: at(2, '09:00'), end_time: at(2, '10:00') };
  const { id } = await house.written(house.secretary, { ...words, ...time });
  await house.written(house.secretary, { title: '一直公开的会', start_time: at(2, '14:00'), end_time: at(2, '15:00') });
  expect((await house.edit(house.secretary, id, { title: `${song}second` })).code).toBe(0);
  const week = { body: { date: nextWeek(1), version: 0 } as never };
  expect((await house.clerk.ask(calls.publish, week)).code).toBe(0);
  const { databases } = house.app.services;
  await printWeeks(databases.fresh, databases.write);
  const path = (scope: string) => `/api/leader/week/pdf/?date=${nextWeek(1)}&scope=${scope}`;
  const paper = async (who: Client, scope: string) =>
    (await readPaper(await bytesOf(who, path(scope)))).texts.map((one) => one.text).join('');
  const before = await bytesOf(house.staff, path('open'));
  expect(await paper(house.staff, 'open')).toContain(song);

  expect((await house.edit(house.secretary, id, { visibility: 3 })).code).toBe(0);
  expect((await house.edit(house.secretary, id, { address: `${song}third` })).code).toBe(0);
  for (const [who, scope] of [
    [house.staff, 'open'],
    [house.colleague2, 'open'],
    [house.clerk, 'all'],
    [house.app.admin, 'all'],
  ] as const) {
    expect(await paper(who, scope)).not.toContain(song);
    expect(await paper(who, scope)).toContain('一直公开的会');
    expect(JSON.stringify(await house.board(who))).not.toContain(song);
    expect(
      JSON.stringify(await who.get(calls.weeks, { query: { from: nextWeek(1), to: nextWeek(7) } as never })),
    ).not.toContain(song);
  }
  // A reader who may still read the entry gets the pages as they were published.
  expect(await bytesOf(house.secretary, path('open'))).toEqual(before);

  const query = { search_value: song, per_page: 100 } as never;
  expect((await house.app.admin.get(audit.list, { query })).total).toBe(0);
  const log = await house.app.admin.get(audit.list, { query: { module: 'leaders', per_page: 100 } as never });
  expect(JSON.stringify(log)).not.toContain(song);
  expect(JSON.stringify(log)).toContain('可见范围');
  const ticket = await house.app.db.execute(sql`select 1 from ticket where ticket::text like ${`%${song}%`}`);
  const flow = await house.app.db.execute(sql`select 1 from ticket_log where ticket_log::text like ${`%${song}%`}`);
  expect([ticket.rows.length, flow.rows.length]).toEqual([0, 0]);

  const { changes } = await house.get(house.principal, id);
  expect(JSON.stringify(changes)).toContain(`${song}place`);
});

test('an entry narrowed from everybody to leaders and the office disappears with its text from the public pages', async () => {
  const day = (hour: string) => `${nextWeek(15)} ${hour}`;
  const { id } = await house.written(house.secretary, {
    title: '收窄的会',
    start_time: day('09:00'),
    end_time: day('10:00'),
  });
  await house.clerk.ask(calls.publish, { body: { date: nextWeek(15), version: 0 } as never });
  expect((await house.edit(house.secretary, id, { visibility: 2 })).code).toBe(0);
  const textOf = async (who: Client, scope: string) => {
    const bytes = await bytesOf(who, `/api/leader/week/pdf/?date=${nextWeek(15)}&scope=${scope}`);
    return (await readPaper(bytes)).texts.map((one) => one.text).join('');
  };
  expect(await textOf(house.staff, 'open')).not.toContain('收窄的会');
  expect(await textOf(house.clerk, 'all')).toContain('收窄的会');
});

test('a hidden entry looks the same 忙 to others, whatever its audience and however often it changed', async () => {
  const on = (day: string, more: object) => ({ start_time: `${day} 09:00`, end_time: `${day} 10:00`, ...more });
  const [kept, office] = [nextWeek(92), nextWeek(93)];
  await house.written(house.secretary, on(kept, { ...words, visibility: 3 }));
  const { id } = await house.written(house.secretary, on(office, { ...words, visibility: 2 }));
  expect((await house.edit(house.secretary, id, { remark: '改过一次' })).code).toBe(0);
  const { entries } = await house.board(house.staff, kept);
  const [one, other] = entries.map(({ start_time: _start, end_time: _end, ...entry }) => entry);
  expect(entries).toHaveLength(2);
  expect(one).toMatchObject({ title: '忙', masked: true });
  expect(one).toEqual(other);
});
