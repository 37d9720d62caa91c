import { expect, test } from 'vitest';
import { elementsOf } from './elements.ts';
import { documentPdf, tablePdf } from './worker/press.ts';
import { letter, long, readPaper } from './testing/paper.ts';

type Changes = Parameters<typeof letter>[0];
const print = async (changes: Changes, drawn = false) => readPaper(await documentPdf(letter(changes)), drawn);
/** Within half a millimetre. */
const near = (value: number, wanted: number, by = 0.5) => expect(Math.abs(value - wanted)).toBeLessThanOrEqual(by);
const [left, right, line, character] = [28, 184, 225 / 22, 156 / 28];
const third = 16 * (25.4 / 72);

test('信函 has its organisation 30 mm below the edge over a red double line of 170 mm, and another 20 mm above the lower edge', async () => {
  const paper = await print({ form: 'letter', urgency: '加急' }, true);
  expect(paper.ink(1, { x: 60, y: 30, width: 90, height: 13 }, true)).toBeGreaterThan(0.1);
  expect(paper.ink(1, { x: 20, y: 10, width: 170, height: 19 })).toBe(0);
  const first = 30 + 13 + 4;
  for (const y of [first, 297 - 20]) {
    expect(paper.ink(1, { x: 20.5, y: y - 0.6, width: 169, height: 2.2 }, true)).toBeGreaterThan(0.3);
    expect(paper.ink(1, { x: 10, y: y - 0.6, width: 9.5, height: 2.2 })).toBe(0);
    expect(paper.ink(1, { x: 190.5, y: y - 0.6, width: 9.5, height: 2.2 })).toBe(0);
  }
});

test('信函 has its number at the right below that line, its urgency at the left, and its title two lines below', async () => {
  const paper = await print({ form: 'letter', urgency: '加急' });
  const number = paper.find('校发〔2026〕12号');
  near(number.right, right, 1);
  near(number.y, 47 + 1.2 + third * 0.875 + third * 0.86, 1);
  near(paper.find('加急').x, left);
  near(paper.find('加急').y, number.y);
  const title = paper.texts.find((one) => Math.round(one.size) === 22)!;
  expect(title.y - number.y).toBeGreaterThan(2 * line - 1);
});

test('信函 has no page number on its first page, and no printing office with its lines', async () => {
  const paper = await print({ form: 'letter', bodyHtml: long(12) });
  expect(paper.pages).toBeGreaterThan(1);
  expect(paper.texts.filter((one) => one.page === 1 && /— 1 —/.test(one.text))).toEqual([]);
  expect(paper.find('— 2 —').page).toBe(2);
  expect(() => paper.find('印发')).toThrow(/not on paper/);
  expect(paper.find('校党委各部门').page).toBe(paper.pages);
});

test('信函 of several organisations bears the mark of the leading one, without 文件', () => {
  const { head } = elementsOf(letter({ form: 'letter', jointOrgs: ['某某省教育厅'] }));
  expect(head).toMatchObject({ mark: ['某某大学'], suffix: '' });
});

const order: Changes = {
  form: 'order',
  head: { orgLine: '', colour: '#e60012', line: 1 },
  title: '某某大学令',
  docNumber: '第3号',
  mainSend: [],
  copySend: [],
  attachments: [],
  annotation: '',
  issuers: ['陈国栋'],
};

test('命令 has its mark 20 mm below the top of the text, its number two lines below, and no title', async () => {
  const paper = await print(order, true);
  expect(paper.ink(1, { x: 50, y: 37 + 20, width: 110, height: 22 }, true)).toBeGreaterThan(0.1);
  expect(paper.ink(1, { x: 28, y: 37, width: 156, height: 19 })).toBe(0);
  const number = paper.find('第3号');
  near((number.x + number.right) / 2, 106, 1);
  expect(number.y - paper.find('某某大学令').y).toBeGreaterThan(2 * line);
  expect(paper.texts.filter((one) => Math.round(one.size) === 22)).toEqual([]);
  expect(elementsOf(letter(order)).head).toMatchObject({ mark: ['某某大学令'] });
});

test('命令 is signed by a person, and a line below follows the date, both four characters from the right', async () => {
  const paper = await print(order);
  const [name, date] = [paper.find('陈国栋'), paper.find('2026年3月1日')];
  near(name.right, right - 4 * character, 1);
  near(date.right, right - 4 * character, 1);
  near(date.y - name.y, 2 * line);
});

test('纪要 lists those present below its text in 黑体 with aligned names, and has no signature', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `校办公室与会人员${index + 1}`).join('、');
  const bodyHtml = `<p>会议研究了有关事项。</p><p>出席：${names}</p><p>列席：财务处李四</p>`;
  const minutes = { form: 'minutes' as const, head: { orgLine: '校长办公会议纪要', colour: '#e60012', line: 1 } };
  const elements = elementsOf(letter({ ...minutes, bodyHtml }));
  expect(elements.attendance.map((one) => one.label)).toEqual(['出席：', '列席：']);
  expect([elements.signatures, elements.head?.mark]).toEqual([[], ['校长办公会议纪要']]);
  const paper = await print({ ...minutes, bodyHtml, attachments: [] }, true);
  near(paper.find('出席：').x, left + 2 * character);
  const hanging = left + 5 * character;
  near(paper.find('校办公室与会人员1').x, hanging, 1);
  near(paper.find('财务处李四').x, hanging, 1);
  expect(paper.ink(1, { x: 40, y: 37 + 35, width: 130, height: 22 }, true)).toBeGreaterThan(0.05);
});

test('one person’s many print jobs do not keep the system or another person waiting', async () => {
  const done: string[] = [];
  const long = letter({ bodyHtml: '<p>一段不短的正文，要排好几行。</p>'.repeat(400) });
  const order = (by: number | 'house', name: string) => documentPdf(long, by).then(() => void done.push(name));
  const all = [1, 2, 3, 4, 5].map((nth) => order(7, `many ${nth}`));
  all.push(order(8, 'other'), order('house', 'own'));
  await Promise.all(all);
  expect(done).toEqual(['many 1', 'own', 'other', 'many 2', 'many 3', 'many 4', 'many 5']);
});

test('a table is printed sideways with eight rows of a full week on a page, and continues below its head on the next', async () => {
  const week = (rows: number) => ({
    title: '校领导一周安排',
    under: '2026-11-23 至 2026-11-29',
    head: ['领导', ...'一二三四五六日'],
    widths: [9, 14, 14, 14, 14, 14, 10, 10],
    rows: Array.from({ length: rows }, (_, row) => [
      `领导${row}`,
      ...Array.from({ length: 7 }, () => '上午　09:00–10:00 听取教务处工作汇报，行政楼 301'),
    ]),
  });
  const text = async (rows: number) => (await tablePdf(week(rows))).toString('latin1');
  const pages = (pdf: string) => pdf.match(/\/Type \/Page\b/g)!.length;
  const eight = await text(8);
  expect([pages(eight), /MediaBox \[0 0 841\.\d+ 595\.\d+\]/.test(eight)]).toEqual([1, true]);
  expect(pages(await text(40))).toBeGreaterThan(1);
});
