import { afterAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { sms } from './contract.ts';
import { receiptTask } from './logs/receipts.ts';
import { openProviders } from './testing/providers.ts';

vi.setConfig({ testTimeout: 40_000 });

const { office: app, sender, use, account, queries, fates, rowOf, close } = await openProviders();
afterAll(close);

/** Sends one message, and makes the receipt job find it due. */
async function sentBy(name: 'aliyun' | 'tencent', mobile: string) {
  await use(account(name));
  const { batch_id } = await sender.get(sms.send, { body: { mobiles: mobile, content: '回执' } });
  await eventually(async () => expect(await rowOf(batch_id)).toMatchObject({ state: 1 }));
  return batch_id;
}
async function asksNow() {
  queries.length = 0;
  await app.services.databases.pool.query(
    `update sms_log set sent_at = sent_at - interval '10 minutes', receipt_asked_at = null where state = 1`,
  );
  await receiptTask(app.services).run({}, { attempt: 1, now: new Date() });
}

test('a receipt marks a message once as delivered or failed, for either provider', async () => {
  for (const [name, mobile, spelled, action] of [
    ['aliyun', '13800000021', '13800000021', 'QuerySendDetails'],
    ['tencent', '13800000022', '+8613800000022', 'PullSmsSendStatusByPhoneNumber'],
  ] as const) {
    await app.services.databases.pool.query(`update sms_log set sent_at = now() - interval '4 days' where state = 1`);
    const [good, bad] = [await sentBy(name, mobile), await sentBy(name, mobile)];
    await asksNow();
    expect(queries).toEqual(Array.from({ length: 2 }, () => ({ action, mobile: spelled, signed: true })));
    expect([(await rowOf(good)).state, (await rowOf(good)).receipt_time]).toEqual([1, null]);
    // It was queried a moment ago, so not yet again.
    queries.length = 0;
    await receiptTask(app.services).run({}, { attempt: 1, now: new Date() });
    expect(queries).toEqual([]);
    fates.set((await rowOf(good)).provider_code, 'delivered');
    fates.set((await rowOf(bad)).provider_code, 'failed');
    await asksNow();
    expect(await rowOf(good)).toMatchObject({ state: 2, receipt_time: '2026-11-21 09:30:00' });
    expect(await rowOf(bad)).toMatchObject({ state: 3, provider_msg: name === 'aliyun' ? 'MK:0001' : 'UNDELIV' });
    await asksNow();
    expect(queries).toEqual([]);
  }
});

test('a message reported as failed is resent with a receipt of its own', async () => {
  const batch = await sentBy('aliyun', '13800000023');
  const { id, provider_code: providerCode } = await rowOf(batch);
  fates.set(providerCode, 'failed');
  await asksNow();
  expect((await rowOf(batch)).state).toBe(3);
  await app.admin.get(sms.resend, { params: { id } });
  await eventually(async () => expect(await rowOf(batch)).toMatchObject({ state: 1, receipt_time: null }));
  const again = await rowOf(batch);
  expect(again.provider_code).not.toBe(providerCode);
  fates.set(again.provider_code, 'delivered');
  await asksNow();
  expect((await rowOf(batch)).state).toBe(2);
});

test('a provider that does not answer leaves the message as it is', async () => {
  const batch = await sentBy('aliyun', '13800000024');
  await use(account('tencent', { secret: 'another' }));
  await asksNow();
  expect(queries).toEqual([]);
  expect(await rowOf(batch)).toMatchObject({ state: 1, receipt_time: null });
});
