import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { sms } from './contract.ts';

vi.setConfig({ testTimeout: 40_000 });

let app: TestOffice;
let sender: Client;
beforeAll(async () => {
  app = await openTestApp();
  sender = await app.clerk({ 'sms/send': ['Create', 'Retrieve'] });
  await app.admin.get(sms.saveRule, { body: { quiet: '00:00-00:00' } });
});
afterAll(() => app.close());
const run = (text: string, ...values: unknown[]) => app.services.databases.pool.query(text, values);

test('a selection that is too large is refused with its actual number', async () => {
  await run(
    `insert into alumnus (creator_id, name, student_no, city) select $1, '校友' || n, n::text, '杭州' from generate_series(1, 5100) n`,
    sender.userId,
  );
  const body = { alumnus_filter: { city: '杭州' }, mobiles: '13800000001 13800000002', content: '校庆' };
  for (const answer of [await sender.ask(sms.countLong, { body }), await sender.ask(sms.send, { body })])
    expect(answer.msg).toBe('一次最多发给 5000 个号码，现有 5102 个，请分批发送');
});

test('the first excluded recipients are named, with the number of all', async () => {
  const mobiles = ['13800000003', ...Array.from({ length: 600 }, (_, at) => `没有号码 ${at}`)];
  const sent = await sender.get(sms.send, { body: { mobiles, content: '开会' } });
  expect(sent.skipped).toHaveLength(500);
  expect(sent).toMatchObject({ total: 1, skipped_total: 600 });
});

test('a number at its daily limit is counted separately, not as opted out', async () => {
  const body = { mobiles: '13800000004 13800000005', content: '开会' };
  const { batch_id } = await sender.get(sms.send, { body: { ...body, mobiles: '13800000004' } });
  // Without a provider the first fails, and failed ones do not count.
  await run(
    `insert into sms_log (batch_id, mobile, mobile_mark, mobile_tail, name, content, params, type, segments)
      select batch_id, mobile, mobile_mark, mobile_tail, name, content, params, type, segments
      from sms_log, generate_series(1, 50) where batch_id = $1`,
    batch_id,
  );
  expect(await sender.get(sms.countLong, { body })).toMatchObject({ total: 2, valid: 1, busy: 1, blacklist: 0 });
  expect((await sender.get(sms.send, { body })).skipped).toEqual([
    { name: '', mobile: '138****0004', reason: '今天已收到 50 条' },
  ]);
});
