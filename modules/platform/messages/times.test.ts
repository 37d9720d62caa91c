import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { chaseTask } from './notices/chase.ts';
import { messages } from './contract.ts';
import { digestTask } from './outside/digest.ts';
import { publishTask } from './notices/publish.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const someone = async () => app.signIn(await app.person());
const sender = () => app.clerk({ 'msg/send': ['Create', 'Retrieve'] });
const titles = async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title);
const rows = async <R extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (await app.services.databases.pool.query<R>(text, values)).rows;
const now = { attempt: 1, now: new Date('2026-11-23T00:30:00Z') };

test('windows are notified of a scheduled notice at its time, not before', async () => {
  const reader = await someone();
  const body = {
    title: '下周例会',
    content: '九点',
    recipients: { users: [reader.userId] },
    publish_at: '2099-01-01T08:00',
  };
  const author = await sender();
  const { id } = await author.get(messages.send, { body: body as never });
  const how = async () =>
    (await author.get(messages.readers, { params: { id } })).value.map(({ state_name }) => state_name);
  expect(await how()).toEqual(['待发布']);
  const cursor = () => rows('select at from live_cursor where person_id = $1', reader.userId);
  expect(await cursor()).toEqual([]);
  expect(await rows(`select run_at from graphile_worker.jobs where key = $1`, `publish:${id}`)).toEqual([
    { run_at: expect.stringContaining('2099-01-01 08:00') },
  ]);
  const together =
    'select r.publish_at = m.publish_at as same from msg m join msg_user r on r.msg_id = m.id where m.id = $1';
  expect(await rows(together, id)).toEqual([{ same: true }]);
  await rows('update msg set publish_at = now() where id = $1', id);
  await publishTask(app.services.databases).run({ id }, now);
  expect(await cursor()).toHaveLength(1);
  expect(await titles(reader)).toEqual(['下周例会']);
  expect(await how()).toEqual(['未读']);
});

test('a scheduled notice cannot be deleted or recognised by its recipients beforehand', async () => {
  const reader = await someone();
  const author = await sender();
  const ahead = { content: '无', recipients: { users: [reader.userId] }, publish_at: '2099-01-01T08:00' };
  const send = (title: string) => author.get(messages.send, { body: { ...ahead, title } as never });
  const [{ id }, { id: withdrawn }] = [await send('下周'), await send('不办了')];
  const [mine] = await rows<{ id: number }>('select id from msg_user where msg_id = $1', id);
  const recalls = async (which: number) => {
    const { code, msg } = await reader.ask(messages.recall, { params: { id: which } });
    return [code, msg];
  };
  const nothing = await recalls(999_999);
  expect(await recalls(id)).toEqual(nothing);
  expect((await reader.ask(messages.remove, { params: { id: mine!.id } })).code).toBe(4004);
  expect(await reader.get(messages.removeSeveral, { body: { ids: [mine!.id] } })).toEqual({ count: 0 });
  await author.get(messages.recall, { params: { id: withdrawn } });
  await rows('update msg set publish_at = now() where id = any($1)', [id, withdrawn]);
  expect(await titles(reader)).toEqual(['下周']);
  expect([await recalls(withdrawn), (await recalls(id))[0]]).toEqual([nothing, 4003]);
});

test('the operation log says whether a recalled notice had been published', async () => {
  const author = await sender();
  const recalled = async (title: string, publish_at?: string) => {
    const body = { title, content: '无', recipients: { users: [author.userId] }, publish_at };
    const { id } = await author.get(messages.send, { body: body as never });
    await author.get(messages.recall, { params: { id } });
    const [entry] = await rows<{ diff: unknown }>(
      `select diff from log where title = $1 and action = '撤回消息'`,
      title,
    );
    return entry?.diff;
  };
  const from = (before: string) => [{ fields: [{ field: '状态', before, after: '已撤回' }] }];
  expect(await recalled('下月的通知', '2099-01-01T08:00')).toMatchObject(from('待发布'));
  expect(await recalled('今天的通知')).toMatchObject(from('已发布'));
});

test('a notice recalled while its unconfirmed recipients are asked again leaves no such message', async () => {
  const { databases } = app.services;
  const asked = async () => {
    const late = await someone();
    const body = { title: '作废的签收', content: '请', recipients: { users: [late.userId] }, need_receipt: true };
    const { id } = await (await sender()).get(messages.send, { body: body as never });
    await rows(`update msg set publish_at = publish_at - interval '25 hours' where id = $1`, id);
    return { id, late };
  };
  const recall = (id: number) => app.admin.get(messages.recall, { params: { id } });
  /** Waits until so many transactions wait for a lock. */
  const waiting = (count: number) =>
    eventually(async () =>
      expect(
        await rows(
          'select distinct pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
        ),
      ).toHaveLength(count),
    );
  const held = await databases.pool.connect();
  try {
    const first = await asked();
    await held.query('begin');
    // The point at which sending waits for its turn.
    await held.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`msg:messages:${first.id}:CHASE`]);
    const chasing = chaseTask(databases).run({}, now);
    await waiting(1);
    const recalling = recall(first.id);
    await waiting(2);
    await held.query('commit');
    await Promise.all([chasing, recalling]);
    expect(await titles(first.late)).toEqual([]);
    const second = await asked();
    await held.query('begin');
    await held.query('update msg set recall_at = now() where id = $1', [second.id]);
    const chasingAgain = chaseTask(databases).run({}, now);
    await waiting(1);
    await held.query('commit');
    await chasingAgain;
    expect(await titles(second.late)).toEqual([]);
  } finally {
    await held.query('rollback');
    held.release();
  }
}, 180_000);

test('recalling a notice also updates the windows of people who had read it', async () => {
  const reader = await someone();
  const author = await sender();
  const { id } = await author.get(messages.send, {
    body: { title: '误发', content: '无', recipients: { users: [reader.userId] } } as never,
  });
  await reader.get(messages.readAll, { body: {} });
  const cursor = async () => (await rows('select at from live_cursor where person_id = $1', reader.userId))[0]?.['at'];
  const before = await cursor();
  await author.get(messages.recall, { params: { id } });
  expect(await cursor()).not.toEqual(before);
});

test('the morning digest is one message about all that waits, and is not sent to people without to-dos or who opted out', async () => {
  const [busy, done, off] = [await someone(), await someone(), await someone()];
  await off.get(messages.keepPreference, { body: { digest: false } });
  const duties = async () => [
    {
      people: [busy.userId],
      kinds: [
        { title: '待办工单', count: 5, overdue: 2 },
        { title: '待阅公文', count: 2, overdue: 0 },
      ],
    },
    { people: [off.userId], kinds: [{ title: '待办工单', count: 1, overdue: 0 }] },
  ];
  const { databases } = app.services;
  const task = digestTask(databases, duties);
  await task.run({}, now);
  await task.run({}, now);
  expect(await titles(busy)).toEqual(['今日待办：7 项，其中 2 项已逾期']);
  const [told] = (await busy.get(messages.unread)).value;
  const { content } = await busy.get(messages.get, { params: { id: told!.id } });
  expect(content).toBe('截至今天早上等待办理的事项：待办工单 5 项，其中 2 项已逾期；待阅公文 2 项。');
  await busy.get(messages.setRead, { params: { id: told!.id }, body: { read_state: 2 } });
  await task.run({}, { ...now, now: new Date('2026-11-24T00:30:00Z') });
  expect(await titles(busy)).toHaveLength(1);
  expect([await titles(done), await titles(off)]).toEqual([[], []]);
});

test('an unconfirmed recipient is reminded once a day, at most three times, until they confirm or delete the notice', async () => {
  const [late, prompt, tidy] = [await someone(), await someone(), await someone()];
  const users = [late.userId, prompt.userId, tidy.userId];
  const body = { title: '签收', content: '请确认', recipients: { users }, need_receipt: true };
  const { id } = await (await sender()).get(messages.send, { body: body as never });
  const chase = chaseTask(app.services.databases);
  const dayLater = async () => {
    await rows(
      `update msg set publish_at = publish_at - interval '25 hours', gmt_created = gmt_created - interval '25 hours'`,
    );
    await chase.run({}, now);
    await chase.run({}, now);
  };
  await chase.run({}, now);
  expect(await titles(late)).toEqual(['签收']);
  const [own] = (await prompt.get(messages.unread)).value;
  await prompt.get(messages.setRead, { params: { id: own!.id }, body: { confirmed: true } });
  await dayLater();
  expect([await titles(late), await titles(prompt)]).toEqual([['请确认收到：签收', '签收'], []]);
  const unwanted = (await tidy.get(messages.unread)).value.find((one) => one.msg_id === id)!;
  await tidy.get(messages.remove, { params: { id: unwanted.id } });
  expect(await titles(tidy)).toEqual([]);
  const [reminder] = (await late.get(messages.unread)).value;
  const { web_path } = await late.get(messages.get, { params: { id: reminder!.id } });
  expect(web_path).toBe(`/msg?notice=${id}`);
  expect((await late.get(messages.read, { query: { all: true, notice: id } })).value.map((one) => one.title)).toEqual([
    '签收',
  ]);
  await late.get(messages.setRead, { params: { id: reminder!.id }, body: { read_state: 1 } });
  for (let day = 0; day < 4; day++) await dayLater();
  expect((await titles(late)).filter((title) => title !== '签收')).toHaveLength(3);
  const mine = (await late.get(messages.unread)).value.find((one) => one.msg_id === id)!;
  await late.get(messages.setRead, { params: { id: mine.id }, body: { confirmed: true } });
  expect(await titles(late)).toEqual([]);
});
