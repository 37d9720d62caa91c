import { afterAll, expect, test } from 'vitest';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { buffer } from 'node:stream/consumers';
import { contractCategories } from './contract/categories.ts';
import { contracts } from './contract/contracts.ts';
import { contractImport } from './contract/performing/import.ts';
import { contractNumbers } from './contract/numbers.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, manager, finance, running, one, told } = house;
afterAll(app.close);

const titles = contractImport.columns.map((column) => column.title);
const sheetOf = async (lines: string[][]) => {
  const columns = titles.map((title, at) => ({ title, kind: 'text' as const, value: (line: string[]) => line[at]! }));
  return buffer(writeSheet({ title: '存量合同', columns, rows: lines }));
};
const take = async (lines: string[][], dry: boolean, key?: string) => {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await sheetOf(lines))]), '存量合同.xlsx');
  const sent = await manager.fetch(`/api/contract/manage/import/?dry_run=${dry}`, {
    method: 'POST',
    body: form,
    ...(key ? { headers: { 'Idempotency-Key': key } } : {}),
  });
  return (await sent.json()) as { code: number; msg: string; data: { imported: number; errors: { msg: string }[] } };
};
const username = (await app.db.execute(`select username from app_user where id = ${author.userId}` as never)).rows[0]![
  'username'
] as string;
const line = (no: string, more: Partial<Record<string, string>> = {}) => {
  const cells: Record<string, string> = {
    合同编号: no,
    合同名称: `旧合同 ${no}`,
    类别代码: 'FW',
    相对方: '净美物业服务有限公司',
    收付: '支出',
    合同金额: '360000',
    已收付: '90000.50',
    签订日期: '2024-03-01',
    结束日期: inDays(300),
    承办人账号: username,
  };
  return titles.map((title) => ({ ...cells, ...more })[title] ?? '');
};

test('running paper contracts are imported from a sheet all or none, once per idempotency key', async () => {
  const wrong = await take([line('A-1', { 类别代码: 'XX' }), line('A-2', { 已收付: '400000' })], true);
  expect(wrong.data.errors.map((error) => error.msg)).toEqual(['没有这个类别', '超过合同金额']);
  expect((await take([line('A-1')], true)).data.imported).toBe(0);
  const key = 'import-of-old-contracts';
  const both = await Promise.all([
    take([line('A-1'), line('A-2')], false, key),
    take([line('A-1'), line('A-2')], false, key),
  ]);
  expect(both.map((answer) => answer.code)).toContain(0);
  const { value } = await house.ledger({ search_value: '旧合同' });
  expect(value.map((row) => [row.contract_no, row.stage, row.paid, row.imported]).toSorted()).toEqual([
    ['A-1', 30, 90_000.5, true],
    ['A-2', 30, 90_000.5, true],
  ]);
  expect((await take([line('A-2')], false)).code).not.toBe(0);
  const page = await one(value[0]!.id, author);
  expect(page.performance.map((row) => [row.name, row.plan_amount, row.state])).toEqual([
    ['补录前已付款', 90_000.5, 3],
    ['未结清付款', 269_999.5, 0],
  ]);
});

test('a sheet of contracts may have days, amounts and widths as offices write them; unreadable cells stop the import by place', async () => {
  const typed = line('Ｂ－１', {
    合同金额: '￥12,000.00',
    已收付: '０',
    签订日期: '2024年3月1日',
    结束日期: '20271231',
  });
  expect((await take([typed], false)).data.imported).toBe(1);
  const [taken] = (await house.ledger({ search_value: 'B-1' })).value;
  expect(taken).toMatchObject({
    contract_no: 'B-1',
    amount: 12_000,
    paid: 0,
    sign_date: '2024-03-01',
    term_end: '2027-12-31',
  });
  const msgs = async (more: Partial<Record<string, string>>) =>
    (await take([line('B-2', more)], true)).data.errors.map((error) => error.msg);
  expect(await msgs({ 收付: '无金额' })).toEqual([
    '填了金额，却是“无金额”：请改填“支出”或“收入”，没有金额的请清空金额和已收付',
  ]);
  expect(await msgs({ 签订日期: '24/3/1' })).toEqual(['“24/3/1”的年份只有两位，请写成四位，如 2026-03-05']);
  expect(
    await msgs({ 签订日期: '二〇二四年三月一号', 开始日期: '2024 / 3 / 1', 结束日期: '2027-12-31（周五）' }),
  ).toEqual([]);
  expect(await msgs({ 签订日期: '2024-3-1（周六）' })).toEqual([
    '“2024-3-1（周六）”的日期和星期不一致：2024-03-01 是星期五，请核对',
  ]);
  expect(await msgs({ 合同金额: '1,00', 已收付: '' })).toEqual([
    '“1,00”中的逗号或空格没有按三位一节，看不出是多少，请去掉后重新填写，如 1234.50',
  ]);
  expect(await msgs({ 签订日期: '2023-02-29' })).toEqual(['没有 2023-02-29 这一天，请核对']);
  const parts = unzipSync(new Uint8Array(await sheetOf([line('B-3', { 已收付: '错' })])));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  const wrong = sheet.replace(/<c r="H2"[^>]*>.*?<\/c>/, '<c r="H2" t="e"><v>#N/A</v></c>');
  const form = new FormData();
  const bytes = zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(wrong) });
  form.set('file', new Blob([new Uint8Array(bytes)]), '存量合同.xlsx');
  const sent = await manager.fetch('/api/contract/manage/import/?dry_run=false', { method: 'POST', body: form });
  const { code, data } = (await sent.json()) as Awaited<ReturnType<typeof take>>;
  expect(code).toBe(-1);
  expect(data.errors).toEqual([{ row: 2, field: '已收付', msg: '单元格 H2 是错误值 #N/A，请改正后重新上传' }]);
});

test('an imported sheet may name categories and people as exported; two equal categories require the code', async () => {
  const add = async (code: string, name: string, parent?: number) =>
    (await manager.get(contractCategories.add, { body: { name, code, parent: parent ?? 0 } as never })).id!;
  await add('GCX', '工程（含修缮、拆除、装饰装修和零星维修）');
  const [works, goods] = [await add('GCS', '工程服务'), await add('HWS', '货物服务')];
  await add('GCF', '维保', works);
  await add('HWF', '维保', goods);
  await app.person({ alias: '张三（外聘）', dept: house.dept, roles: ['staff'] });
  const msgs = async (no: string, more: Partial<Record<string, string>>, dry = true) =>
    (await take([line(no, more)], dry)).data.errors.map((error) => error.msg);
  const named = { 类别代码: '工程（含修缮、拆除、装饰装修和零星维修）', 承办人账号: '张三（外聘）' };
  expect(await msgs('E-1', named, false)).toEqual([]);
  expect((await house.ledger({ search_value: 'E-1' })).value).toMatchObject([
    { undertaker_alias: '张三（外聘）', category_name: '工程（含修缮、拆除、装饰装修和零星维修）' },
  ]);
  expect(await msgs('E-2', { 类别代码: '维保' })).toEqual(['有 2 个类别叫“维保”，请改填类别代码：GCF、HWF']);
  expect(await msgs('E-2', { 类别代码: 'gcf' })).toEqual([]);
  expect(await msgs('E-2', { 类别代码: '没有的' })).toEqual(['没有这个类别']);
});

test('dates in a sheet that can only be a wrong year are reported as in a draft', async () => {
  const msgs = async (more: Partial<Record<string, string>>) =>
    (await take([line('E-9', more)], true)).data.errors.map((error) => error.msg).join();
  expect(await msgs({ 开始日期: '1926-03-01' })).toContain('1926-03-01 与今天');
  expect(await msgs({ 签订日期: '1926-03-01' })).toContain('相差 50 年以上，请核对年份');
  expect(await msgs({ 结束日期: '2099-12-31' })).toContain('长期有效的请留空');
});

test('an exported ledger can be imported where its contracts do not exist', async () => {
  await take([line('C-1', { 合同名称: '来回的合同' })], false);
  const exported = await manager.fetch('/api/contract/manage/?export=xlsx&search_value=来回的合同');
  const rows = await readSheet(Buffer.from(await exported.arrayBuffer()));
  const at = rows[0]!.indexOf('合同编号');
  rows[1]![at] = 'C-2';
  const columns = rows[0]!.map((title, place) => ({
    title,
    kind: 'text' as const,
    value: (row: string[]) => row[place] ?? '',
  }));
  const form = new FormData();
  form.set(
    'file',
    new Blob([new Uint8Array(await buffer(writeSheet({ title: '台账', columns, rows: rows.slice(1) })))]),
    '台账.xlsx',
  );
  const sent = await manager.fetch('/api/contract/manage/import/?dry_run=false', { method: 'POST', body: form });
  const answer = (await sent.json()) as Awaited<ReturnType<typeof take>>;
  expect([answer.msg, answer.data.errors]).toEqual([expect.any(String), []]);
  const { value } = await house.ledger({ search_value: '来回的合同' });
  expect(value.filter((row) => row.contract_no === 'C-2')).toMatchObject([
    { contract_no: 'C-2', amount: 360_000, paid: 90_000.5, undertaker_alias: '经办人' },
  ]);
});

test('contract numbers skip those imported from a sheet or taken by another category’s code, and the skip is reported', async () => {
  const year = inDays(0).slice(0, 4);
  const categoryOf = (code: string) => house.categories.find((each) => each.code === code)!.id;
  const [first, second] = [categoryOf('FW'), house.categories.find(({ code }) => code !== 'CG' && code !== 'FW')!.id];
  expect((await take([line(`FW-${year}-0003`)], false)).data.imported).toBe(1);
  const numbered = async (category_id: number) =>
    (await one(await house.approve(await house.write({ name: '接号的合同', category_id })))).contract_no;
  const given = [await numbered(first), await numbered(first), await numbered(first)];
  expect(given).toEqual([`FW-${year}-0001`, `FW-${year}-0002`, `FW-${year}-0004`]);
  const said = `编号接在已有的 FW-${year}-0003 之后`;
  const heard = await house.sql('select from msg where content like $1', [`%FW-${year}-0004（${said}）%`]);
  expect(heard.rowCount).toBeGreaterThan(0);
  const asked = { query: { category_id: first, year: Number(year) } };
  const { value, gaps } = await manager.get(contractNumbers.numberBook, asked);
  expect(value.map((row) => row.reason)).toContain(said);
  expect(gaps).toEqual([]);
  await house.sql(`update contract_category set code = 'FWOLD' where id = $1`, [first]);
  await house.sql(`update contract_category set code = 'FW' where id = $1`, [second]);
  expect([await numbered(second), await numbered(second)]).toEqual([`FW-${year}-0005`, `FW-${year}-0006`]);
  await house.sql(`update contract_category set code = 'FWNEW' where id = $1`, [second]);
  await house.sql(`update contract_category set code = 'FW' where id = $1`, [first]);
});

test('running contracts are handed over to another undertaker, and both the new and the former one are told', async () => {
  const id = await running({ name: '移交的合同' });
  const ask = (to: number, who = manager) =>
    who.ask(contracts.handOver, { body: { ids: [id], to, reason: '岗位调整' } });
  expect((await ask(author.userId)).msg).toBe('没有您可以移交的合同，请核对所选合同或原承办人');
  expect((await ask(finance.userId, finance)).code).toBe(4003);
  expect((await ask(finance.userId)).data.count).toBe(1);
  expect(await one(id)).toMatchObject({ undertaker_alias: '财务', amount: 1000 });
  expect((await one(id)).performance[0]!.handler_alias).toBe('财务');
  for (const who of [author, finance]) expect(await told(who)).toContain('合同有变动：移交的合同');
});

test('no request can write a contract as signed, numbered or paid, or change whether it was imported', async () => {
  const draft = await house.write();
  const copied = (columns: string, values: string) =>
    house.sql(
      `insert into contract (name, category_id, our_party, undertaker, creator_id, dept_id, amount, ${columns})
        select name, category_id, our_party, undertaker, creator_id, dept_id, amount, ${values} from contract where id = $1`,
      [draft],
    );
  const begun = /begins with what was not registered/;
  await expect(copied('stage, contract_no, sign_date, paid', `30, 'Y-1', current_date, 5`)).rejects.toThrow(begun);
  await expect(copied('paid', '5')).rejects.toThrow(begun);
  await expect(copied('contract_no', `'Y-2'`)).rejects.toThrow(begun);
  await expect(copied('imported, stage, contract_no, reduced', `true, 20, 'Y-3', 5`)).rejects.toThrow(begun);
  const agreed = await house.approve(await house.write());
  const signed = `update contract set imported = true, stage = 30, sign_date = current_date where id = $1`;
  await expect(house.sql(signed, [agreed])).rejects.toThrow(/came in from a sheet stands/);
  await expect(
    house.sql('update contract set stage = 30, sign_date = current_date where id = $1', [agreed]),
  ).rejects.toThrow(/was not registered/);
});
