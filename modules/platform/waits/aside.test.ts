import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentText } from '#kernel/contract/moment.ts';
import type { Client } from '#apps/server/testing.ts';
import { distributions } from '#modules/office/distributions/contract.ts';
import { openGiving, type Giving } from '#modules/office/distributions/testing/giving.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { endAsides } from './aside.ts';
import { dutiesOf } from './service.ts';
import { notLater, putAside, tooLate, waiting } from './contract.ts';

let giving: Giving;
beforeAll(async () => {
  giving = await openGiving();
}, 180_000);
afterAll(() => giving.office.close());

const inDays = (days: number) => momentText(new Date(Date.now() + days * 864e5)).slice(0, 16);
const mine = async (who: Client) => {
  const { total, aside } = await who.get(waiting.mine, {});
  return [total, aside];
};
const titles = async (who: Client, category = 'all') =>
  (await who.get(waiting.list, { query: { category, per_page: 100 } })).value.map((row) => row.title);
const rowOf = async (who: Client, title: string) =>
  (await who.get(waiting.list, { query: { per_page: 100 } })).value.find((row) => row.title === title)!.id;
const put = (who: Client, rows: string[], until = inDays(3)) => who.ask(waiting.putAside, { body: { rows, until } });
const message = (title: string, who: Client) =>
  giving.office.admin.get(messages.send, {
    body: { title, content: '请回执', recipients: { users: [who.userId] }, need_receipt: true },
  });
const change = (statement: ReturnType<typeof sql>) =>
  giving.office.services.databases.write((tx) => tx.execute(statement));

test('an item put aside is not counted until its time, is listed under 稍后, and can be brought back at once', async () => {
  const who = await giving.office.clerk({});
  await message('先放一放', who);
  await message('马上就办', who);
  const row = await rowOf(who, '先放一放');
  const until = inDays(2);
  expect((await put(who, [row], until)).code).toBe(0);
  expect([await mine(who), await titles(who), await titles(who, putAside)]).toEqual([
    [1, 1],
    ['马上就办'],
    ['先放一放'],
  ]);
  const { value } = await who.get(waiting.list, { query: { category: putAside } });
  expect(value[0]!.until).toBe(`${until}:00`);
  expect((await who.ask(waiting.takeBack, { body: { rows: [row] } })).code).toBe(0);
  expect([await mine(who), (await titles(who)).length, await titles(who, putAside)]).toEqual([[2, 0], 2, []]);
});

test('an item put aside comes back by itself at its time, and its record is removed', async () => {
  const who = await giving.office.clerk({});
  await message('到点回来', who);
  expect((await put(who, [await rowOf(who, '到点回来')])).code).toBe(0);
  expect(await mine(who)).toEqual([0, 1]);
  await change(sql`update wait_aside set until = now() - interval '1 second' where user_id = ${who.userId}`);
  expect([await mine(who), await titles(who)]).toEqual([[1, 0], ['到点回来']]);
  await giving.office.services.databases.write((tx) => endAsides(tx, new Date()));
  const { rows } = await change(sql`select from wait_aside where user_id = ${who.userId}`);
  expect(rows).toEqual([]);
});

test('an item put aside comes back when its deadline moves nearer or passes, and not when that is postponed', async () => {
  const { finished, given } = giving;
  const who = await giving.clerkOf(giving.dept);
  const dist = await given(
    await finished({ title: '关于期限的通知' }),
    { users: [who.userId] },
    { deadline: '2099-01-01 09:00' },
  );
  expect((await put(who, [await rowOf(who, '关于期限的通知')])).code).toBe(0);
  const due = async (at: ReturnType<typeof sql>) => {
    await change(sql`update document_dist set deadline = ${at} where id = ${dist}`);
    return mine(who);
  };
  expect(await due(sql`'2099-02-01 09:00'`)).toEqual([0, 1]);
  expect(await due(sql`'2098-12-01 09:00'`)).toEqual([1, 0]);
  expect(await due(sql`'2099-02-01 09:00'`)).toEqual([0, 1]);
  // Its deadline passed after it was put off.
  await change(
    sql`update wait_aside set put_at = now() - interval '2 days', due_at = now() - interval '1 day' where user_id = ${who.userId}`,
  );
  expect(await due(sql`now() - interval '1 day'`)).toEqual([1, 0]);
});

test('an item that reaches a person anew after being put aside, like a returned ticket, waits at once', async () => {
  const who = await giving.office.clerk({});
  await message('退回来的', who);
  expect((await put(who, [await rowOf(who, '退回来的')])).code).toBe(0);
  expect(await mine(who)).toEqual([0, 1]);
  await change(sql`update wait_aside set put_at = put_at - interval '1 hour' where user_id = ${who.userId}`);
  expect([await mine(who), await titles(who)]).toEqual([[1, 0], ['退回来的']]);
});

test('an item says whether opening it counts as reading, so that paging through the list does not open it', async () => {
  const { finished, given } = giving;
  const who = await giving.clerkOf(giving.dept);
  await given(await finished({ title: '关于阅读的通知' }), { users: [who.userId] }, {});
  await message('不记阅读的', who);
  const { value } = await who.get(waiting.list, { query: { per_page: 100 } });
  expect(Object.fromEntries(value.map((row) => [row.title, row.notes_opening]))).toEqual({
    关于阅读的通知: true,
    不记阅读的: false,
  });
});

test('an item put aside comes back at once when its person is urged about it', async () => {
  const { finished, given } = giving;
  const [who, other] = [await giving.clerkOf(giving.dept), await giving.clerkOf(giving.dept)];
  const to = { users: [who.userId, other.userId] };
  const dist = await given(await finished({ title: '关于催办的通知' }), to, {});
  expect((await put(who, [await rowOf(who, '关于催办的通知')])).code).toBe(0);
  expect([await mine(who), await mine(other)]).toEqual([
    [0, 1],
    [1, 0],
  ]);
  await giving.clerk.get(distributions.urge, { params: { id: dist }, body: { content: '请尽快阅读' } as never });
  expect([await mine(who), await mine(other)]).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

test('only an own waiting item is put aside, until a future time within a year, invisible to others', async () => {
  const { office: app } = giving;
  const [who, other] = [await app.clerk({}), await app.clerk({})];
  await message('各放各的', who);
  await message('各放各的', other);
  const row = await rowOf(who, '各放各的');
  expect(await put(who, [row], '2020-01-01 09:00')).toRefuse(notLater, '2020-01-01 09:00');
  const late = inDays(400);
  expect(await put(who, [row], late)).toRefuse(tooLate, late.slice(0, 10));
  expect(await put(await app.clerk({}), [row])).toMatchObject({ code: 4004 });
  expect(await put(who, ['message.1'])).toMatchObject({ code: 4004 });
  expect(await mine(who)).toEqual([1, 0]);
  expect((await put(who, [row])).code).toBe(0);
  expect([await mine(other), await titles(other, putAside)]).toEqual([[1, 0], []]);
});

test('of several items put aside at once those no longer waiting are named, and the others are put aside', async () => {
  const who = await giving.office.clerk({});
  for (const title of ['还在等的', '已经办了的']) await message(title, who);
  const [waits, over] = [await rowOf(who, '还在等的'), await rowOf(who, '已经办了的')];
  const own = (await who.get(messages.unread)).value.find((one) => one.title === '已经办了的')!;
  await who.get(messages.setRead, { params: { id: own.id }, body: { confirmed: true } });
  expect((await put(who, [over, waits])).data).toEqual({ count: 1, gone: [over] });
  expect([await mine(who), await titles(who, putAside)]).toEqual([[0, 1], ['还在等的']]);
});

test('the morning digest leaves out items put aside, and is not sent if all are', async () => {
  const [who, other] = [await giving.office.clerk({}), await giving.office.clerk({})];
  for (const title of ['早上要办', '早上先放']) await message(title, who);
  await message('早上全放', other);
  const said = async (one: Client) => {
    const duties = await giving.office.services.databases.write((tx) => dutiesOf(tx, tx.services.product.waits));
    return duties.filter(({ people }) => people.includes(one.userId)).flatMap(({ kinds }) => kinds);
  };
  const kind = { title: '待确认通知', overdue: 0 };
  expect([await said(who), await said(other)]).toEqual([[{ ...kind, count: 2 }], [{ ...kind, count: 1 }]]);
  await put(who, [await rowOf(who, '早上先放')]);
  await put(other, [await rowOf(other, '早上全放')]);
  expect([await said(who), await said(other)]).toEqual([[{ ...kind, count: 1 }], []]);
});

test('items that a leaver put aside are forgotten', async () => {
  const who = await giving.office.clerk({});
  await message('离岗之前', who);
  expect((await put(who, [await rowOf(who, '离岗之前')])).code).toBe(0);
  await change(sql`update app_user set is_active = false where id = ${who.userId}`);
  expect((await change(sql`select from wait_aside where user_id = ${who.userId}`)).rows).toEqual([]);
});
