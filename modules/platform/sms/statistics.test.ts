import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import type { PageOf } from '#kernel/contract/figures.ts';
import { sms } from './contract.ts';
import { smsRules } from './contract/rules.ts';
import type { smsFigures } from './contract/statistics.ts';
import { openProviderServer, type ProviderServer } from './testing/provider-server.ts';

/** Waits until a condition holds. */
const until = (so: () => Promise<boolean>) =>
  eventually(async () => {
    if (!(await so())) throw new Error('not yet');
  }, 180_000);

let app: TestOffice;
let provider: ProviderServer;
let sender: Client;
let other: Client;
let dept: number;
beforeAll(async () => {
  provider = await openProviderServer();
  app = await openTestApp({ outgoingAllow: ['127.0.0.1'] });
  dept = await app.dept('教务处');
  const grants = { 'sms/send': ['Create' as const], 'sms/logs': ['Retrieve' as const] };
  sender = await app.clerk(grants, { dept, dataScope: 3 });
  other = await app.clerk(grants, { dept: await app.dept('后勤处'), dataScope: 5 });
  await app.admin.get(settings.saveInterfaces, {
    body: { sms: provider.account('aliyun') } as never,
  });
  await app.admin.get(sms.saveRule, {
    body: { quiet: '00:00-00:00', day_quota: 30, month_quota: 100, price: 5 },
  });
  const price = async () => (await app.services.settings.of(smsRules)).price;
  await until(async () => (await price()) === 5);
  await sender.get(sms.send, { body: { mobiles: '13800000001 13800000002 13800000003', content: '开会' } });
  await other.get(sms.send, { body: { mobiles: '13800000004', content: '开会' } });
  // Sets results that other tests cover: two arrived, one did not, and one was never sent.
  const fate = (mobile: string, state: number) =>
    app.services.databases.write((tx) =>
      tx.execute(sql`update sms_log set state = ${state} where mobile_tail = ${mobile}`),
    );
  await until(async () => (await sender.get(sms.logs, {})).value.every((row) => row.state === 1));
  await fate('0001', 2);
  await fate('0002', 2);
  await fate('0003', 3);
});
afterAll(async () => {
  await app.close();
  provider.close();
});

const seenBy = async (who: Client, query: object = {}) =>
  (await who.get(sms.statistics, { query })).value as PageOf<typeof smsFigures>;

test('the remaining daily and monthly quotas are shown beside sent, delivered and paid messages', async () => {
  const seen = await seenBy(sender);
  expect(seen.summary.today).toEqual({ used: 3, limit: 30 });
  expect(seen.summary.depts).toEqual([{ dept_name: '教务处', used: 3, limit: 100 }]);
  const sums = { total: 3, segments: 3, delivered: 2, failed: 1, rate: 66.7, cost: 0.15 };
  expect(seen.by_dept).toEqual([{ key: String(dept), name: '教务处', ...sums }]);
  expect(seen.by_month).toEqual([expect.objectContaining({ name: expect.stringMatching(/^\d{4}-\d\d$/), ...sums })]);
});

test('message figures follow the scope: own, department or all', async () => {
  const own = await seenBy(other);
  expect([own.summary.today.used, own.summary.depts, own.by_dept.map((row) => row.total)]).toEqual([1, [], [1]]);
  const all = await seenBy(app.admin);
  expect(all.summary.depts.map((row) => row.dept_name).toSorted()).toEqual(['后勤处', '教务处']);
  expect(all.by_month.map((row) => row.total)).toEqual([4]);
  expect((await seenBy(app.admin, { end: '2020-01-01', start: '2019-01-01' })).by_month).toEqual([]);
  const nobody = await app.clerk({ 'sms/send': ['Create'] });
  expect((await nobody.ask(sms.statistics, {})).code).toBe(4003);
});
