import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { columnLetters, dateText } from './sheet-xml.ts';
import { writeSheet } from './sheet-writer.ts';

const text = (title: string) => ({ title, kind: 'text' as const, value: (row: string) => row });
const lines = (title: string, rows: Iterable<string>) => buffer(writeSheet({ title, columns: [text('内容')], rows }));
const starts = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠', ' =', '\u200b=', '\ufeff@', '\n+', '\0='];
const formulas = starts.flatMap((s) => [`${s}1+1`, `${s}cmd|' /C calc'!A0`, `${s}HYPERLINK("http://x","y")`]);

test('texts, numbers, dates and blanks written to a sheet are read back unchanged', async () => {
  const rows = [
    { name: '张三 & <b>"李四"</b>', amount: 12.5, at: new Date('2026-11-20T16:30:00Z') },
    { name: ' 前后空格 ', amount: -3, at: '2026-11-20 08:15:59' },
    { name: '第一行\r\n第二行 _x0041_', amount: null, at: null },
  ];
  const bytes = await buffer(
    writeSheet({
      title: '工单/列表',
      columns: [
        { title: '姓名', kind: 'text', value: (r) => r.name, width: 20 },
        { title: '金额', kind: 'number', value: (r) => r.amount },
        { title: '时间', kind: 'date', value: (r) => r.at },
      ],
      rows,
    }),
  );
  expect(await readSheet(bytes, { trim: false })).toEqual([
    ['姓名', '金额', '时间'],
    ['张三 & <b>"李四"</b>', 12.5, '2026-11-21 00:30'],
    [' 前后空格 ', -3, '2026-11-20 08:15'],
    ['第一行\n第二行 _x0041_', null, null],
  ]);
  const parts = unzipSync(bytes);
  expect(strFromU8(parts['xl/workbook.xml']!)).toContain('name="工单 列表"');
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  expect(sheet).toContain('ySplit="1"');
  expect(sheet).toContain('width="20"');
});

test('rows that fail before anybody reads the sheet fail its reader, and not the process', async () => {
  const rows = async function* () {
    yield '一';
    throw new Error('the database went away');
  };
  const sheet = writeSheet({ title: '断开', columns: [text('内容')], rows: rows() });
  await expect.poll(() => sheet.destroyed, { timeout: 20_000 }).toBe(true);
  await expect(buffer(sheet)).rejects.toThrow('the database went away');
});

test('text that begins like a formula is written as text, unchanged', async () => {
  const bytes = await lines('公式', formulas);
  const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!);
  expect(sheet).not.toContain('<f');
  expect(sheet.match(/ s="2" t="inlineStr"/g)).toHaveLength(formulas.length);
  const read = await readSheet(bytes, { trim: false });
  expect(read.slice(1).map((r) => r[0])).toEqual(formulas.map((f) => f.replaceAll('\r', '\n').replaceAll('\0', '')));
});

test('text that begins like a formula carries the style that a spreadsheet shows behind an apostrophe', async () => {
  const styles = strFromU8(unzipSync(await lines('样式', ['=1']))['xl/styles.xml']!);
  expect(styles).toContain(`formatCode="General;General;General;&quot;'&quot;@"`);
  expect(styles).toMatch(/<xf numFmtId="164"[^>]* quotePrefix="1"\/><\/cellXfs>/);
});

test('characters that XML cannot hold are dropped from a sheet', async () => {
  const read = await readSheet(await lines('控制', ['a\0b\u0008c\ud800d\uffffe😀']));
  expect(read[1]).toEqual(['abcde😀']);
});

test('columns are lettered past Z, and dates without a time zone stay as they are', () => {
  expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  expect(dateText('2026-11-20')).toBe('2026-11-20');
  expect(dateText('2026-11-20T16:30:00.000Z')).toBe('2026-11-21 00:30');
  expect(dateText('待定')).toBe('待定');
});

test('a failure while producing rows fails the stream, and a reader that leaves stops the rows', async () => {
  async function* failing() {
    yield 'a';
    throw new Error('连接中断');
  }
  await expect(buffer(writeSheet({ title: 't', columns: [text('a')], rows: failing() }))).rejects.toThrow('连接中断');
  let closed = false;
  async function* endless() {
    try {
      for (;;) yield 'x'.repeat(1000);
    } finally {
      closed = true;
    }
  }
  const leave = () => stream.destroy();
  const stream = writeSheet({ title: 't', columns: [text('a')], rows: endless(), onProgress: leave }).resume();
  while (!closed) await sleep(5);
  expect(closed).toBe(true);
});

test(
  '100,000 rows of 8 columns stream in seconds with constant memory and without blocking',
  { timeout: 180_000 },
  async () => {
    // Counts rows since the event loop last ran: a number that the program determines, whereas milliseconds depend on the machine.
    let turn = 0;
    let longest = 0;
    let running = true;
    const comeRound = () => {
      turn = 0;
      if (running) setImmediate(comeRound);
    };
    comeRound();
    function* rows() {
      for (let i = 0; i < 100_000; i += 1) {
        turn += 1;
        longest = Math.max(longest, turn);
        yield i;
      }
    }
    const columns = Array.from({ length: 8 }, (_, c) => ({
      title: `第 ${c} 列`,
      kind: c === 0 ? ('number' as const) : ('text' as const),
      value: (i: number) => (c === 0 ? i : `工单标题 ${i} 的第 ${c} 项`),
    }));
    let seen = 0;
    let size = 0;
    let peak = 0;
    const before = process.memoryUsage().rss;
    const start = performance.now();
    for await (const chunk of writeSheet({ title: '大表', columns, rows: rows(), onProgress: (n) => (seen = n) })) {
      size += (chunk as Buffer).length;
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    const seconds = (performance.now() - start) / 1000;
    running = false;
    const growth = (peak - before) / 2 ** 20;
    console.log(
      `100k x 8: ${seconds.toFixed(2)} s, ${(size / 2 ** 20).toFixed(1)} MB, rss +${growth.toFixed(0)} MB, ${longest} rows a turn`,
    );
    expect(seen).toBe(100_000);
    expect(seconds).toBeLessThan(30);
    expect(growth).toBeLessThan(150);
    expect(longest).toBeLessThan(200);
  },
);

const office = ['soffice', 'libreoffice']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, name)))
  .find((file) => existsSync(file));

test.runIf(office)(
  'LibreOffice (only where it is installed) reads every such cell as text, none as a formula',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sheet-'));
    try {
      const texts = formulas.map((f) => f.replace(/[\r\n\0]/g, '\t'));
      writeFileSync(join(dir, 'a.xlsx'), await lines('公式', texts));
      const profile = `-env:UserInstallation=file://${join(dir, 'profile')}`;
      await promisify(execFile)(office!, [
        profile,
        '--headless',
        '--convert-to',
        'fods',
        '--outdir',
        dir,
        join(dir, 'a.xlsx'),
      ]);
      const flat = readFileSync(join(dir, 'a.fods'), 'utf8');
      expect(flat.match(/office:value-type="string"/g)).toHaveLength(texts.length + 1);
      expect(flat).not.toContain('table:formula');
      expect(flat).not.toMatch(/office:value-type="(?!string)/);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
  300_000,
);
