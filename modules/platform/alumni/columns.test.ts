import { eq } from 'drizzle-orm';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { typedSheet } from '#kernel/server/testing/sheets/typed-sheet.ts';
import { alumni } from './contract.ts';
import { alumnusTable } from './tables.ts';
import { bringIn, sheetOf } from './testing/sheets.ts';

vi.setConfig({ testTimeout: 40_000 });

let app: TestOffice;
let clerk: Client;
beforeAll(async () => {
  app = await openTestApp();
  clerk = await app.clerk({ 'alumnus/list': ['Create', 'Retrieve'] });
  const all = ['姓名', '学号', '学院', '城市', '手机', '同意短信', '同意日期', '同意来源', '邮箱', '备注', '单位'];
  const line = [
    '赵全',
    '1',
    '文学院',
    '杭州',
    '13800010011',
    '是',
    '2024-06-01',
    '返校登记表',
    'z@x.cn',
    '校董',
    '旧厂',
  ];
  await bringIn(clerk, await sheetOf(all, [line]));
});
afterAll(() => app.close());

const kept = async (no: string) =>
  (await app.db.select().from(alumnusTable).where(eq(alumnusTable.student_no, no)))[0]!;
const foundBy = async (search_value: string) =>
  (await clerk.get(alumni.choose, { query: { search_value } })).value.map((row) => row.student_no);

test('a sheet with fewer columns changes only those and keeps the rest, including consent with date and source', async () => {
  const before = await kept('1');
  const moved = await sheetOf(
    ['姓名', '学号', '工作单位'],
    [
      ['赵全', '1', '新厂'],
      ['钱新', '2', '新厂'],
    ],
  );
  expect((await bringIn(clerk, moved)).data).toMatchObject({ imported: 2, updated: 1 });
  const { version, gmt_modified, search } = await kept('1');
  expect(await kept('1')).toEqual({ ...before, company: '新厂', version: before.version + 1, gmt_modified, search });
  expect(version).toBe(1);
  expect(await kept('2')).toMatchObject({ company: '新厂', city: '', consent_sms: false, consent_at: null });
  for (const word of ['赵全', '文学院', '杭州']) expect(await foundBy(word), word).toEqual(['1']);
  expect((await foundBy('新厂')).toSorted()).toEqual(['1', '2']);
  expect(await foundBy('旧厂')).toEqual([]);
});

test('a sheet with the consent column can withdraw consent, with its date and source', async () => {
  await bringIn(clerk, await sheetOf(['姓名', '学号', '同意短信'], [['赵全', '1', '否']]));
  expect(await kept('1')).toMatchObject({ consent_sms: false, consent_at: null, consent_from: '', city: '杭州' });
});

test('a sheet with a consent date but without the consent column is refused', async () => {
  const sheet = await sheetOf(['姓名', '学号', '同意日期'], [['赵全', '1', '2025-01-01']]);
  expect((await bringIn(clerk, sheet, true)).msg).toContain('缺少“同意短信”列');
});

test('a student number that the spreadsheet shortened as a number is an error of its cell', async () => {
  const rows = [
    ['姓名', '学号'],
    ['孙长', 2014030217123456n],
    ['李短', 999999999999999n],
  ];
  expect((await bringIn(clerk, typedSheet(rows), true)).data).toMatchObject({
    valid: 1,
    errors: [{ row: 2, field: '学号', msg: expect.stringContaining('请把该列设为文本格式') as string }],
  });
});

test('a sheet repeated under one idempotency key is imported once, and another sheet under that key is refused', async () => {
  const sheet = await sheetOf(['姓名', '学号', '备注'], [['冯一', '7001', '初']]);
  const send = async (bytes: Buffer) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), '校友.xlsx');
    const headers = { 'idempotency-key': 'one-sheet' };
    const answer = await clerk.fetch('/api/alumnus/import/', { method: 'POST', body: form, headers });
    return (await answer.json()) as { code: number; msg: string; data: { imported: number; updated: number } };
  };
  const [first, again] = await Promise.all([send(sheet), send(sheet)]);
  expect([first.data, again.data]).toMatchObject([
    { imported: 1, updated: 0 },
    { imported: 1, updated: 0 },
  ]);
  expect((await kept('7001')).version).toBe(0);
  const other = await send(await sheetOf(['姓名', '学号', '备注'], [['冯一', '7001', '改']]));
  expect(other).toMatchObject({ code: -1, msg: expect.stringContaining('刚才的提交已经成功') as string });
  expect((await kept('7001')).remark).toBe('初');
});

test('a student number is stored as its format shows it, a year beside it as the number that it is', async () => {
  const parts = unzipSync(
    new Uint8Array(
      typedSheet([
        ['姓名', '学号', '毕业年份'],
        ['周显', 20240302n, 2028n],
      ]),
    ),
  );
  const formats = ['&quot;XH&quot;0000000000', '0&quot;届&quot;'];
  const styles =
    `<styleSheet><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`).join('')}</numFmts>` +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>';
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!)
    .replace('<c r="B2">', '<c r="B2" s="1">')
    .replace('<c r="C2">', '<c r="C2" s="2">');
  const bytes = zipSync({ ...parts, 'xl/styles.xml': strToU8(styles), 'xl/worksheets/sheet1.xml': strToU8(sheet) });
  expect((await bringIn(clerk, Buffer.from(bytes))).data).toMatchObject({ imported: 1, errors: [] });
  expect(await kept('XH0020240302')).toMatchObject({ name: '周显', graduate_year: 2028 });
});
