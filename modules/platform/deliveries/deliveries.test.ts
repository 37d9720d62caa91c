import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { deliveries, type DeliveryRow } from './contract.ts';
import { resume } from './deliver.ts';
import { endedBefore, purgeDeliveries } from './purge.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { cancel, keptBackSaid, post, silenceCopy, type Payload } from './service.ts';
import { deliveryTable } from './tables.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';

let app: TestOffice;
let receiver: Receiver;
beforeAll(async () => {
  [app, receiver] = await Promise.all([openTestApp({ outgoingAllow: ['127.0.0.1'] }), openReceiver()]);
});
beforeEach(() => {
  receiver.letters.length = 0;
  receiver.answer = { status: 200, body: '' };
});
afterAll(async () => {
  await app.close();
  receiver.close();
});

const later = new Date(Date.now() + 3_600_000);
const write: TestOffice['services']['databases']['write'] = (work) => app.services.databases.write(work);
const send = (...payloads: Payload[]) => write((tx) => post(tx, payloads));
const hook = (key: string, more: Partial<Payload> = {}): Payload => ({
  channel: 'hook',
  target: `${receiver.url}in?token=hidden`,
  title: '通知',
  body: { payload: { key } },
  key,
  ...more,
});
async function rowOf(key: string): Promise<DeliveryRow> {
  const { value } = await app.admin.get(deliveries.list, { query: { per_page: 100 } });
  return value.find((row) => row.key === key)!;
}
const becomes = (key: string, expected: Partial<DeliveryRow>) =>
  eventually(async () => expect(await rowOf(key)).toMatchObject(expected));
const resend = async (key: string) => app.admin.ask(deliveries.resend, { params: { id: (await rowOf(key)).id } });

test('a payload is delivered once its transaction has committed', async () => {
  await send(hook('arrives'));
  await becomes('arrives', { state: 'sent', tries: 1, answer: '200' });
  expect(receiver.letters.map((letter) => letter.headers['webhook-id'])).toEqual(['arrives']);
  const rolledBack = write(async (tx) => {
    await post(tx, [hook('rolled back')]);
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  expect(await rowOf('rolled back')).toBeUndefined();
});

test('a payload posted twice, even at once, is one, and both callers get its id', async () => {
  const [first] = await send(hook('twice', { at: later }));
  const again = await Promise.all(Array.from({ length: 4 }, () => send(hook('twice', { at: later }))));
  expect(again).toEqual(Array.from({ length: 4 }, () => [first]));
  expect(await rowOf('twice')).toMatchObject({ state: 'waiting', tries: 0, actions: [] });
});

test('a failed delivery is retried later with the same key, and its log says so', async () => {
  receiver.answer = { status: 503, body: '' };
  await send(hook('again'));
  await becomes('again', { state: 'retrying', tries: 1, actions: ['resend'] });
  const { due_at, gmt_created } = await rowOf('again');
  expect(due_at > gmt_created).toBe(true);
  receiver.answer = { status: 200, body: '' };
  expect((await resend('again')).code).toBe(0);
  await becomes('again', { state: 'sent', tries: 2 });
  expect(receiver.letters.map((letter) => letter.headers['webhook-id'])).toEqual(['again', 'again']);
  expect((await rowOf('again')).log).toMatchObject([
    { number: 1, repeated: false, done: false, answer: '对方回答 503' },
    { number: 2, repeated: true, done: true },
  ]);
});

test('deliveries are found by words of their titles, but not by a number that is hidden', async () => {
  await send(hook('to find', { title: '琥珀厅的会议改期，电话 13812345678', at: later }));
  const found = async (search_value: string) =>
    (await app.admin.get(deliveries.list, { query: { search_value } })).value.map(({ key }) => key);
  expect(await found('琥珀厅 改期')).toEqual(['to find']);
  expect(await found('鳄鱼')).toEqual([]);
  expect(await found('13812345678')).toEqual([]);
});

test('after the last failure a delivery is given up, and a manual resend starts anew', async () => {
  receiver.answer = { status: 500, body: '' };
  await send(hook('hopeless'));
  await becomes('hopeless', { state: 'retrying' });
  await write((tx) => tx.update(deliveryTable).set({ failures: 7 }).where(eq(deliveryTable.key, 'hopeless')));
  await write(async (tx) => {
    const [row] = await tx.select().from(deliveryTable).where(eq(deliveryTable.key, 'hopeless'));
    await enqueue(tx, 'deliver', { id: row!.id }, { key: `delivery:${row!.id}` });
  });
  await becomes('hopeless', { state: 'given_up', tries: 2 });
  await resend('hopeless');
  await becomes('hopeless', { state: 'retrying', tries: 3 });
});

test('an interrupted attempt stays in the log without an end, and its delivery is picked up again', async () => {
  await send(hook('left', { at: later }));
  await write((tx) =>
    tx.execute(sql`with left_over as (
        update delivery set tries = 1, due_at = now() - interval '20 minutes' where key = 'left' returning id
      ), cut as (insert into delivery_try (delivery_id, number) select id, 1 from left_over)
      select graphile_worker.remove_job('delivery:' || id) from left_over`),
  );
  expect(await rowOf('left')).toMatchObject({ stuck: true });
  const stuck = await app.admin.get(deliveries.list, { query: { stuck: true } });
  expect(stuck.value.map((row) => row.key)).toEqual(['left']);
  await write((tx) => enqueue(tx, resume, {}));
  await becomes('left', { state: 'sent', tries: 2, stuck: false });
  expect((await rowOf('left')).log).toMatchObject([
    { number: 1, ended_at: null, done: null },
    { number: 2, repeated: true, done: true },
  ]);
});

test('a delivery called back in time is not sent, but a resend sends it', async () => {
  await send(hook('called back', { at: later }));
  expect(await write((tx) => cancel(tx, ['called back', 'arrives']))).toBe(1);
  await becomes('called back', { state: 'cancelled' });
  await resend('called back');
  await becomes('called back', { state: 'sent' });
});

test('a waiting delivery cannot be resent, and one that can never succeed is given up at once', async () => {
  expect(await resend('twice')).toMatchObject({ code: -1, msg: '“通知”正在等待投递，无需重发' });
  await send(
    hook('no such robot', { channel: 'wecom', target: 'http://10.0.0.2/' }),
    hook('inside', { target: 'http://10.0.0.1/' }),
  );
  await becomes('no such robot', { state: 'given_up', tries: 1 });
  await becomes('inside', { state: 'given_up', tries: 1 });
  expect((await rowOf('inside')).answer).toMatch(/10\.0\.0\.1.*OUTGOING_ALLOW/);
});

test('a stuck delivery can be resent by hand although it is waiting', async () => {
  await send(hook('stuck', { at: later }));
  await write((tx) => tx.execute(sql`update delivery set due_at = now() - interval '20 minutes' where key = 'stuck'`));
  expect(await rowOf('stuck')).toMatchObject({ state: 'waiting', stuck: true, actions: ['resend'] });
  expect((await resend('stuck')).code).toBe(0);
  await becomes('stuck', { state: 'sent', tries: 1, stuck: false });
});

test('a restored copy sends nothing until an administrator allows it, and earlier deliveries are never sent', async () => {
  await send(hook('from the backup', { at: later }));
  await write((tx) => silenceCopy(tx, new Date().toISOString()));
  await send(hook('while silent'), hook('for later', { at: later }));
  const keptBack = { state: 'cancelled', answer: keptBackSaid } as const;
  await becomes('from the backup', keptBack);
  await becomes('while silent', keptBack);
  const dept = await app.dept();
  const keeper = await app.clerk({ 'system/delivery': ['Retrieve', 'chuli'] }, { dept, dataScope: 3 });
  expect(await keeper.ask(deliveries.letOut)).toMatchObject({ code: 4003 });
  expect((await app.admin.ask(deliveries.letOut)).code).toBe(0);
  await becomes('for later', keptBack);
  expect(receiver.letters).toEqual([]);
  await send(hook('once it may'));
  await becomes('once it may', { state: 'sent' });
  expect((await app.admin.ask(deliveries.letOut)).msg).toBe('本系统可以向外发送，无需再次允许');
});

test('a text message is resent only where quota, quiet hours and consent are checked', async () => {
  await send(hook('text', { channel: 'sms', body: { log: 0 } }));
  await becomes('text', { state: 'given_up', actions: [] });
  expect(await resend('text')).toMatchObject({ code: -1, msg: '“通知”是短信，请在“短信日志”中重发' });
});

test('deliveries finished longer ago than the retention are removed with their attempts, unsent ones stay', async () => {
  const old = sql`update delivery set gmt_modified = now() - interval '179 days'`;
  const older = sql`update delivery set gmt_modified = now() - interval '181 days'`;
  await send(hook('kept', { at: later }), hook('unsent', { at: later }), hook('ended', { at: later }));
  await write(async (tx) => {
    await cancel(tx, ['kept', 'ended']);
    await tx.execute(sql`${old} where key = 'kept'`);
    await tx.execute(sql`${older} where key in ('unsent', 'ended')`);
    await tx.execute(
      sql`insert into delivery_try (delivery_id, number) select id, 1 from delivery where key = 'ended'`,
    );
  });
  expect(await write((tx) => purgeDeliveries(tx))).toBe(false);
  const { rows } = await app.db.execute<{ key: string }>(
    sql`select key from delivery where key in ('kept', 'unsent', 'ended') order by key`,
  );
  expect(rows.map((row) => row.key)).toEqual(['kept', 'unsent']);
});

test('deliveries past their retention are found by an index, however many are kept', async () => {
  const plan = await write(async (tx) => {
    await tx.execute(sql`insert into delivery (channel, target, title, body, key, state, gmt_modified)
      select 'hook', 'x', 'x', '{}', 'many' || n, case when n % 2 = 0 then 'sent' else 'waiting' end, now() - make_interval(mins => n)
      from generate_series(1, 20000) n`);
    await tx.execute(sql`analyze delivery`);
    const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain ${endedBefore(tx, 5)}`);
    await tx.execute(sql`delete from delivery where key like 'many%'`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('Index Scan using delivery_ended');
  expect(plan).not.toMatch(/Seq Scan|Sort/);
});

test('numbers, addresses and tokens of deliveries are masked', async () => {
  const masked = async (key: string, more: Partial<Payload>) => {
    await send(hook(key, { at: later, ...more }));
    return (await rowOf(key)).target;
  };
  expect(await masked('m1', { channel: 'sms', target: '13800001234' })).toBe('138****1234');
  expect(await masked('m2', { channel: 'mail', target: 'zhangsan@school.example' })).toBe('z***@school.example');
  expect(await masked('m3', {})).toBe(`${receiver.url}••••••`);
  await masked('m4', { title: '请联系 13900005678' });
  expect((await rowOf('m4')).title).toBe('请联系 139****5678');
  const said = '550 5.1.1 <zhangsan@school.example>: no such user, ask 13900005678';
  await write((tx) => tx.update(deliveryTable).set({ answer: said }).where(eq(deliveryTable.key, 'm4')));
  expect((await rowOf('m4')).answer).toBe('550 5.1.1 <z***@school.example>: no such user, ask 139****5678');
});

test('a person who sees a department sees deliveries to its people, and resends only with the code', async () => {
  const dept = await app.dept();
  const inside = await app.person({ dept });
  const outside = await app.person();
  await send(
    hook('to inside', { userId: inside.id, at: later }),
    hook('to outside', { userId: outside.id, at: later }),
    hook('to nobody', { at: later }),
  );
  const reader = await app.clerk({ 'system/delivery': ['Retrieve'] }, { dept, dataScope: 3 });
  const { value } = await reader.get(deliveries.list, { query: { channel: 'hook' } });
  expect(value.map((row) => [row.key, row.user_name, row.actions])).toEqual([['to inside', inside.alias, []]]);
  const { id } = await rowOf('to inside');
  expect((await reader.ask(deliveries.resend, { params: { id } })).code).toBe(4003);
  const handler = await app.clerk({ 'system/delivery': ['Retrieve', 'chuli'] }, { dept, dataScope: 3 });
  const outsideId = (await rowOf('to outside')).id;
  expect((await handler.ask(deliveries.resend, { params: { id: outsideId } })).code).toBe(4004);
  expect((await handler.ask(deliveries.resend, { params: { id } })).code).toBe(-1);
});

test('deliveries are filtered by channel and state', async () => {
  const { value } = await app.admin.get(deliveries.list, { query: { channel: 'wecom', state: 'given_up' } });
  expect(value.map((row) => row.key)).toEqual(['no such robot']);
});
