import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { messages, newsType } from './contract.ts';
import { newsKinds } from './contract/kinds.ts';
import { dateReminders, type Span } from './service/reminders.ts';

let app: TestOffice;
let owner: Client;
let keeper: Client;
let things: { id: number; due: string }[] = [];
let asked: Span[] = [];

const thingNews = newsKinds({
  module: 'things',
  type: newsType.system,
  group: '系统',
  page: () => '/',
  kinds: { THING_DUE: { name: '到期', head: '到期' }, THING_LATE: { name: '逾期', head: '逾期' } },
});
const remind = dateReminders({
  kind: thingNews.THING_DUE,
  days: [7, 3, 1, 0],
  due(_tx, span) {
    asked.push(span);
    return Promise.resolve(things.filter((one) => one.due >= span.first && one.due <= span.last));
  },
  to: (_tx, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, [owner.userId, keeper.userId]]))),
  says: (row, left) => ({ title: `第 ${row.id} 件还有 ${left} 天`, content: '' }),
});
const on = (day: string) => app.services.databases.write((tx) => remind(tx, new Date(`${day}T08:20:00+08:00`)));
const titles = async (who = owner) =>
  (await who.get(messages.unread, { query: { per_page: 100 } })).value.map((one) => one.title).toReversed();

beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  owner = await app.signIn(await app.person());
  keeper = await app.signIn(await app.person());
  asked = [];
});
afterAll(() => app.close());

test('each stage of a reminder is sent once on its day to each person, and nothing in between', async () => {
  things = [{ id: 1, due: '2030-06-10' }];
  expect([await on('2030-06-02'), await on('2030-06-03'), await on('2030-06-03')]).toEqual([0, 2, 0]);
  for (const day of ['2030-06-05', '2030-06-07', '2030-06-09', '2030-06-10', '2030-06-11']) await on(day);
  const all = ['第 1 件还有 7 天', '第 1 件还有 3 天', '第 1 件还有 1 天', '第 1 件还有 0 天'];
  expect([await titles(), await titles(keeper)]).toEqual([all, all]);
  expect([asked[0]!.first, asked[0]!.last]).toEqual(['2030-06-02', '2030-06-09']);
});

test('missed reminder days are made up for by the nearest stage only', async () => {
  things = [{ id: 2, due: '2030-06-10' }];
  await on('2030-06-05');
  await on('2030-06-09');
  expect(await titles()).toEqual(['第 2 件还有 5 天', '第 2 件还有 1 天']);
});

test('a moved date is reminded of again, but not when it moves back', async () => {
  things = [{ id: 3, due: '2030-06-10' }];
  await on('2030-06-07');
  things = [{ id: 3, due: '2030-06-09' }];
  await on('2030-06-07');
  things = [{ id: 3, due: '2030-06-10' }];
  await on('2030-06-07');
  expect(await titles()).toEqual(['第 3 件还有 3 天', '第 3 件还有 2 天']);
});

test('a person who joins later gets the reminder then, and the others do not get it again', async () => {
  things = [{ id: 4, due: '2030-06-10' }];
  await on('2030-06-07');
  const before = keeper;
  keeper = await app.signIn(await app.person());
  expect(await on('2030-06-07')).toBe(1);
  expect([await titles(before), await titles()]).toEqual([['第 4 件还有 3 天'], ['第 4 件还有 3 天']]);
});

test('of twelve simultaneous runs each reminder is sent once, and a rolled back one is sent by the next run', async () => {
  things = [
    { id: 5, due: '2030-06-10' },
    { id: 6, due: '2030-06-10' },
  ];
  await app.services.databases
    .write(async (tx) => {
      await remind(tx, new Date('2030-06-09T08:20:00+08:00'));
      throw new Error('undone');
    })
    .catch(() => undefined);
  const told = await Promise.all(Array.from({ length: 12 }, () => on('2030-06-09')));
  expect(told.reduce((sum, one) => sum + one, 0)).toBe(4);
  expect(await titles()).toHaveLength(2);
  const { rows } = await app.db.execute(sql`select 1 from msg_reminder where object_id in (5, 6)`);
  expect(rows).toHaveLength(4);
});

test('a passed date is reminded of afterwards, until a week after the last', async () => {
  const late = dateReminders({
    kind: thingNews.THING_LATE,
    days: [-7, -14],
    due: (_tx, { first, last }) => Promise.resolve(things.filter((one) => one.due >= first && one.due <= last)),
    to: (_tx, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, [owner.userId]]))),
    says: (_row, left) => ({ title: `已过 ${-left} 天`, content: '' }),
  });
  things = [{ id: 7, due: '2030-06-10' }];
  for (const day of ['2030-06-16', '2030-06-17', '2030-06-20', '2030-06-25', '2030-06-26', '2030-07-20'])
    await app.services.databases.write((tx) => late(tx, new Date(`${day}T08:20:00+08:00`)));
  expect(await titles()).toEqual(['已过 7 天', '已过 15 天']);
});
