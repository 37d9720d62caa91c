import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestOffice, type Client, type TestOffice } from '#apps/server/testing.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { dutiesOf } from '#modules/tickets/service.ts';
import { chaseTask } from './chase.ts';
import { openPost } from '#modules/deliveries/testing/receiver.ts';
import { settings } from '#modules/settings/contract.ts';
import { messages } from './contract.ts';
import { digestTask } from './digest.ts';
import { afterQuiet } from './quiet.ts';
import { publishTask } from './publish.ts';
import { tell } from './service.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await openTestOffice();
});
afterAll(() => office.close());

const someone = async (email = '') => {
  const who = await office.signIn(await office.person());
  await office.services.databases.write((tx) =>
    tx.execute(sql`update app_user set email = ${email} where id = ${who.userId}`),
  );
  return who;
};
const sender = () => office.clerk({ 'msg/send': ['Create', 'Retrieve'] });
const titles = async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title);
const rows = async <R extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (await office.services.databases.pool.query<R>(text, values)).rows;
const posted = (who: Client) =>
  rows<{ target: string; title: string }>('select target, title from delivery where user_id = $1', who.userId);
let record = 0;
const urge = (who: Client) => {
  const news = { content: '请尽快', type: 2, module: 'tickets', event: 'URGE', webPath: '' };
  return office.services.databases.write((tx) =>
    tell(tx, { ...news, title: '有人催办', objectId: ++record }, [who.userId]),
  );
};
const now = { attempt: 1, now: new Date('2026-11-23T00:30:00Z') };

test('what a person chose is kept beside what they did not touch', async () => {
  const who = await someone('me@example.com');
  const habit = { quiet_from: null, quiet_to: null, digest: true };
  expect(await who.get(messages.preference)).toEqual({
    ...habit,
    events: {},
    open: ['mail', 'sms'],
    reachable: ['mail'],
  });
  const keep = (body: object) => who.ask(messages.keepPreference, { body: body as never });
  await keep({ events: { URGE: ['mail', 'mail'] }, quiet_from: '22:00', quiet_to: '07:30' });
  await keep({ events: { CC: ['sms'] }, digest: false });
  expect(await who.get(messages.preference)).toMatchObject({
    events: { URGE: ['mail'], CC: ['sms'] },
    quiet_from: '22:00',
    quiet_to: '07:30',
    digest: false,
  });
  for (const wrong of [{ events: { NOTHING: [] } }, { events: { CC: ['fax'] } }, { quiet_from: '25:00' }])
    expect((await keep(wrong)).code).toBe(4000);
  expect(await keep({ quiet_from: '22:00' })).toMatchObject({ code: 4000, msg: expect.stringContaining('一起填写') });
});

test('a message goes by mail to those who chose it, once, and not when it was read before it left', async () => {
  const [by, without, quick] = [
    await someone('by@example.com'),
    await someone('no@example.com'),
    await someone('q@example.com'),
  ];
  for (const who of [by, quick]) await who.get(messages.keepPreference, { body: { events: { URGE: ['mail'] } } });
  await urge(by);
  await vi.waitFor(
    async () => expect(await posted(by)).toEqual([{ target: 'by@example.com', title: '有人催办' }]),
    8000,
  );
  await urge(without);
  const minute = (offset: number) => momentText(new Date(Date.now() + offset * 60_000)).slice(11, 16);
  await quick.get(messages.keepPreference, { body: { quiet_from: minute(-5), quiet_to: minute(60) } });
  await urge(quick);
  await quick.get(messages.readAll, { body: {} });
  const waiting = `select job.key from graphile_worker.jobs job where job.key like 'outside:%:' || $1`;
  expect(await rows(waiting, quick.userId)).toHaveLength(1);
  await rows(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where key like 'outside:%'`);
  await vi.waitFor(async () => expect(await rows(waiting, quick.userId)).toEqual([]), 8000);
  expect([await posted(without), await posted(quick)]).toEqual([[], []]);
});

test('quiet hours end in the morning, over midnight too, and are no hours at all when they are empty', () => {
  const at = (hour: string) => new Date(`2026-11-21T${hour}:00+08:00`);
  expect(afterQuiet(at('23:10'), '22:00', '07:30')).toEqual(new Date('2026-11-22T07:30:00+08:00'));
  expect(afterQuiet(at('03:00'), '22:00', '07:30')).toEqual(at('07:30'));
  expect(afterQuiet(at('07:30'), '22:00', '07:30')).toEqual(at('07:30'));
  expect(afterQuiet(at('12:15'), '12:00', '14:00')).toEqual(at('14:00'));
  expect(afterQuiet(at('11:59'), '12:00', '14:00')).toEqual(at('11:59'));
  expect(afterQuiet(at('12:00'), '12:00', '12:00')).toEqual(at('12:00'));
  expect(afterQuiet(at('12:00'), null, null)).toEqual(at('12:00'));
});

test('windows hear of a notice for later when its time comes, not before', async () => {
  const reader = await someone();
  const body = { title: '下周例会', content: '九点', users: [reader.userId], publish_at: '2099-01-01T08:00' };
  const { id } = await (await sender()).get(messages.send, { body: body as never });
  const cursor = () => rows('select at from live_cursor where person_id = $1', reader.userId);
  expect(await cursor()).toEqual([]);
  expect(await rows(`select run_at from graphile_worker.jobs where key = $1`, `publish:${id}`)).toEqual([
    { run_at: expect.stringContaining('2099-01-01 08:00') },
  ]);
  await rows('update msg set publish_at = now() where id = $1', id);
  await publishTask(office.services.databases).run({ id }, now);
  expect(await cursor()).toHaveLength(1);
  expect(await titles(reader)).toEqual(['下周例会']);
});

test('the morning brings one message for all that waits, none to whom nothing does or who want none', async () => {
  const [busy, done, off] = [await someone(), await someone(), await someone()];
  await off.get(messages.keepPreference, { body: { digest: false } });
  const duties = async () => [
    { userId: busy.userId, count: 7, overdue: 2 },
    { userId: off.userId, count: 1, overdue: 0 },
  ];
  const { databases } = office.services;
  const task = digestTask(databases, duties);
  await task.run({}, now);
  await task.run({}, now);
  expect(await titles(busy)).toEqual(['今日待办：7 项，其中 2 项已逾期']);
  await task.run({}, { ...now, now: new Date('2026-11-24T00:30:00Z') });
  expect(await titles(busy)).toHaveLength(1);
  expect([await titles(done), await titles(off)]).toEqual([[], []]);
  expect(await databases.write(dutiesOf)).toEqual([]);
});

test('who has not confirmed is asked again a day later, three times at most, and no more once they have', async () => {
  const [late, prompt] = [await someone(), await someone()];
  const body = { title: '签收', content: '请确认', users: [late.userId, prompt.userId], need_receipt: true };
  const { id } = await (await sender()).get(messages.send, { body: body as never });
  const chase = chaseTask(office.services.databases);
  const dayLater = async () => {
    await rows(
      `update msg set publish_at = publish_at - interval '25 hours', gmt_created = gmt_created - interval '25 hours'`,
    );
    await rows(`update msg_user set chased_at = chased_at - interval '25 hours'`);
    await chase.run({}, now);
    await chase.run({}, now);
  };
  await chase.run({}, now);
  expect(await titles(late)).toEqual(['签收']);
  const [own] = (await prompt.get(messages.unread)).value;
  await prompt.get(messages.mark, { params: { id: own!.id }, body: { confirmed: true } });
  await dayLater();
  expect([await titles(late), await titles(prompt)]).toEqual([['请确认收到：签收', '签收'], []]);
  for (let day = 0; day < 4; day++) await dayLater();
  expect((await titles(late)).filter((title) => title !== '签收')).toHaveLength(3);
  const mine = (await late.get(messages.unread)).value.find((one) => one.msg_id === id)!;
  await late.get(messages.mark, { params: { id: mine.id }, body: { confirmed: true } });
  expect(await titles(late)).toEqual([]);
});

test('what was handed over and has not left when a notice is recalled never leaves, what is just being carried arrives', async () => {
  const post = await openPost();
  let goOn = () => undefined as void;
  post.held = new Promise((resolve) => (goOn = resolve));
  try {
    const clock = (hours: number) => momentText(new Date(Date.now() + hours * 3_600_000)).slice(11, 16);
    const mail = { host: '127.0.0.1', port: String(post.port), from: 'office@example.com' };
    const quiet = `${clock(-1)}-${clock(2)}`;
    await office.admin.get(settings.saveInterfaces, { body: { mail, sms_rules: { quiet } } as object });
    const kept = async () => (await office.services.settings.get('interface'))['sms_rules']?.['quiet'];
    await expect.poll(kept, { timeout: 20_000 }).toBe(quiet);
    const [slow, busy] = [await someone('slow@example.com'), await someone('busy@example.com')];
    const texted = await office.signIn(await office.person({ phone: '13800009999' }));
    const author = await sender();
    for (const who of [slow, busy]) await who.get(messages.keepPreference, { body: { events: { NOTICE: ['mail'] } } });
    await texted.get(messages.keepPreference, { body: { events: { NOTICE: ['sms'] } } });
    const users = [slow, busy, texted].map((who) => who.userId);
    const { id } = await author.get(messages.send, {
      body: { title: '作废的通知', content: '今晚加班', users } as never,
    });
    const states = () =>
      rows('select user_id, state, tries > 0 tried from delivery where user_id = any($1) order by user_id', users);
    const standing = (...all: [string, boolean][]) =>
      all.map(([state, tried], at) => ({ user_id: users[at], state, tried }));
    const becomes = (expected: unknown) =>
      vi.waitFor(async () => expect(await states()).toEqual(expected), { timeout: 20_000, interval: 100 });
    await becomes(standing(['waiting', true], ['retrying', true], ['waiting', false]));
    await vi.waitFor(() => expect(post.letters).toHaveLength(1), { timeout: 20_000, interval: 100 });
    await author.get(messages.recall, { params: { id } });
    const over = standing(['sent', true], ['cancelled', true], ['cancelled', false]);
    expect((await states()).slice(1)).toEqual(over.slice(1));
    expect(await rows('select state from sms_log where user_id = $1', texted.userId)).toEqual([{ state: 4 }]);
    goOn();
    await becomes(over);
    // The tries that were due later find nothing to carry.
    await rows(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
      where key like 'delivery:%'`);
    const jobs = () => rows(`select key from graphile_worker.jobs where key like 'delivery:%'`);
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), { timeout: 20_000, interval: 100 });
    expect(await states()).toEqual(over);
    expect(post.letters).toHaveLength(1);
  } finally {
    goOn();
    post.close();
  }
}, 120_000);
