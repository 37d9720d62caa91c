import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { openLog } from '#kernel/server/log/log.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { sms } from './contract.ts';

// No provider has been configured yet.
const logged: string[] = [];
let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp({ log: openLog('trace', { write: (line: string) => void logged.push(line) }) });
  await app.admin.get(sms.saveRule, { body: { quiet: '00:00-00:00' } });
  await app.admin.get(settings.saveLogin, { body: { phone_login: true } });
  await eventually(async () => {
    if (!(await app.services.settings.get('login')).phone_login) throw new Error('not open yet');
  });
});
afterAll(() => app.close());

test('without a provider nobody signs in by phone, no attempt is counted, and a sentence says why', async () => {
  const phone = '13900002001';
  await app.person({ phone });
  const said = { code: -1, msg: '还没有设置短信服务商，验证码无法发出，请使用其他方式登录或联系管理员' };
  expect(await app.stranger.ask(accounts.smsCode, { params: { phone } })).toMatchObject(said);
  expect(await app.stranger.ask(accounts.login, { body: { phone, code: '123456' } })).toMatchObject(said);
  const visits = () => app.stranger.ask(accounts.smsCode, { params: { phone }, query: { scene: 'order' } as never });
  expect((await visits()).msg).toBe('本单位没有开放访客报修，请拨打受理电话报修，或请本单位人员代为报修');
  await app.admin.get(settings.saveSite, { body: { visitor_orders: true } });
  await eventually(async () =>
    expect((await visits()).msg).toBe('验证码暂时无法发出，请拨打受理电话报修，或请本单位人员代为报修'),
  );
  const { rows } = await app.services.databases.pool.query('select 1 from phone_code union all select 1 from attempt');
  expect(rows).toEqual([]);
});

test('a message sent without a provider fails, and the log says why', async () => {
  const { batch_id } = await app.admin.get(sms.send, { body: { mobiles: '13900002004', content: '无人送达' } });
  await eventually(async () => {
    const { value } = await app.admin.get(sms.logs, { query: { batch: batch_id } });
    expect(value).toMatchObject([{ state: 3, provider_msg: '未设置短信服务商，没有发出', actions: ['resend'] }]);
  }, 180_000);
  const { rows } = await app.services.databases.pool.query('select state, tries from delivery');
  expect(rows).toEqual([{ state: 'given_up', tries: 1 }]);
});

test('message texts and codes appear in no log of the server', async () => {
  const code = '730514';
  const { databases, sendCode } = app.services;
  await app.admin.get(sms.send, { body: { mobiles: '13900002002', content: '试讲安排在三号楼' } });
  await databases.write((tx) =>
    sendCode(tx, { phone: '13900002003', code, scene: 'login', minutes: 5, reachable: true }),
  );
  await eventually(async () => {
    const { rows } = await databases.pool.query(`select 1 from delivery where state in ('sent', 'given_up')`);
    expect(rows).toHaveLength(3);
  }, 180_000);
  const { rows } = await databases.pool.query<{ answer: string }>(`select answer from delivery where channel = 'sms'`);
  expect(rows.map(({ answer }) => answer)).toEqual(Array(3).fill('未设置短信服务商，没有发出'));
  expect(logged.filter((line) => line.includes('no provider of text messages is set'))).toHaveLength(3);
  for (const word of [code, '试讲', '三号楼', '13900002002', '13900002003'])
    expect(logged.filter((line) => line.includes(word))).toEqual([]);
});
