import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { sms } from './contract.ts';
import { openProviders } from './testing/providers.ts';

vi.setConfig({ testTimeout: 180_000 });

let providers: Awaited<ReturnType<typeof openProviders>>;
/** Replies of a slow provider: each message waits for one. */
const held: ((status: number, body: object) => void)[] = [];
const slow = createServer((_request, response) => {
  held.push((status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );
});
const taken = { Code: 'OK', Message: 'OK', BizId: 'biz-1' };
const busy = { Code: 'ServiceUnavailable', Message: '忙' };

beforeAll(async () => {
  providers = await openProviders();
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  await providers.use(providers.account('aliyun', { url }));
});
afterAll(async () => {
  await providers.close();
  slow.closeAllConnections();
  slow.close();
});

const left = async () => (await providers.sender.get(sms.countLong, { body: { mobiles: '13900000000' } })).quota_left;
const tell = (mobiles: string) => providers.sender.get(sms.send, { body: { mobiles, content: '开会' } });
const rowsOf = async (batch: number) =>
  (
    await providers.office.db.execute<{ state: number; open: number }>(sql`
      select l.state, (select count(*)::int from delivery_try t where t.delivery_id = l.delivery_id and t.ended_at is null) open
      from sms_log l where l.batch_id = ${batch} order by l.state`)
  ).rows;

test('a message already with the provider is not withdrawn: it is paid and left out of answer and audit', async () => {
  const before = await left();
  const { batch_id } = await tell('13800000001 13800000002 13800000003');
  await eventually(async () => expect(held).toHaveLength(2));
  const told = await providers.sender.get(sms.withdraw, { params: { id: batch_id } });
  expect(told).toEqual({ id: batch_id, withdrawn: 1, leaving: 2 });
  expect(await left()).toBe(before - 2);
  const { rows } = await providers.office.db.execute<{ fields: object[] }>(
    sql`select diff->0->'fields' fields from log where object_type = '短信' and diff::text like '%已撤销%'`,
  );
  expect(rows).toEqual([{ fields: expect.arrayContaining([{ field: '号码数', before: null, after: 1 }]) as object[] }]);
  for (const answer of held.splice(0)) answer(200, taken);
  await eventually(async () =>
    expect(await rowsOf(batch_id)).toEqual([
      { state: 1, open: 0 },
      { state: 1, open: 0 },
      { state: 4, open: 0 },
    ]),
  );
  expect(await left()).toBe(before - 2);
});

test('a message whose attempt was interrupted by a crash can be withdrawn while it waits, and its quota is returned', async () => {
  const before = await left();
  const send_at = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 16);
  const { batch_id } = await providers.sender.get(sms.send, {
    body: { mobiles: '13800000005', content: '开会', send_at },
  });
  await providers.office.services.databases.write((tx) =>
    tx.execute(sql`
    with cut as (
      update delivery set tries = 2 from sms_log l where l.batch_id = ${batch_id} and delivery.id = l.delivery_id
      returning delivery.id)
    insert into delivery_try (delivery_id, number, ended_at) select id, 1, null from cut union all select id, 2, now() from cut`),
  );
  expect(await providers.sender.get(sms.withdraw, { params: { id: batch_id } })).toMatchObject({
    withdrawn: 1,
    leaving: 0,
  });
  expect(await left()).toBe(before);
});

test('a message called back while the provider fails to take it is not retried', async () => {
  const { batch_id } = await tell('13800000004');
  await eventually(async () => expect(held).toHaveLength(1));
  expect(await providers.sender.get(sms.withdraw, { params: { id: batch_id } })).toMatchObject({
    withdrawn: 0,
    leaving: 1,
  });
  held.splice(0)[0]!(503, busy);
  await eventually(async () => expect(await rowsOf(batch_id)).toEqual([{ state: 4, open: 0 }]));
  const { rows } = await providers.office.db.execute(
    sql`select 1 from graphile_worker.jobs j join sms_log l on j.key = 'delivery:' || l.delivery_id where l.batch_id = ${batch_id}`,
  );
  expect(rows).toEqual([]);
  expect((await providers.sender.ask(sms.withdraw, { params: { id: batch_id } })).msg).toContain('没有可以撤销的');
});
