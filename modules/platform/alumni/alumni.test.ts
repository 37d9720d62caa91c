import { eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { smsLogTable } from '#modules/platform/sms/tables.ts';
import { alumni, type Alumnus } from './contract.ts';
import { alumnusTable } from './tables.ts';
import { bringIn, sheetOf as sheetWith } from './testing/sheets.ts';

vi.setConfig({ testTimeout: 40_000 });

let app: TestOffice;
let clerk: Client;
beforeAll(async () => {
  app = await openTestApp();
  clerk = await app.clerk({ 'alumnus/list': ['Create', 'Retrieve', 'daochu'], 'sms/send': ['Create', 'Retrieve'] });
  await app.admin.get(sms.saveRule, { body: { quiet: '00:00-00:00' } });
});
afterAll(() => app.close());

const titles = ['姓名*', '学号', '学院', '毕业年份', '城市', '手机', '同意短信', '同意日期', '同意来源', '已退订'];
const sheetOf = (lines: string[][]) => sheetWith(titles, lines);
const send = async (client: Client, lines: string[][], dryRun = false) => bringIn(client, await sheetOf(lines), dryRun);
const consent = ['是', '2024-06-01', '返校登记表'];
const lines = [
  ['李若兰', '2014001', '文学院', '2018', '杭州', '13800010001', ...consent],
  ['周明', '2014002', '文学院', '2018', '北京', '13800010002', '否'],
  ['吴江', '2015003', '理学院', '2019', '杭州', '13800010003', ...consent, '是'],
  ['郑远', '2015004', '理学院', '2019', '上海', '', ...consent],
  ['王重', '2015005', '理学院', '2019', '杭州', '13800010001', ...consent],
];

test('a dry run of an alumni import names every wrong cell by line, and nothing is stored until all are right', async () => {
  const wrong = [
    ['', 'x1', '', '18', '', '123', '也许'],
    ['甲', '2014001'],
    ['乙', '2014001', '', '', '', '', '是', '', ''],
  ];
  const { data } = await send(clerk, wrong, true);
  expect(data.errors.map(({ row, field }) => `${row} ${field}`).toSorted()).toEqual([
    '2 同意短信',
    '2 姓名',
    '2 手机',
    '2 毕业年份',
    '4 同意日期',
    '4 同意来源',
    '4 学号',
  ]);
  expect(data).toMatchObject({ total: 3, valid: 1, imported: 0 });
  expect((await send(clerk, wrong)).msg).toContain('未导入任何校友');
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await sheetOf(wrong))]), '校友.xlsx');
  const back = await clerk.fetch('/api/alumnus/import/errors/', { method: 'POST', body: form });
  const [header = [], ...kept] = await readSheet(Buffer.from(await back.arrayBuffer()), {
    maxRows: 10,
    maxColumns: 40,
  });
  expect(header.slice(0, 3)).toEqual(['问题', '姓名', '学号']);
  expect(kept.map((cells) => [cells[0], cells[2], cells[header.indexOf('手机')]])).toEqual([
    [expect.stringMatching(/姓名：.*；.*手机：请输入 11 位手机号/) as string, 'x1', '123'],
    [expect.stringContaining('学号：与第 3 行重复') as string, '2014001', ''],
  ]);
  expect((await clerk.get(alumni.count)).total).toBe(0);
});

test('alumni are imported from a sheet, and their phone numbers are stored encrypted and never shown', async () => {
  expect((await send(clerk, lines)).data).toMatchObject({ total: 5, imported: 5, updated: 0 });
  const { rows } = await app.db.execute<{ text: string }>(
    sql`select row_to_json(a)::text as text from alumnus a union all select row_to_json(l)::text from log l`,
  );
  for (const { text } of rows) expect(text).not.toMatch(/1380001000\d/);
  const list = await clerk.get(alumni.choose, { query: { order_by: 'name' } });
  expect(JSON.stringify(list)).not.toMatch(/138/);
  expect(list.value.find((row) => row.name === '李若兰')).toMatchObject({
    mobile_masked: '*******0001',
    can_sms: true,
  });
  expect(
    list.value
      .filter((row) => row.can_sms)
      .map((row) => row.name)
      .toSorted(),
  ).toEqual(['李若兰', '王重']);
});

test('alumni are counted with the same filters as they are listed', async () => {
  expect(await clerk.get(alumni.count)).toEqual({
    total: 5,
    with_mobile: 4,
    consented: 2,
    by_major: [{ name: '', count: 5 }],
    by_enter_year: [{ name: '', count: 5 }],
    by_degree: [{ name: '', count: 5 }],
    by_college: [
      { name: '理学院', count: 3 },
      { name: '文学院', count: 2 },
    ],
    by_year: [
      { name: '2019', count: 3 },
      { name: '2018', count: 2 },
    ],
    by_city: [
      { name: '杭州', count: 3 },
      { name: '上海', count: 1 },
      { name: '北京', count: 1 },
    ],
  });
  const query = { college: '理学院', city: '杭州', graduate_year: 2019 } as const;
  expect((await clerk.get(alumni.count, { query })).total).toBe(2);
  expect((await clerk.get(alumni.choose, { query })).total).toBe(2);
  expect((await clerk.get(alumni.choose, { query: { search_value: 'lrl' } })).value[0]?.name).toBe('李若兰');
  expect((await clerk.get(alumni.count, { query: { search_value: 'lrl' } })).total).toBe(1);
});

test('only alumni who agreed and did not opt out are texted, each with a way to opt out', async () => {
  const body = { alumnus_filter: {}, content: '校庆邀请' };
  expect(await clerk.get(sms.countLong, { body })).toMatchObject({
    total: 5,
    valid: 1,
    duplicate: 1,
    invalid: 1,
    blacklist: 1,
    no_consent: 1,
  });
  expect(await clerk.get(sms.count, { query: { college: '文学院', content: '校庆邀请' } })).toMatchObject({
    total: 2,
    valid: 1,
  });
  const sent = await clerk.get(sms.send, { body });
  expect(sent.skipped.map(({ name, reason }) => `${name} ${reason}`).toSorted()).toEqual([
    '吴江 已退订',
    '周明 未同意接收短信',
    '王重 号码重复',
    '郑远 没有手机号',
  ]);
  await eventually(async () => {
    const rows = await app.db.select().from(smsLogTable).where(eq(smsLogTable.batch_id, sent.batch_id));
    expect(rows).toHaveLength(1);
    // It was attempted; no provider is set here.
    expect(rows[0]).toMatchObject({ state: 3, name: '李若兰' });
    expect(rows[0]!.content).toMatch(/校庆邀请，拒收请回复 R$/);
  });
});

test('alumni are found by their numbers, consent is shown with its date, and mail addresses only to their keepers', async () => {
  const { value } = await clerk.get(alumni.choose, { query: { college: '文学院', order_by: 'name' } });
  const ids = value.map(({ id }) => id).join(',');
  const query = { ids: ids as never };
  expect((await clerk.get(alumni.choose, { query })).value.map((row) => row.id).toSorted()).toEqual(
    value.map((row) => row.id).toSorted(),
  );
  await app.services.databases.write((tx) =>
    tx.update(alumnusTable).set({ email: 'li@example.com' }).where(eq(alumnusTable.name, '李若兰')),
  );
  const li = (rows: Alumnus[]) => rows.find(({ name }) => name === '李若兰')!;
  expect(li(value)).toMatchObject({ consent_at: '2024-06-01', consent_from: '返校登记表' });
  const sender = await app.clerk({ 'sms/send': ['Create', 'Retrieve'] });
  expect(li((await clerk.get(alumni.choose, { query })).value).email).toBe('li@example.com');
  expect(li((await sender.get(alumni.choose, { query })).value).email).toBe('');
});

test('a later import updates alumni but never removes an opt-out or a phone number', async () => {
  await app.admin.get(sms.optOut, { body: { mobile: '13800010001' } });
  const again = [
    ['李若兰', '2014001', '文学院', '2018', '苏州', '', ...consent, '否'],
    ['新人', '2016001', '文学院', '2020', '苏州', '13800010009', ...consent],
  ];
  expect((await send(clerk, again)).data).toMatchObject({ imported: 2, updated: 1 });
  const [row] = await app.db.select().from(alumnusTable).where(eq(alumnusTable.student_no, '2014001'));
  expect(row).toMatchObject({ city: '苏州', opt_out: true, mobile_tail: '0001' });
  expect((await clerk.ask(sms.send, { body: { alumnus_ids: [row!.id], content: '再邀' } })).msg).toContain(
    '都不能接收',
  );
});

test('a number whose alumnus opted out is not texted, however it was chosen, until the opt-out is lifted', async () => {
  const mobile = '13800010005';
  await send(clerk, [['冯退', '2013001', '文学院', '2017', '苏州', mobile, ...consent, '是']]);
  const [row] = await app.db.select().from(alumnusTable).where(eq(alumnusTable.student_no, '2013001'));
  const typed = { mobiles: mobile, content: '校庆邀请' };
  for (const body of [typed, { ...typed, alumnus_ids: [row!.id] }]) {
    expect(await clerk.get(sms.countLong, { body })).toMatchObject({ valid: 0 });
    expect((await clerk.ask(sms.send, { body })).msg).toContain('都不能接收');
  }
  const { id } = await app.admin.get(sms.optOut, { body: { mobile } });
  await app.admin.get(sms.optIn, { params: { id: id! } });
  expect(await clerk.get(sms.countLong, { body: typed })).toMatchObject({ valid: 1, blacklist: 0 });
});

test('a typed number of an alumnus needs the same consent, and one consenting alumnus of several suffices', async () => {
  const mobile = '13800010031';
  await send(clerk, [['沈未', '2010001', '文学院', '2014', '苏州', mobile, '否']]);
  const body = { mobiles: `${mobile} 13900000031`, content: '校庆邀请' };
  expect(await clerk.get(sms.countLong, { body })).toMatchObject({ total: 2, valid: 1, no_consent: 1 });
  const sent = await clerk.get(sms.send, { body });
  expect(sent.skipped).toEqual([{ name: '', mobile: '138****0031', reason: '未同意接收短信' }]);
  const member = await app.person({ phone: mobile });
  const colleague = { recipients: { users: [member.id] }, content: '开会通知' };
  expect(await clerk.get(sms.countLong, { body: colleague })).toMatchObject({ valid: 1, no_consent: 0 });
  await send(clerk, [['沈同', '2010002', '文学院', '2014', '苏州', mobile, ...consent]]);
  expect(await clerk.get(sms.countLong, { body })).toMatchObject({ valid: 2, no_consent: 0 });
});

test('an alumnus imported with an opted-out number is marked as opted out', async () => {
  await app.admin.get(sms.optOut, { body: { mobile: '13800010006' } });
  const before = (await clerk.get(alumni.count)).consented;
  await send(clerk, [['孔早', '2012001', '文学院', '2016', '苏州', '13800010006', ...consent]]);
  const { value } = await clerk.get(alumni.choose, { query: { search_value: '孔早' } });
  expect(value).toMatchObject([{ opt_out: true, can_sms: false }]);
  expect((await clerk.get(alumni.count)).consented).toBe(before);
});

test('an import repeated with its idempotency key must have the same sheet', async () => {
  const key = { 'idempotency-key': 'alumni-sheet-once' };
  const sheet = await sheetOf([['甲', '2020001']]);
  const first = await bringIn(clerk, sheet, true, key);
  expect(first.data).toMatchObject({ total: 1, valid: 1 });
  const other = await sheetOf([['乙', '2020002']]);
  expect(await bringIn(clerk, other, true, key)).toMatchObject({
    code: -1,
    msg: expect.stringContaining('刚才的提交已经成功') as string,
  });
  expect(await bringIn(clerk, sheet, true, key)).toEqual(first);
});

test('an alumnus imported by another department at the same moment is not changed by a user without reach', async () => {
  const narrow = await app.clerk(
    { 'alumnus/list': ['Create', 'Retrieve'] },
    { dept: await app.dept('同时'), dataScope: 3 },
  );
  const other = await app.services.databases.pool.connect();
  try {
    await other.query('begin');
    await other.query(
      `insert into alumnus (creator_id, dept_id, name, student_no) values ($1, null, '原名', '2021001')`,
      [clerk.userId],
    );
    const answer = send(narrow, [
      ['改名', '2021001'],
      ['新人', '2021002'],
    ]);
    await eventually(async () => {
      const { rows } = await app.services.databases.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%"alumnus"%'`,
      );
      expect(rows).toHaveLength(1);
    });
    await other.query('commit');
    expect(await answer).toMatchObject({ code: -1, data: { errors: [{ row: 2, field: '学号' }] } });
  } finally {
    other.release();
  }
  const kept = await app.db.select().from(alumnusTable).where(like(alumnusTable.student_no, '2021%'));
  expect(kept.map(({ name }) => name)).toEqual(['原名']);
});

test('a user limited to some departments sees, counts and changes no alumni of others', async () => {
  const narrow = await app.clerk(
    { 'alumnus/list': ['Create', 'Retrieve'], 'sms/send': ['Create', 'Retrieve'] },
    { dept: await app.dept('远处'), dataScope: 3 },
  );
  expect((await narrow.get(alumni.count)).total).toBe(0);
  expect((await narrow.get(alumni.choose)).total).toBe(0);
  expect((await narrow.get(sms.countLong, { body: { alumnus_filter: {} } })).total).toBe(0);
  expect((await send(narrow, [['李若兰', '2014001']])).data.errors).toEqual([
    { row: 2, field: '学号', msg: '学号 2014001 由其他部门维护，不能改动' },
  ]);
});

test('an export of alumni needs a reason, which the log keeps', async () => {
  const address = '/api/alumnus/sms_retrieve/?export=xlsx';
  expect(await (await clerk.fetch(address)).json()).toMatchObject({
    code: -1,
    msg: expect.stringContaining('用途') as string,
  });
  const sheet = await clerk.fetch(`${address}&reason=${encodeURIComponent('百年校庆寄送请柬')}`);
  expect(sheet.headers.get('content-type')).toContain('spreadsheetml');
  await sheet.arrayBuffer();
  const { rows } = await app.db.execute<{ diff: unknown }>(
    sql`select diff from log where object_type = '导出' and diff::text like '%百年校庆%'`,
  );
  expect(rows).toHaveLength(1);
});
