import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { sms } from './contract.ts';
import { smsTemplates } from './contract/templates.ts';
import { smsRules, type SmsRuleValue } from './contract/rules.ts';
import { textPeople } from './service.ts';
import { smsLogTable, smsQuotaTable } from './tables.ts';
import { openProviderServer, type ProviderServer } from './testing/provider-server.ts';

vi.setConfig({ testTimeout: 40_000 });

let app: TestOffice;
let provider: ProviderServer;
let dept: number;
let sender: Client;
let keeper: Client;

/** Saves the rules, and waits until the server uses them. */
async function rules(values: Partial<SmsRuleValue>) {
  await app.admin.get(sms.saveRule, { body: values });
  await eventually(async () => {
    expect(await app.services.settings.of(smsRules)).toMatchObject(values);
  });
}
const plentiful = {
  day_quota: 100_000,
  month_quota: 100_000,
  links: 'zs.edu.cn',
  words: '中奖 代开发票',
  quiet: '00:00-00:00',
};
const many = (count: number, prefix = '139') =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(8, '0')}`);
const stateOf = async (batch: number) =>
  (await app.db.select().from(smsLogTable).where(eq(smsLogTable.batch_id, batch))).map((row) => row.state);

beforeAll(async () => {
  provider = await openProviderServer();
  app = await openTestApp({ outgoingAllow: ['127.0.0.1'] });
  dept = await app.dept('党政办');
  sender = await app.clerk({ 'sms/send': ['Create', 'Retrieve'] }, { dept });
  keeper = await app.clerk({ 'sms/logs': ['Retrieve', 'chuli', 'daochu'], 'sms/send': ['Create'] }, { dept });
  await app.admin.get(settings.saveInterfaces, { body: { sms: provider.account('tencent') } as never });
  await rules(plentiful);
});
afterAll(async () => {
  await app.close();
  provider.close();
});

test('a selection is counted before sending: each number once, with the reasons for excluded ones', async () => {
  const reached = await app.person({ dept, phone: '13700000001', alias: '甲' });
  const numberless = await app.person({ dept });
  await keeper.get(sms.optOut, { body: { mobile: '13700000009', reason: '来电要求' } });
  const body = {
    recipients: { users: [reached.id, numberless.id] },
    mobiles: '13700000001，+86 13700000002\n13700000002;12345 137-0000-0009',
    content: '字'.repeat(70),
  };
  const told = {
    total: 7,
    valid: 2,
    invalid: 2,
    duplicate: 2,
    blacklist: 1,
    no_consent: 0,
    segments_each: 2,
    segments_total: 4,
    needs_confirm: false,
    quota_left: 100_000,
  };
  expect(await sender.get(sms.countLong, { body })).toMatchObject(told);
  const list = ['13700000001', '+86 13700000002', '13700000002', '12345', '137-0000-0009'];
  const listed = await sender.get(sms.countLong, { body: { ...body, mobiles: list } });
  expect(listed).toMatchObject(told);
  expect(listed.preview).toMatch(/^【.+】字{70}$/);
  const asked = await sender.get(sms.count, {
    query: { users: `${reached.id},${numberless.id}` as never, content: '开会' },
  });
  expect(asked).toMatchObject({ total: 2, valid: 1, invalid: 1, segments_each: 1 });
});

test('people beyond the sender’s reach are not texted, whatever department is named', async () => {
  const far = await app.dept('外单位');
  const stranger = await app.person({ dept: far, phone: '13700000100' });
  const narrow = await app.clerk({ 'sms/send': ['Create'] }, { dept, dataScope: 3 });
  const counted = await narrow.get(sms.countLong, { body: { recipients: { depts: [far] }, content: '你好' } });
  expect(counted).toMatchObject({ total: 1, valid: 0, invalid: 1 });
  const answer = await narrow.ask(sms.send, { body: { recipients: { users: [stranger.id] }, content: '你好' } });
  expect(answer).toMatchObject({ code: -1, msg: expect.stringContaining('都不能接收短信') as string });
});

test('a message is sent through the outbox, and its record follows the delivery', async () => {
  const { id } = await app.person({ dept, phone: '13700000200', alias: '王老师' });
  const sent = await sender.get(sms.send, { body: { recipients: { users: [id] }, content: '{name}，今天 15 点开会' } });
  expect(sent).toMatchObject({ total: 1, segments: 1, skipped: [], send_at: null, confirm_token: null });
  await eventually(async () => expect(await stateOf(sent.batch_id)).toEqual([1]));
  const { value } = await keeper.get(sms.logs, { query: { batch: sent.batch_id } });
  expect(value[0]).toMatchObject({ name: '王老师', mobile: '*******0200', state: 1, dept_name: '党政办', retry: 0 });
  expect(value[0]!.content).toMatch(/^【.+】王老师，今天 15 点开会$/);
  const { rows } = await app.db.execute<{ text: string }>(
    sql`select l::text || d::text as text from sms_log l join delivery d on d.id = l.delivery_id`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { text } of rows) expect(text).not.toContain('13700000200');
});

test('a text that is too long, signs itself, misleads or has a sensitive word is refused', async () => {
  const refused = async (content: string) =>
    (await sender.ask(sms.send, { body: { mobiles: '13700000300', content } })).msg;
  expect(await refused('字'.repeat(501))).toContain('500');
  expect(await refused('【财务处】请汇款')).toContain('【】');
  expect(await refused('请点击 https://evil.example/x')).toContain('evil.example');
  expect(await refused('请点击 http://zs.edu.cn@evil.example/')).toContain('evil.example');
  expect(await refused('登录 xn.zs.edu.cn.evil.com 领取')).toContain('evil.com');
  expect(await refused('恭喜 中 - 奖')).toContain('中奖');
  const fine = { body: { mobiles: '13700000300', content: '见 https://www.zs.edu.cn/a' } };
  expect((await sender.ask(sms.send, fine)).code).toBe(0);
});

test('more than 200 numbers wait for a second person; the first cannot approve, and approving twice does nothing', async () => {
  const sent = await sender.get(sms.send, { body: { mobiles: many(201), content: '停水通知' } });
  expect(sent).toMatchObject({ total: 201, confirm_token: expect.any(String) as string });
  const body = { confirm_token: sent.confirm_token! };
  expect((await sender.ask(sms.send, { body })).msg).toContain('另一位');
  expect((await keeper.ask(sms.send, { body: { confirm_token: `${sent.batch_id}.${'0'.repeat(32)}` } })).code).toBe(-1);
  expect(await stateOf(sent.batch_id)).toEqual(many(201).map(() => 0));
  const { rows } = await app.db.execute<{ n: number }>(
    sql`select count(*)::int n from sms_log where batch_id = ${sent.batch_id} and delivery_id is not null`,
  );
  expect(rows[0]!.n).toBe(0);
  const [seen] = (await keeper.get(sms.waiting)).value;
  expect(seen).toMatchObject({ id: sent.batch_id, total: 201, confirm_token: sent.confirm_token });
  expect((await sender.get(sms.waiting)).value[0]).toMatchObject({ confirm_token: null, actions: ['withdraw'] });
  const both = await Promise.all([keeper.ask(sms.send, { body }), app.admin.ask(sms.send, { body })]);
  expect(both.map((one) => one.code).toSorted()).toEqual([-1, 0]);
  const handed = await app.db.execute<{ n: number }>(
    sql`select count(distinct delivery_id)::int n from sms_log where batch_id = ${sent.batch_id}`,
  );
  expect(handed.rows[0]!.n).toBe(201);
});

test('equal texts within a day are added up for the second person however split or spaced, except approved ones', async () => {
  const one = await app.clerk({ 'sms/send': ['Create', 'Retrieve'] }, { dept });
  // They stay in the outbox until long after this test: those of other tests need not wait for them.
  const send_at = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 16);
  const to = (from: number, count: number, content: string) => ({
    mobiles: many(from + count, '133').slice(from),
    content,
    send_at,
  });
  const send = (from: number, count: number, content: string) => one.get(sms.send, { body: to(from, count, content) });
  expect((await send(0, 120, '周五停电，请关闭电源。')).confirm_token).toBeNull();
  expect((await send(120, 80, '周五停水')).confirm_token).toBeNull();
  const more = to(120, 81, '周五 停电,请关闭电源!');
  const { mobiles, content } = more;
  expect(await one.get(sms.countLong, { body: { mobiles, content } })).toMatchObject({
    said_today: 120,
    needs_confirm: true,
  });
  const second = await one.get(sms.send, { body: more });
  expect(second.confirm_token).not.toBeNull();
  await app.admin.get(sms.send, { body: { confirm_token: second.confirm_token! } });
  expect((await send(300, 80, '周五停电请关闭电源')).confirm_token).toBeNull();
  expect((await keeper.get(sms.send, { body: to(400, 81, '周五停电，请关闭电源。') })).confirm_token).toBeNull();
  const together = await Promise.all([send(500, 150, '同时发出'), send(700, 150, '同时发出')]);
  expect(together.filter((each) => each.confirm_token === null)).toHaveLength(1);
});

test('quotas of a person and a department hold under simultaneous sending', async () => {
  const own = await app.dept('额度部门');
  const one = await app.clerk({ 'sms/send': ['Create'] }, { dept: own });
  const two = await app.clerk({ 'sms/send': ['Create'] }, { dept: own });
  await rules({ ...plentiful, day_quota: 6, month_quota: 10 });
  const numbers = many(40, '136');
  await eventually(async () =>
    expect((await one.get(sms.countLong, { body: { mobiles: '13600000001' } })).quota_left).toBe(6),
  );
  const send = (client: Client, mobile: string) => client.ask(sms.send, { body: { mobiles: mobile, content: '额度' } });
  const answers = await Promise.all(numbers.map((mobile, i) => send(i % 2 ? one : two, mobile)));
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(10);
  expect(answers.find(({ code }) => code !== 0)!.msg).toContain('额度不足');
  const used = await app.db
    .select()
    .from(smsQuotaTable)
    .where(sql`${smsQuotaTable.subject_id} in (${own}, ${one.userId}, ${two.userId})`);
  expect(used.find((row) => row.kind === 'dept' && row.subject_id === own)!.used).toBe(10);
  // A department and a sender may have the same number.
  expect(used.filter((row) => row.kind === 'sender' && row.subject_id !== own).every((row) => row.used <= 6)).toBe(
    true,
  );
  await rules(plentiful);
});

test('a number that opts out while its message waits gets nothing, and a resend is refused', async () => {
  const later = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 16);
  const sent = await eventually(() =>
    sender.get(sms.send, { body: { mobiles: '13700000500', content: '稍后', send_at: later } }),
  );
  const { id } = await keeper.get(sms.optOut, { body: { mobile: '13700000500' } });
  await app.services.databases.write((tx) =>
    tx.execute(sql`select graphile_worker.reschedule_jobs(array[j.id], now()) from graphile_worker.jobs j
      join sms_log l on j.key = 'delivery:' || l.delivery_id where l.batch_id = ${sent.batch_id}`),
  );
  await eventually(async () => expect(await stateOf(sent.batch_id)).toEqual([5]));
  const [row] = (await keeper.get(sms.logs, { query: { batch: sent.batch_id } })).value;
  expect(row!.actions).toEqual(['resend']);
  expect((await keeper.ask(sms.resend, { params: { id: row!.id } })).msg).toContain('已退订');
  await keeper.get(sms.optIn, { params: { id: id! } });
  await keeper.get(sms.resend, { params: { id: row!.id } });
  await eventually(async () => expect(await stateOf(sent.batch_id)).toEqual([1]));
  expect((await keeper.ask(sms.resend, { params: { id: row!.id } })).msg).toContain('已提交');
});

test('the text message log shows rows of the reader’s scope, never a whole number, in list and export', async () => {
  const far = await app.dept('远处');
  const stranger = await app.clerk({ 'sms/logs': ['Retrieve', 'chuli', 'daochu'] }, { dept: far, dataScope: 3 });
  expect((await stranger.get(sms.logs)).total).toBe(0);
  const mine = await keeper.get(sms.logs, { query: { per_page: 100 } });
  expect(mine.total).toBeGreaterThan(0);
  expect(JSON.stringify(mine)).not.toMatch(/(?<!\d)1[3-9]\d{9}(?!\d)/);
  expect((await keeper.get(sms.logs, { query: { mobile: '0200', search_value: '王老师' } })).total).toBe(1);
  expect((await stranger.ask(sms.resend, { params: { id: mine.value[0]!.id } })).code).toBe(4004);
  const sheet = await keeper.fetch('/api/sms/logs/?export=xlsx');
  const [titles = [], ...lines] = await readSheet(Buffer.from(await sheet.arrayBuffer()), {
    maxRows: 1000,
    maxColumns: 20,
  });
  expect(titles).toEqual([
    '时间',
    '接收人',
    '手机',
    '内容',
    '条数',
    '模块',
    '发送人',
    '部门',
    '状态',
    '回执',
    '服务商答复',
  ]);
  expect(new Set(lines.map((line) => line[5]))).toEqual(new Set(['人工发送']));
  expect((await stranger.fetch('/api/sms/logs/?export=xlsx')).status).toBe(200);
  expect((await sender.ask(sms.logs)).code).toBe(4003);
});

test('the log can be filtered by those senders whose rows the reader sees', async () => {
  const senders = await keeper.get(sms.senders);
  expect(senders.map(({ id }) => id)).toContain(sender.userId);
  expect(senders.map(({ id }) => id)).not.toContain(app.admin.userId);
  for (const { id, name } of senders.slice(0, 3)) {
    const { value } = await keeper.get(sms.logs, { query: { sender: id, per_page: 100 } });
    expect(new Set(value.map((row) => [row.sender_name, row.module].join()))).toEqual(new Set([`${name},sms`]));
  }
  const far = await app.clerk({ 'sms/logs': ['Retrieve'] }, { dept: await app.dept('无人发送'), dataScope: 3 });
  expect(await far.get(sms.senders)).toEqual([]);
});

test('templates are filled in before sending, and system templates cannot be deleted', async () => {
  const template = await app.admin.get(smsTemplates.add, {
    body: { code: 'meeting', name: '会议通知', content: '{name}您好，{会议}改到{time}。', type: 2 },
  });
  const body = { mobiles: '13700000600', template_id: template.id! };
  expect((await sender.ask(sms.send, { body })).msg).toContain('会议、time');
  const filled = await sender.get(sms.countLong, { body: { ...body, params: { 会议: '例会', time: '9 点' } } });
  expect(filled.preview).toContain('您好您好，例会改到9 点。');
  expect(
    (await app.admin.ask(smsTemplates.add, { body: { code: 'meeting', name: '二', content: '二', type: 2 } })).msg,
  ).toContain('已存在');
  const [verify] = (await app.admin.get(smsTemplates.list, { query: { type: 1 } })).value;
  const id = { params: { id: verify!.id } };
  expect((await app.admin.ask(smsTemplates.remove, id)).msg).toContain('系统使用');
  expect((await app.admin.ask(smsTemplates.change, { ...id, body: { status: 0 } })).msg).toContain('系统使用');
  expect((await app.admin.ask(smsTemplates.change, { ...id, body: { content: '没有位置' } })).code).toBe(4000);
  expect((await sender.ask(sms.send, { body: { mobiles: '13700000600', template_id: verify!.id } })).msg).toContain(
    '验证码',
  );
  const offered = async () => (await sender.get(sms.usable)).map((one) => [one.id, one.params]);
  expect(await offered()).toContainEqual([template.id, ['name', '会议', 'time']]);
  expect((await offered()).map(([id]) => id)).not.toContain(verify!.id);
  await app.admin.get(smsTemplates.change, { params: { id: template.id! }, body: { status: 0 } });
  expect((await offered()).map(([id]) => id)).not.toContain(template.id);
  expect((await sender.ask(sms.send, { body: { ...body, params: { 会议: '例会', time: '9 点' } } })).msg).toContain(
    '停用',
  );
  expect((await app.admin.get(smsTemplates.list, { query: { status: 0 } })).value[0]).toMatchObject({
    code: 'meeting',
    type: 2,
  });
});

test('other modules send texts by a template within their own transaction', async () => {
  const told = await app.person({ dept, phone: '13700000700', alias: '李主任' });
  await app.admin.get(smsTemplates.add, {
    body: { code: 'duty', name: '待办提醒', content: '{name}，您有 {count} 件待办。', type: 3 },
  });
  const ask = { template: 'duty', to: [told.id], params: { count: '3' }, module: 'tickets', objectId: 7 };
  const send = (fails: boolean) =>
    app.services.databases.write(async (tx) => {
      const count = await textPeople(tx, ask, app.services, new Date());
      if (fails) throw new Error('rolled back');
      return count;
    });
  await expect(send(true)).rejects.toThrow('rolled back');
  expect(await send(false)).toBe(1);
  const { value } = await keeper.get(sms.logs, { query: { module: 'tickets' } });
  expect(value).toHaveLength(1);
  expect(value[0]!.content).toMatch(/】李主任，您有 3 件待办。$/);
  expect(value[0]).toMatchObject({ sender_name: '系统', template_name: '待办提醒', object_id: 7 });
});
