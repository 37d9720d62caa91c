import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { ticketNews } from '#modules/workflow/tickets/notify/kinds.ts';
import { newsOf } from './service.ts';
import { nudge, nudgesOf, nudgeWait, urge } from './service/nudges.ts';

let app: TestOffice;
const news = newsOf(ticketNews.URGE, { id: 7 }, { title: '请尽快填报', content: '请今天填报。', by: null });
const asked = { name: '催办', nobody: refusal(codes.notNow, () => '没有人') };
const write = <T>(work: (tx: Parameters<typeof nudge>[0]) => Promise<T>) => app.services.databases.write(work);
const hoursLater = (hours: number) =>
  write((tx) => tx.execute(sql`update msg set gmt_created = gmt_created - make_interval(hours => ${hours}::int)`));

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('each person is urged once in some hours and a limited number of times, and the record shows who and when', async () => {
  const [first, second] = [(await app.person()).id, (await app.person()).id];
  const every = { hours: 2, times: 2 };
  expect((await write((tx) => nudge(tx, news, [first], every))).due).toEqual([first]);
  expect((await write((tx) => nudge(tx, news, [first, second], every))).due).toEqual([second]);
  await hoursLater(1);
  const refused = await write((tx) => urge(tx, news, [first, second], { ...asked, ...every })).catch(
    (stop: Error) => stop.message,
  );
  expect(refused).toBe('催办过于频繁，请 60 分钟后再试');
  expect(await write((tx) => urge(tx, { ...news, objectId: 8 }, [first], { ...asked, ...every }))).toEqual([first]);
  await hoursLater(1);
  expect((await write((tx) => nudge(tx, news, [first, second], every))).due).toEqual([first, second]);
  await hoursLater(9);
  expect((await write((tx) => nudge(tx, news, [first, second], every))).due).toEqual([]);
  const known = await nudgesOf(app.db, news, [first, second]);
  expect([known.get(first)?.times, known.get(second)?.times]).toEqual([2, 2]);
});

test('of twenty simultaneous urges each person gets one', async () => {
  const people = [(await app.person()).id, (await app.person()).id];
  const about = { ...news, objectId: 9 };
  const told = await Promise.all(
    Array.from({ length: 20 }, () => write((tx) => nudge(tx, about, people, { hours: 2 }))),
  );
  expect(told.flatMap((one) => one.due)).toHaveLength(2);
  expect((await nudgesOf(app.db, about, people)).get(people[0]!)?.times).toBe(1);
});

test('the person who urges and leavers are not urged, and do not count for others’ waiting times', async () => {
  const [self, gone, late] = [(await app.person()).id, (await app.person()).id, (await app.person()).id];
  await write((tx) => tx.execute(sql`update app_user set is_active = false where id = ${gone}`));
  const about = { ...news, objectId: 10, by: self };
  const ask = (people: readonly number[]) =>
    write((tx) => urge(tx, about, people, { ...asked, hours: 2 })).catch((stop: Error) => stop.message);
  const wait = (people: readonly number[]) => write((tx) => nudgeWait(tx, about, people, { hours: 2 }));
  expect([await wait([self, gone, late]), await ask([self, gone, late])]).toEqual([0, [late]]);
  expect(await ask([self, gone, late])).toBe('催办过于频繁，请 120 分钟后再试');
  const left = await wait([self, gone, late]);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(2 * 3600);
  // Nothing is awaited of somebody who left after being urged.
  await write((tx) => tx.execute(sql`update app_user set is_active = false where id = ${late}`));
  const another = (await app.person()).id;
  expect(await ask([self, gone, late, another])).toEqual([another]);
  for (const people of [[self], [gone], [self, gone, late], []])
    expect([await ask(people), await wait(people)]).toEqual(['没有人', 0]);
});
