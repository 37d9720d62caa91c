import { sql } from 'drizzle-orm';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { typedSheet } from '#kernel/server/testing/sheets/typed-sheet.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';

interface Reply {
  code: number;
  msg: string;
  data: {
    total: number;
    valid: number;
    imported: number;
    errors: { row: number; field: string; msg: string }[];
    passwords: { username: string; password: string }[];
  };
}

let app: TestOffice;
let clerk: Client;
beforeAll(async () => {
  app = await openTestApp();
  const dept = await app.dept('学院');
  await app.dept('教务科', dept);
  await app.dept('外单位');
  await app.person({ username: 'taken', phone: '13800009999' });
  clerk = await app.clerk({ 'system/user': ['Create', 'Retrieve'] }, { dept, dataScope: 4 });
});
afterAll(() => app.close());

const titles = ['姓名', '用户名', '手机', '部门', '职务', '角色'];
const sheet = (lines: string[][], header = titles) =>
  buffer(
    writeSheet({
      title: '用户',
      columns: header.map((title, i) => ({ title, kind: 'text' as const, value: (line: string[]) => line[i] ?? '' })),
      rows: lines,
    }),
  );
async function send(client: Client, bytes: Buffer, dryRun: boolean): Promise<Reply> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), '用户.xlsx');
  const response = await client.fetch(`/api/accounts/users/import/?dry_run=${dryRun}`, { method: 'POST', body: form });
  return (await response.json()) as Reply;
}
const people = async () =>
  (await app.db.execute<{ n: number }>(sql`select count(*)::int as n from app_user`)).rows[0]!.n;

const wrong = [
  ['张三', 'zhangsan', '13800000001', '学院/教务科', '科员', ''],
  ['李四', 'taken', '13800009999', '学院', '', ''],
  ['', 'bad name', '123', '没有的部门', '', ''],
  ['王五', 'wangwu', '13800000001', '外单位', '', '审计员'],
  ['赵六', 'zhaoliu', '', '', '', '没有的角色'],
];

test('a dry run of an import names every wrong cell by line and writes nothing', async () => {
  const before = await people();
  const { data } = await send(clerk, await sheet(wrong), true);
  expect(data).toMatchObject({ total: 5, valid: 1, imported: 0, passwords: [] });
  const cells = data.errors.map(({ row, field }) => `${row} ${field}`).sort();
  expect(cells).toEqual(
    [
      '3 用户名',
      '3 手机',
      '4 姓名',
      '4 用户名',
      '4 手机',
      '4 部门',
      '5 部门',
      '5 手机',
      '5 角色',
      '6 部门',
      '6 角色',
    ].sort(),
  );
  expect(data.errors.find(({ row, field }) => row === 5 && field === '手机')?.msg).toBe('与第 2 行重复');
  expect(await people()).toBe(before);
});

test('the wrong lines of an import are returned as a sheet with reasons that can be uploaded again', async () => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await sheet(wrong))]), '用户.xlsx');
  const answer = await clerk.fetch('/api/accounts/users/import/errors/', { method: 'POST', body: form });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const [header = [], ...lines] = await readSheet(bytes);
  expect(header.slice(0, 3)).toEqual(['问题', '姓名', '用户名']);
  expect(lines.map((cells) => cells[2])).toEqual(['taken', 'bad name', 'wangwu', 'zhaoliu']);
  expect(lines[2]![0]).toContain('手机：与第 2 行重复');
  expect((await send(clerk, bytes, true)).data.total).toBe(4);
});

test('one wrong line prevents the import of all lines', async () => {
  const before = await people();
  const answer = await send(clerk, await sheet(wrong), false);
  expect(answer).toMatchObject({ code: -1, data: { total: 5, valid: 1 } });
  expect(await people()).toBe(before);
});

test('a correct sheet is imported whole, with a one-time password for each person', async () => {
  const lines = [
    ['孙七', 'sunqi', '13800000007', '学院/教务科', '科员', ''],
    ['周八', 'zhouba', '', '学院', '', ''],
  ];
  const { code, data } = await send(clerk, await sheet(lines), false);
  expect(code).toBe(0);
  expect(data).toMatchObject({ total: 2, valid: 2, imported: 2 });
  expect(new Set(data.passwords.map((one) => one.password)).size).toBe(2);
  const { rows } = await app.db.execute(sql`
    select u.username, d.name, u.must_change_pwd from app_user u join dept d on d.id = u.dept_id
    where u.username in ('sunqi', 'zhouba') order by 1`);
  expect(rows).toEqual([
    { username: 'sunqi', name: '教务科', must_change_pwd: true },
    { username: 'zhouba', name: '学院', must_change_pwd: true },
  ]);
});

test('a user name in other capitals counts as existing, in the system and within the sheet', async () => {
  const lines = [
    ['甲', 'Taken', '', '学院', '', ''],
    ['乙', 'imp.one', '', '学院', '', ''],
    ['丙', 'IMP.one', '', '学院', '', ''],
  ];
  const { data } = await send(clerk, await sheet(lines), true);
  expect(data.errors.map(({ row, field, msg }) => [row, field, msg])).toEqual([
    [2, '用户名', '用户名“Taken”已被使用过，请换一个'],
    [4, '用户名', '与第 3 行重复'],
  ]);
});

test('the import template can be imported itself, and other sheets are refused with a sentence', async () => {
  const template = await clerk.fetch('/api/accounts/users/import/template/');
  expect(template.headers.get('content-disposition')).toContain('attachment');
  const { data } = await send(clerk, Buffer.from(await template.arrayBuffer()), true);
  expect(data.total).toBe(1);
  expect((await send(clerk, await sheet([['x']], ['称呼']), true)).msg).toContain('缺少“姓名、用户名”列');
  expect((await send(clerk, await sheet([]), true)).msg).toContain('没有用户');
  expect((await send(clerk, Buffer.from('hello'), true)).code).toBe(-1);
  const reader = await app.clerk({ 'system/user': ['Retrieve'] });
  expect((await send(reader, await sheet(wrong), true)).code).toBe(4003);
});

test('a line with more departments or roles than allowed is refused with that reason', async () => {
  await app.services.databases.pool.query(`
    with made as (insert into dept (name, search) select '多处' || n, '' from generate_series(1, 21) n returning 1)
    insert into role (name, code, data_scope) select '多角' || n, 'many' || n, 5 from generate_series(1, 51) n`);
  const many = (word: string, max: number) => Array.from({ length: max }, (_, n) => `${word}${n + 1}`).join('、');
  const lines = [
    ['多部门', 'many.depts', many('多处', 21), ''],
    ['多角色', 'many.roles', '', many('多角', 51)],
  ];
  const answer = await send(app.admin, await sheet(lines, ['姓名', '用户名', '兼职部门', '角色']), false);
  expect(answer).toMatchObject({ code: -1, data: { total: 2, valid: 0 } });
  expect(answer.data.errors).toEqual([
    { row: 2, field: '兼职部门', msg: '最多 20 个' },
    { row: 3, field: '角色', msg: '最多 50 个' },
  ]);
});

test('a staff number that the spreadsheet shortened as a number is an error of its cell', async () => {
  const rows = [
    ['姓名', '用户名', '部门', '职工号'],
    ['孙长', 'sunchang', '学院', 2014030217123456n],
  ];
  expect((await send(clerk, typedSheet(rows), true)).data).toMatchObject({
    valid: 0,
    errors: [{ row: 2, field: '工号', msg: expect.stringContaining('请把该列设为文本格式') as string }],
  });
});

test('a refused sheet generates no passwords: its rows are checked first', { timeout: 180_000 }, async () => {
  const many = (word: string) => Array.from({ length: 60 }, (_, n) => [`${word}${n}`, `${word}${n}`, '', '学院']);
  const header = ['姓名', '用户名', '手机', '部门'];
  const timed = async (bytes: Buffer) => {
    const started = performance.now();
    return { answer: await send(clerk, bytes, false), took: performance.now() - started };
  };
  const refused = await timed(await sheet([...many('refused'), ['李四', 'taken', '', '学院']], header));
  expect(refused.answer).toMatchObject({ code: -1, data: { total: 61, valid: 60 } });
  const taken = await timed(await sheet(many('accepted'), header));
  expect(taken.answer).toMatchObject({ code: 0, data: { imported: 60 } });
  expect(refused.took).toBeLessThan(taken.took / 2);
});

test('a merged cell with a department applies to all people beside it', async () => {
  await app.dept('后勤保障部');
  const bytes = await readFile(
    new URL('../../../kernel/server/testing/sheets/merged-department.xlsx', import.meta.url),
  );
  const { data } = await send(app.admin, bytes, false);
  expect(data.imported).toBe(3);
  const { rows } = await app.db.execute<{ name: string }>(
    sql`select d.name from app_user u join dept d on d.id = u.dept_id where u.alias in ('蒋一鸣', '沈念', '韩松')`,
  );
  expect(rows.map((row) => row.name)).toEqual(Array(3).fill('后勤保障部'));
});

test('an ambiguous department name is refused until a path makes it unique', async () => {
  const above = await app.dept('信息学院');
  await app.dept('综合办公室', above);
  const top = await app.dept('综合办公室');
  const from = async (dept: string) =>
    (await send(app.admin, await sheet([['甲', 'of.two', '', dept, '', '']]), true)).data;
  const { errors } = await from('综合办公室');
  expect(errors).toMatchObject([{ field: '部门', msg: expect.stringContaining('有几个部门叫“综合办公室”') }]);
  for (const path of ['信息学院/综合办公室', '/综合办公室']) expect((await from(path)).errors).toEqual([]);
  expect(top).toBeGreaterThan(0);
});

test('both department columns accept a unique name, “上级/下级” or “/部门”, and ignore departments out of reach', async () => {
  const [faculty, other] = [await app.dept('外语学院'), await app.dept('体育学院')];
  for (const above of [faculty, other]) await app.dept('团委', above);
  await app.dept('学工科', faculty);
  await app.dept('办公室');
  await app.dept('办公室', faculty);
  const keeper = await app.clerk({ 'system/user': ['Create', 'Retrieve'] }, { dept: faculty, dataScope: 4 });
  const from = async (who: Client, dept: string, beside = '') =>
    (await send(who, await sheet([['甲', 'both.cols', dept, beside]], ['姓名', '用户名', '部门', '兼职部门']), true))
      .data.errors;
  const everywhere = app.admin;
  for (const dept of [
    '学工科',
    '外语学院/学工科',
    '外语学院／学工科',
    '/办公室',
    '/外语学院/办公室',
    '外语学院/团委',
  ]) {
    expect(await from(everywhere, dept), dept).toEqual([]);
    expect(await from(everywhere, '', dept), dept).toEqual([]);
  }
  const unclear = expect.stringContaining('有几个部门叫“团委”') as string;
  expect(await from(everywhere, '团委')).toMatchObject([{ field: '部门', msg: unclear }]);
  expect(await from(everywhere, '', '学工科、团委')).toMatchObject([{ field: '兼职部门', msg: unclear }]);
  // One of the two with this name is within her reach.
  expect(await from(keeper, '团委')).toEqual([]);
  const beyond = expect.stringContaining('部门“/办公室”不存在、已停用或不在您的管理范围内') as string;
  expect(await from(keeper, '/办公室', '团委')).toMatchObject([{ field: '部门', msg: beyond }]);
  expect(await from(everywhere, '/团委')).toMatchObject([{ field: '部门' }]);
});
