import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { hiddenLine, lostDigits, shownCell, unreadCell } from './sheet-bounds.ts';
import { readBook, readSheet } from './sheet-reader.ts';
import { writeSheet } from './sheet-writer.ts';
import { sheetEnd, sheetStart, workbookParts } from './sheet-xml.ts';

const notSheet = /不是 \.xlsx/;
const damaged = /已损坏/;
const tooBig = /内容过大/;

const cell = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** The parts of a workbook whose sheet holds this XML between `<sheetData>` and its end. */
const partsOf = (rows: string) => ({
  ...workbookParts('表'),
  'xl/worksheets/sheet1.xml': sheetStart([10]) + rows + sheetEnd,
});
/** A workbook of such parts, with more parts added. */
function book(rows: string, more: Record<string, Uint8Array> = {}, level: 0 | 6 = 6): Buffer {
  const parts = Object.entries(partsOf(rows)).map(([path, xml]) => [path, strToU8(xml)]);
  return Buffer.from(zipSync({ ...Object.fromEntries(parts), ...more }, { level }));
}
/** The same workbook compressed by the system's own library, which is quicker with large parts. */
function largeBook(rows: string, more: Record<string, Buffer> = {}): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, xml] of Object.entries(partsOf(rows))) zip.addBuffer(Buffer.from(xml), path);
  for (const [path, bytes] of Object.entries(more)) zip.addBuffer(bytes, path);
  zip.end();
  return buffer(zip.outputStream);
}

function written(rows: number, columns: number): Promise<Buffer> {
  const plan = Array.from({ length: columns }, (_, c) => ({
    title: `列${c}`,
    kind: 'text' as const,
    value: (row: number) => `第 ${row} 行第 ${c} 列`,
  }));
  return buffer(writeSheet({ title: '表', columns: plan, rows: Array.from({ length: rows }, (_, i) => i) }));
}

test('cells are read as trimmed text, in rows matching the lines of the sheet', async () => {
  const dates = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`;
  const xml =
    `<row r="1">${cell('A1', ' 姓名 ')}${cell('B1', '手机')}<c r="C1"><v>0.30000000000000004</v></c></row>` +
    `<row r="3"><c r="A3" s="1"><v>46346</v></c><c r="B3"><v>13800138000</v></c><c r="C3" t="b"><v>1</v></c></row>` +
    `<row r="4"><c r="A4" s="1"><v>46346.5</v></c></row>`;
  expect(await readSheet(book(xml, { 'xl/styles.xml': strToU8(dates) }))).toEqual([
    ['姓名', '手机', '0.3'],
    ['', '', ''],
    ['2026-11-20', '13800138000', 'TRUE'],
    ['2026-11-20 12:00:00', '', ''],
  ]);
});

test('a number of more digits than a spreadsheet keeps is marked', async () => {
  const numbers = ['999999999999999', '1000000000000000', '-2014030217123456'];
  const xml = numbers.map((number, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${number}</v></c></row>`).join('');
  expect(await readSheet(book(xml))).toEqual([
    ['999999999999999'],
    [`${lostDigits}1000000000000000`],
    [`${lostDigits}-2014030217123460`],
  ]);
});

test('a sheet from our own writer is read back unchanged', async () => {
  const rows = await readSheet(await written(3, 2));
  expect(rows).toEqual([['列0', '列1'], ...[0, 1, 2].map((r) => [`第 ${r} 行第 0 列`, `第 ${r} 行第 1 列`])]);
});

test('a sheet whose name ends in a blank is read', async () => {
  const named = {
    'xl/workbook.xml': strToU8(workbookParts('表')['xl/workbook.xml']!.replace('name="表"', 'name="台账 "')),
  };
  expect(strFromU8(named['xl/workbook.xml'])).toContain('name="台账 "');
  expect(await readSheet(book(`<row r="1">${cell('A1', '姓名')}</row>`, named))).toEqual([['姓名']]);
});

test('a file that is not an .xlsx is refused as such', async () => {
  const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]);
  for (const bytes of [Buffer.alloc(0), Buffer.from('姓名,手机\n'), Buffer.from('<html>'), ole]) {
    await expect(readSheet(bytes)).rejects.toThrow(notSheet);
  }
  const locked = Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]);
  await expect(readSheet(locked)).rejects.toThrow(/打开密码/);
});

test('a truncated or corrupted file is reported as damaged', { timeout: 180_000 }, async () => {
  const whole = await written(200, 4);
  for (const part of [0.2, 0.6, 0.99]) {
    await expect(readSheet(whole.subarray(0, Math.floor(whole.length * part)))).rejects.toThrow(damaged);
  }
  await expect(readSheet(Buffer.from(zipSync({ 'a.txt': strToU8('hi') })))).rejects.toThrow(damaged);
  await expect(readSheet(book(`<row r="1">${cell('A1', 'a')}`.repeat(2)))).rejects.toThrow(damaged);
  await expect(readSheet(book(`<row r="1e12">${cell('A1', 'a')}</row>`))).rejects.toThrow(damaged);
  await expect(readSheet(book(`<row r="1">${cell('ZZZZZZZZ1', 'a')}</row>`))).rejects.toThrow(damaged);
});

test('decompression bombs are refused before they are unpacked', { timeout: 180_000 }, async () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`x${i}`, strToU8('a')]));
  await expect(readSheet(book('', many, 0))).rejects.toThrow(tooBig);
  await expect(readSheet(await largeBook('', { 'xl/a.xml': Buffer.alloc(70e6) }))).rejects.toThrow(tooBig);
  await expect(readSheet(await largeBook('', { 'xl/media/a.bin': Buffer.alloc(20e6) }))).rejects.toThrow(tooBig);
  const bomb = await largeBook('', { 'xl/sharedStrings.xml': Buffer.alloc(30e6) });
  const before = process.memoryUsage().rss;
  await expect(readSheet(bomb)).rejects.toThrow(tooBig);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(100);
});

test('an archive directory with wrong sizes cannot cause more memory to be used', async () => {
  const honest = await largeBook('', { 'xl/sharedStrings.xml': Buffer.alloc(40e6) });
  const name = Buffer.from('xl/sharedStrings.xml');
  const entry = honest.lastIndexOf(name) - 46;
  expect(honest.readUInt32LE(entry)).toBe(0x02014b50);
  honest.writeUInt32LE(1000, entry + 24);
  const before = process.memoryUsage().rss;
  await readSheet(honest).catch(() => undefined);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(60);
});

test('a cell at XFD1048576 is refused, but a style or rule reaching there is not', async () => {
  const far = `<row r="1">${cell('A1', 'a')}</row><row r="1048576">${cell('XFD1048576', 'b')}</row>`;
  await expect(readSheet(book(far))).rejects.toThrow('表格超过 50000 行');
  await expect(readSheet(book(`<row r="1">${cell('XFD1', 'b')}</row>`))).rejects.toThrow('表格超过 100 列');
  const styled = `<row r="1">${cell('A1', 'a')}</row><row r="1048576"><c r="XFD1048576" s="1"/></row>`;
  const rule = '</sheetData><dataValidations><dataValidation type="list" sqref="A1:XFD1048576"/></dataValidations>';
  const bytes = unzipSync(book(styled));
  bytes['xl/worksheets/sheet1.xml'] = strToU8(
    strFromU8(bytes['xl/worksheets/sheet1.xml']!).replace('</sheetData>', rule),
  );
  expect(await readSheet(Buffer.from(zipSync(bytes)))).toEqual([['a']]);
});

test('the limits on rows and columns are set by the caller', async () => {
  await expect(readSheet(await written(10, 3), { maxRows: 10 })).rejects.toThrow('表格超过 10 行');
  await expect(readSheet(await written(3, 4), { maxColumns: 3 })).rejects.toThrow('表格超过 3 列');
  expect(await readSheet(await written(10, 3), { maxRows: 11, maxColumns: 3 })).toHaveLength(11);
});

test(
  'XML entities are not expanded, and one string shared a million times is refused',
  { timeout: 180_000 },
  async () => {
    const entity = book(`<row r="1">${cell('A1', '&b;')}</row>`);
    expect(await readSheet(entity)).toEqual([['&b;']]);
    const strings = `<sst><si><t>${'很长'.repeat(15_000)}</t></si></sst>`;
    const row = (r: number) => `<row r="${r}"><c r="A${r}" t="s"><v>0</v></c></row>`;
    const shared = book(Array.from({ length: 40_000 }, (_, i) => row(i + 1)).join(''), {
      'xl/sharedStrings.xml': strToU8(strings),
    });
    await expect(readSheet(shared)).rejects.toThrow(tooBig);
  },
);

test('reading 20,000 rows of 10 columns does not block the event loop', { timeout: 180_000 }, async () => {
  const columns = 'ABCDEFGHIJ'.split('');
  const line = (r: number) =>
    `<row r="${r + 1}">${columns.map((at, c) => cell(`${at}${r + 1}`, `第 ${r} 行第 ${c} 列`)).join('')}</row>`;
  const bytes = await largeBook(Array.from({ length: 20_000 }, (_, r) => line(r)).join(''));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const start = performance.now();
  delay.enable();
  const rows = await readSheet(bytes);
  delay.disable();
  const whole = performance.now() - start;
  const p99 = delay.percentile(99) / 1e6;
  console.log(
    `read 20k x 10: ${(whole / 1000).toFixed(2)} s, block p99 ${p99.toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(1)} ms`,
  );
  expect(rows).toHaveLength(20_000);
  expect(rows[19_999]![9]).toBe('第 19999 行第 9 列');
  // A share of the reading time, not milliseconds: a loop that waited for it would stand still for all of it.
  expect(p99).toBeLessThan(whole / 10);
});

test('many sheets read at once queue up, and too many are told to come back', { timeout: 180_000 }, async () => {
  const bytes = await written(5, 2);
  const results = await Promise.allSettled(Array.from({ length: 14 }, () => readSheet(bytes)));
  const refused = results.filter((r) => r.status === 'rejected');
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(10);
  expect(refused.map((r) => r.reason.message)).toEqual(Array(4).fill('正在读取的表格较多，请稍后再试'));
});

test('merged cells, errors and uncalculated formulas are read as shown, and hidden sheets are skipped', async () => {
  const of = async (name: string) =>
    readBook(await readFile(new URL(`../testing/sheets/${name}.xlsx`, import.meta.url)));
  expect((await of('merged-department')).rows.map((row) => row[2])).toEqual(['部门', ...Array(3).fill('后勤保障部')]);
  expect((await of('error-cells')).rows.slice(1).map(([, amount, paid]) => [amount, paid])).toEqual([
    ['48000', `${unreadCell}#N/A`],
    [unreadCell, ''],
    ['36000', `${unreadCell}#REF!`],
  ]);
  expect(await of('hidden-sheet-and-row')).toEqual({
    rows: [
      ['单位名称', '电话'],
      ['临江市图书馆', '0731-88880001'],
      [`${hiddenLine}临江市体育中心`, '0731-88880002'],
    ],
    beside: ['旧数据（已隐藏）'],
    hiddenColumns: [],
  });
  const [, zeros] = (await of('zeros-by-format')).rows;
  expect(zeros!.slice(0, 3)).toEqual(['郭瑞', `${shownCell}00042${shownCell}42`, '11010120000229000X']);
  expect(zeros![3]).toMatch(new RegExp(`^${lostDigits}`));
  expect((await of('dates-1904')).rows[1]).toEqual(['一九〇四日期系统', '2026-03-05']);
  const empty = `<row r="1"><c r="A1" t="str"><f>""</f><v></v></c><c r="B1" t="n"><f>1+1</f><v>2</v></c></row>`;
  expect(await readSheet(book(empty))).toEqual([['', '2']]);
});

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
/** Styles whose formats are these, by their index. */
const stylesOf = (...codes: string[]) => {
  const quoted = codes.map((code) => code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'));
  const formats = quoted.map((code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${code}"/>`).join('');
  const styles = codes.map((_, i) => `<xf numFmtId="${170 + i}"/>`).join('');
  const xml = `<styleSheet xmlns="${main}"><numFmts>${formats}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`;
  return { 'xl/styles.xml': strToU8(xml) };
};
const error = (at: string) => `<c r="${at}" t="e"><f>1/0</f><v>#DIV/0!</v></c>`;
const uncounted = (at: string) => `<c r="${at}"><f>A1+1</f></c>`;

test('errors and uncalculated formulas at the end of a sheet are read, in lines and columns that hold nothing else', async () => {
  const rows =
    `<row r="1">${cell('A1', '名称')}${cell('B1', '部门')}</row><row r="2">${cell('A2', '甲')}${cell('B2', '一处')}</row>` +
    `<row r="3">${error('A3')}</row><row r="4">${uncounted('A4')}${uncounted('C4')}</row><row r="5"><c r="A5" s="0"/></row>`;
  const parts = unzipSync(book(rows));
  const merged = '</sheetData><mergeCells count="1"><mergeCell ref="B2:B4"/></mergeCells>';
  const xml = strFromU8(parts['xl/worksheets/sheet1.xml']!).replace('</sheetData>', merged);
  parts['xl/worksheets/sheet1.xml'] = strToU8(xml);
  expect(await readSheet(Buffer.from(zipSync(parts)))).toEqual([
    ['名称', '部门', ''],
    ['甲', '一处', ''],
    [`${unreadCell}#DIV/0!`, '一处', ''],
    [unreadCell, '一处', unreadCell],
  ]);
  expect(await readSheet(book(`<row r="1">${error('B1')}</row>`))).toEqual([['', `${unreadCell}#DIV/0!`]]);
});

test.each([
  ['"XH"00000000', '20240302', 'XH20240302'],
  ['00000000_ ', '42', '00000042'],
  ['0.00', '1.5', '1.50'],
  ['00000000;@', '42', '00000042'],
  ['[$-804]00000000', '42', '00000042'],
  ['0000-0000', '5718800', '0571-8800'],
  ['00000"号"', '42', '00042号'],
  ['00000000_);(00000000)', '42', '00000042'],
  ['00000000_);(00000000)', '-42', '(00000042)'],
  ['[>99999]"大"00000;00000', '42', '00042'],
  ['[Red]000', '7', '007'],
  ['"XH"General', '42', 'XH42'],
  ['0%', '0.5', '50%'],
  ['#,##0.00', '12345', '12,345.00'],
  ['yyyy"年"m"月"', '46346', '2026年11月'],
  ['h:mm', '0.5', '12:00'],
])(
  'a number with the format %s is read as a spreadsheet shows it, and beside it as it is',
  async (code, value, shows) => {
    const [[read]] = (await readSheet(
      book(`<row r="1"><c r="A1" s="0"><v>${value}</v></c></row>`, stylesOf(code)),
    )) as [[string]];
    expect(read!.split(shownCell).slice(0, 2)).toEqual(['', shows]);
  },
);

test.each([
  ['General', '42', '42'],
  ['@', '123456789012', '123456789012'],
  ['#,##0', '1234567', '1234567'],
  ['0', '13800138000', '13800138000'],
  ['0.00E+00', '13800138000', '13800138000'],
  [';;;', '42', '42'],
  ['yyyy/m/d', '46346', '2026-11-20'],
  ['[$-F800]dddd, mmmm dd, yyyy', '46346', '2026-11-20'],
  ['"unclosed', '42', '42'],
])('a number with the format %s is read as it is', async (code, value, text) => {
  expect(await readSheet(book(`<row r="1"><c r="A1" s="0"><v>${value}</v></c></row>`, stylesOf(code)))).toEqual([
    [text],
  ]);
});

test('dates of the older date system are shown by their own calendar', async () => {
  const old = workbookParts('表')['xl/workbook.xml']!.replace('<sheets>', '<workbookPr date1904="1"/><sheets>');
  const more = { ...stylesOf('yyyy"年"m"月"'), 'xl/workbook.xml': strToU8(old) };
  const [[read]] = (await readSheet(book('<row r="1"><c r="A1" s="0"><v>44884</v></c></row>', more))) as [[string]];
  expect(read).toBe(`${shownCell}2026年11月${shownCell}2026-11-20`);
});

test('cells and lines without an address are read in their order', async () => {
  const bare = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const xml =
    `<row>${bare('姓名')}${bare('手机')}</row><row hidden="1">${bare('甲')}<c/>${bare('备注')}</row>` +
    `<row r="5">${bare('乙')}${cell('D5', '远')}${bare('邻')}</row><row><c r="B7"><v>7</v></c>${error('C7')}</row>`;
  expect(await readSheet(book(xml))).toEqual([
    ['姓名', '手机', '', '', ''],
    [`${hiddenLine}甲`, '', '备注', '', ''],
    ['', '', '', '', ''],
    ['', '', '', '', ''],
    ['乙', '', '', '远', '邻'],
    ['', '', '', '', ''],
    ['', '7', `${unreadCell}#DIV/0!`, '', ''],
  ]);
  const wide = `<row>${'<c><v>1</v></c>'.repeat(101)}</row>`;
  await expect(readSheet(book(wide))).rejects.toThrow('表格超过 100 列');
  await expect(readSheet(book('<row><c><v>1</v></c></row>'.repeat(11)), { maxRows: 10 })).rejects.toThrow(
    '表格超过 10 行',
  );
  await expect(readSheet(book('<row><c/></row>'.repeat(60_000)), { maxUnpacked: 2 ** 20 })).rejects.toThrow(tooBig);
});

test('hidden columns are told of, also those that are hidden by their width; hidden lines also by their height', async () => {
  const rows =
    `<row r="1">${cell('A1', '姓名')}${cell('B1', '手机')}${cell('C1', '备注')}${cell('D1', '附注')}</row>` +
    `<row r="2" ht="0" customHeight="1">${cell('A2', '甲')}</row>`;
  const columns = '<cols><col min="2" max="3" width="9" hidden="1"/><col min="4" max="16384" width="0"/></cols>';
  const parts = unzipSync(book(rows));
  const xml = strFromU8(parts['xl/worksheets/sheet1.xml']!).replace(/<cols>.*<\/cols>/, columns);
  parts['xl/worksheets/sheet1.xml'] = strToU8(xml);
  const read = await readBook(Buffer.from(zipSync(parts)));
  expect(read.hiddenColumns).toEqual([1, 2, 3]);
  expect(read.rows[1]![0]).toBe(`${hiddenLine}甲`);
});
