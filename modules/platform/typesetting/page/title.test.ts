import { expect, test } from 'vitest';
import { titleLines, wordsOfTitle } from './title.ts';

/** Each character as wide as it is high, Latin ones half. */
const measure = (text: string, _face: string, size: number) =>
  [...text].reduce((sum, one) => sum + (/[\x20-\x7e]/.test(one) ? 0.5 : 1), 0) * size;
const lines = (title: string) => titleLines(title, measure);

test.each([
  ['某某大学等三单位关于共建实验教学中心的请示', ['某某大学等三单位', '关于共建实验教学中心的请示']],
  ['某某大学关于做好2026年实验室安全检查工作的通知', ['某某大学关于做好2026年', '实验室安全检查工作的通知']],
  ['关于期末考试安排的通知', ['关于期末考试安排的通知']],
])('a title is broken between words, where the sense pauses: %s', (title, wanted) => {
  expect(lines(title)).toEqual(wanted);
});

test.each([
  '某某省教育厅某某省财政厅某某省人力资源和社会保障厅关于进一步加强高等学校实验室安全管理工作的通知',
  '某某大学关于印发《某某大学本科生学籍管理规定（2026年修订）》的通知',
  '某某大学关于成立人工智能与未来教育研究院及任命有关负责同志的决定',
  '某某大学关于转发《教育部办公厅关于开展2026年全国大学生创新创业训练计划项目申报工作的通知》的通知',
])('a long title has lines of at most 18 characters in a trapezium or diamond, and splits no word', (title) => {
  const found = lines(title);
  expect(found.join('')).toBe(title);
  expect(found.length).toBeGreaterThan(1);
  const widths = found.map((one) => measure(one, '', 1));
  expect(Math.max(...widths)).toBeLessThanOrEqual(18.8);
  for (let at = 1; at + 1 < widths.length; at += 1)
    expect(widths[at]! < widths[at - 1]! && widths[at]! < widths[at + 1]!, found.join(' / ')).toBe(false);
  for (const one of found.slice(1)) expect(one).not.toMatch(/^(?:的|等|年|，|、|）|》)/u);
  for (const one of found.slice(0, -1)) expect(one).not.toMatch(/(?:关于|和|与|及|（|《)$/u);
  const parted = found.slice(1).map((one, at) => `${found[at]!.slice(-1)}${one[0]}`);
  for (const word of ['学校', '大学', '管理', '工作', '教育', '学籍', '规定', '训练', '计划', '负责', '同志', '研究'])
    expect(parted).not.toContain(word);
});

test('particles, punctuation and parts of a dictionary word stay with their word when a title is split', () => {
  expect(wordsOfTitle('关于印发实验室管理办法（2026年修订）的通知')).toEqual([
    '关于印发',
    '实验室',
    '管理',
    '办法',
    '（2026年',
    '修订）的',
    '通知',
  ]);
});

test('a word longer than a line is cut without losing a character', () => {
  const title = `关于${'x'.repeat(90)}的通知`;
  expect(lines(title).join('')).toBe(title);
});
