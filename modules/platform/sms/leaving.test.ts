import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { sms } from './contract.ts';
import { smsTemplates } from './contract/templates.ts';
import { smsRules, type SmsRuleValue } from './contract/rules.ts';
import { messageTemplate, textPeople } from './service.ts';
import { smsLogTable } from './tables.ts';
import { openProviderServer, type ProviderServer } from './testing/provider-server.ts';

vi.setConfig({ testTimeout: 180_000 });

let app: TestOffice;
let provider: ProviderServer;
let dept: number;
let sender: Client;
let keeper: Client;
const plentiful = {
  day_quota: 100000,
  month_quota: 200000,
  quiet: '00:00-00:00',
  links: 'zs.edu.cn',
  words: '中奖',
};
const many = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(8, '0')}`);
const rowsOf = (batch: number) =>
  app.db.select().from(smsLogTable).where(eq(smsLogTable.batch_id, batch)).orderBy(smsLogTable.id);
const stateOf = async (batch: number) => (await rowsOf(batch)).map((row) => row.state);
const run = (text: string, ...values: unknown[]) => app.services.databases.pool.query(text, values);
/** Local `HH:mm`, some hours from now. */
const clock = (hours: number) => new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(11, 16);
const tomorrow = () => new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 16);
const left = async () => (await sender.get(sms.countLong, { body: { mobiles: '13500000000' } })).quota_left;

/** Saves the rules, and waits until the server uses them. */
async function rules(values: Partial<SmsRuleValue>) {
  await app.admin.get(sms.saveRule, { body: values });
  await eventually(async () => expect(await app.services.settings.of(smsRules)).toMatchObject(values));
}
/** Makes its jobs due now. */
const hurry = (log: number) =>
  run(
    `select graphile_worker.reschedule_jobs(array[j.id], now()) from graphile_worker.jobs j
      join sms_log l on j.key = 'delivery:' || l.delivery_id where l.id = $1`,
    log,
  );

beforeAll(async () => {
  provider = await openProviderServer();
  app = await openTestApp({ outgoingAllow: ['127.0.0.1'] });
  dept = await app.dept('党政办');
  sender = await app.clerk({ 'sms/send': ['Create', 'Retrieve'] }, { dept });
  keeper = await app.clerk({ 'sms/logs': ['Retrieve', 'chuli'], 'sms/send': ['Create'] }, { dept });
  await app.admin.get(settings.saveInterfaces, { body: { sms: provider.account('tencent') } as never });
  await rules(plentiful);
});
afterAll(async () => {
  await app.close();
  provider.close();
});

test('a withdrawn message is never sent and says so', async () => {
  const sent = await sender.get(sms.send, { body: { mobiles: many(201, '138'), content: '撤销测试' } });
  await keeper.get(sms.withdraw, { params: { id: sent.batch_id } });
  expect(new Set(await stateOf(sent.batch_id))).toEqual(new Set([4]));
  expect((await keeper.ask(sms.send, { body: { confirm_token: sent.confirm_token! } })).code).toBe(-1);
});

test('a released message not yet sent is called back and returns its quota, a sent one is not', async () => {
  const before = await left();
  const body = { mobiles: many(3, '135'), content: '日期写错的通知', send_at: tomorrow() };
  const { batch_id } = await sender.get(sms.send, { body });
  expect(await left()).toBe(before - 3);
  const [first] = await rowsOf(batch_id);
  await hurry(first!.id);
  await eventually(async () => expect(await stateOf(batch_id)).toEqual([1, 0, 0]));
  const shown = { id: batch_id, state: 1, total: 3, unsent: 2, confirm_token: null, actions: ['withdraw'] };
  expect((await sender.get(sms.waiting)).value).toEqual([expect.objectContaining(shown)]);
  const { value } = await keeper.get(sms.logs, { query: { batch: batch_id } });
  expect(value.map((row) => row.actions).toSorted()).toEqual([[], ['withdraw'], ['withdraw']]);
  const params = { id: batch_id };
  const narrow = await app.clerk({ 'sms/send': ['Create'] }, { dept: await app.dept('外单位'), dataScope: 3 });
  expect((await narrow.ask(sms.withdraw, { params })).code).toBe(4004);
  expect((await narrow.get(sms.waiting)).value).toEqual([]);
  await sender.get(sms.withdraw, { params });
  expect(await stateOf(batch_id)).toEqual([1, 4, 4]);
  expect(await left()).toBe(before - 1);
  expect((await sender.ask(sms.withdraw, { params })).msg).toContain('已全部发出或撤销');
  expect((await sender.get(sms.waiting)).value).toEqual([]);
  for (const { id } of (await rowsOf(batch_id)).slice(1)) await hurry(id);
  const jobs = `select 1 from graphile_worker.jobs j join sms_log l on j.key = 'delivery:' || l.delivery_id
    where l.batch_id = $1`;
  await eventually(async () => expect((await run(jobs, batch_id)).rowCount).toBe(0));
  expect(await stateOf(batch_id)).toEqual([1, 4, 4]);
  expect(await left()).toBe(before - 1);
});

test('a sending time is in the site’s time zone, with or without seconds, and another zone is refused', async () => {
  const at = new Date(Date.now() + 3_600_000);
  const ask = (send_at: string) =>
    sender.ask(sms.send, { body: { mobiles: '13500000012', content: '晚一小时', send_at } });
  for (const zoned of [at.toISOString(), at.toISOString().replace('Z', '+08:00'), '2099-02-30T10:00'])
    expect(await ask(zoned), zoned).toMatchObject({ code: 4000 });
  expect((await ask('2020-01-01 00:00')).msg).toMatch(/^发送时间 2020-01-01 00:00 已经过去/);
  expect((await ask('2099-01-01 00:00')).msg).toMatch(/最晚在一年之内/);
  const local = new Date(at.getTime() + 8 * 3_600_000).toISOString();
  for (const length of [16, 19])
    expect((await ask(local.slice(0, length))).data.send_at).toBe(
      `${local.slice(0, 16).replace('T', ' ')}${length === 19 ? local.slice(16, 19) : ':00'}`,
    );
});

test('a batch approved by a second person is called back to the first one’s quota on the approval day', async () => {
  const before = await left();
  const sent = await sender.get(sms.send, {
    body: { mobiles: many(201, '134'), content: '复核后又取消', send_at: tomorrow() },
  });
  await run(`update sms_batch set gmt_created = gmt_created - interval '40 days' where id = $1`, sent.batch_id);
  await keeper.get(sms.send, { body: { confirm_token: sent.confirm_token! } });
  expect(await left()).toBe(before - 201);
  await keeper.get(sms.withdraw, { params: { id: sent.batch_id } });
  expect(new Set(await stateOf(sent.batch_id))).toEqual(new Set([4]));
  expect(await left()).toBe(before);
});

test('calling back a message that another person resent returns no quota to the first sender', async () => {
  const { batch_id } = await sender.get(sms.send, { body: { mobiles: '13500000009', content: '重发' } });
  await eventually(async () => expect(await stateOf(batch_id)).toEqual([1]));
  const before = await left();
  await run('update sms_log set state = 3 where batch_id = $1', batch_id);
  await rules({ ...plentiful, quiet: `${clock(-1)}-${clock(1)}` });
  await keeper.get(sms.resend, { params: { id: (await rowsOf(batch_id))[0]!.id } });
  await sender.get(sms.withdraw, { params: { id: batch_id } });
  expect(await stateOf(batch_id)).toEqual([4]);
  await rules(plentiful);
  expect(await left()).toBe(before);
});

test('a notice sent in quiet hours waits until they end', async () => {
  const ends = clock(1);
  await rules({ ...plentiful, quiet: `${clock(-1)}-${ends}` });
  await eventually(async () => {
    const sent = await sender.get(sms.send, { body: { mobiles: '13700000400', content: '夜间' } });
    expect(sent.send_at?.slice(11, 16)).toBe(ends);
    expect(await stateOf(sent.batch_id)).toEqual([0]);
  });
  await rules(plentiful);
  await eventually(async () => {
    const sent = await sender.get(sms.send, { body: { mobiles: '13700000400', content: '白天' } });
    expect(sent.send_at).toBeNull();
  });
});

test('a notice due in quiet hours waits without using up an attempt, an alarm is sent', async () => {
  const alarm = await app.admin.get(smsTemplates.add, {
    body: { code: 'alarm', name: '告警', content: '水管爆裂', type: 3 },
  });
  const waits = { mobiles: '13500000011', send_at: tomorrow() };
  const notice = await sender.get(sms.send, { body: { ...waits, content: '夜里轮到' } });
  const urgent = await sender.get(sms.send, { body: { ...waits, template_id: alarm.id! } });
  const until = clock(1);
  await rules({ ...plentiful, quiet: `${clock(-1)}-${until}` });
  const [log] = await rowsOf(notice.batch_id);
  const delivery = async () =>
    (
      await run(
        `select state, tries, failures, answer, to_char(due_at, 'HH24:MI') due,
           (select count(*)::int from delivery_try t where t.delivery_id = d.id) noted
         from delivery d where id = $1`,
        log!.delivery_id,
      )
    ).rows[0] as Record<string, unknown>;
  await hurry(log!.id);
  await hurry((await rowsOf(urgent.batch_id))[0]!.id);
  await eventually(async () => expect(await stateOf(urgent.batch_id)).toEqual([1]));
  const later = { state: 'waiting', tries: 0, failures: 0, due: until, noted: 0 };
  await eventually(async () =>
    expect(await delivery()).toMatchObject({ ...later, answer: expect.stringContaining('免打扰') as string }),
  );
  expect(await rowsOf(notice.batch_id)).toMatchObject([{ state: 0, retry: 0, sent_at: null }]);
  await rules(plentiful);
  await hurry(log!.id);
  await eventually(async () => expect(await rowsOf(notice.batch_id)).toMatchObject([{ state: 1, retry: 0 }]));
  expect(await delivery()).toMatchObject({ state: 'sent', tries: 1, noted: 1 });
});

test('a system text is sent whatever a title contains: brackets are replaced, links and sensitive words left out', async () => {
  const told = await app.person({ dept, phone: '13700000800', alias: '何老师' });
  const titles = ['【紧急】{name}与{甲}停电', '请看 oa.abc.edu.cn', '恭喜 中-奖', '见 zs.edu.cn/a'];
  for (const [at, title] of titles.entries())
    await app.services.databases.write((tx) =>
      textPeople(
        tx,
        { template: messageTemplate, to: [told.id], params: { title }, module: 'messages', objectId: 900_000 + at },
        app.services,
        new Date(),
      ),
    );
  const rows = await app.db
    .select()
    .from(smsLogTable)
    .where(eq(smsLogTable.user_id, told.id))
    .orderBy(smsLogTable.object_id);
  expect(rows.map((row) => row.params)).toEqual(
    ['〔紧急〕｛name｝与｛甲｝停电', '内容从略', '内容从略', '见 zs.edu.cn/a'].map((title) => ({ title })),
  );
  for (const { content, params } of rows)
    expect(content.replace(/^【[^】]+】/, '')).toBe(`您有一条新消息：${params['title']}，请登录系统查看。`);
});

test('a system template cannot have a placeholder that nobody fills', async () => {
  const { value } = await app.admin.get(smsTemplates.list, { query: { type: 2, search_value: messageTemplate } });
  const { id, version } = value.find((row) => row.code === messageTemplate)!;
  const edit = (content: string) => app.admin.ask(smsTemplates.change, { params: { id }, body: { content, version } });
  expect(await edit('{name}，新消息：{title}，地点 {地点}')).toMatchObject({
    code: 4000,
    msg: expect.stringContaining('{地点}') as string,
  });
  expect((await edit('{姓名}，您有一条新消息：{title}，请登录系统查看。')).code).toBe(0);
});

test('an opt-out reply is honoured from either provider, and other replies and strangers change nothing', async () => {
  expect((await keeper.get(sms.replyAddress)).path).toBe('');
  const { path } = await keeper.get(sms.renewReplyAddress);
  expect((await keeper.get(sms.replyAddress)).path).toBe(path);
  const pass = async (body: object, to = path) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(app.url + to, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const time = '2026-11-22 09:00:00';
  const byAliyun = [
    {
      phone_number: '13500000021',
      content: ' r。',
      sign_name: '中枢',
      send_time: time,
      dest_code: '1',
      sequence_id: 7,
    },
    { phone_number: '13500000022', content: '收到，谢谢', send_time: time, dest_code: '1', sequence_id: 8 },
  ];
  const byTencent = {
    extend: '',
    mobile: '13500000023',
    nationcode: '86',
    sign: '中枢',
    text: '退订',
    time: 1_795_224_600,
  };
  expect(await pass(byTencent, path.replace(/key=./, 'key=x'))).toMatchObject({ code: 4004 });
  const valid = async () =>
    (await sender.get(sms.countLong, { body: { mobiles: '13500000021 13500000022 13500000023' } })).valid;
  expect(await valid()).toBe(3);
  expect(await pass(byAliyun)).toMatchObject({ code: 0, msg: expect.any(String) as string });
  expect(await pass(byTencent)).toMatchObject({ result: 0, errmsg: 'OK' });
  expect(await pass(byTencent)).toMatchObject({ result: 0 });
  expect(await valid()).toBe(1);
  const { value } = await keeper.get(sms.optOuts);
  expect(value.map(({ mobile, reason }) => [mobile.slice(-4), reason]).toSorted()).toEqual([
    ['0021', '本人回复短信退订'],
    ['0023', '本人回复短信退订'],
  ]);
  expect((await sender.ask(sms.replyAddress)).code).toBe(4003);
  expect((await sender.ask(sms.renewReplyAddress)).code).toBe(4003);
  const { path: renewed } = await keeper.get(sms.renewReplyAddress);
  expect(renewed).not.toBe(path);
  expect(await pass(byTencent)).toMatchObject({ code: 4004 });
  expect(await pass(byTencent, renewed)).toMatchObject({ result: 0 });
});

test('names that make a text too long are reported before anything is stored, when counting and when sending', async () => {
  const { id } = await app.person({ dept, phone: '13500000031', alias: '阿卜杜热西提江' });
  const body = { recipients: { users: [id] }, content: '{name}'.repeat(80) };
  for (const answer of [await sender.ask(sms.countLong, { body }), await sender.ask(sms.send, { body })])
    expect([answer.code, answer.msg]).toEqual([-1, expect.stringContaining('内容有 560 个字')]);
});

test('a second person who approves a batch is told if its author’s quota is used up', async () => {
  const { confirm_token } = await sender.get(sms.send, { body: { mobiles: many(201, '133'), content: '额度不足' } });
  await rules({ ...plentiful, day_quota: 1 });
  const refused = await keeper.ask(sms.send, { body: { confirm_token: confirm_token! } });
  expect(refused.msg).toContain('提交人今天的短信额度不足');
  await rules(plentiful);
});
