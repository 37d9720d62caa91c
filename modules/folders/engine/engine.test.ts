import { expect, test } from 'vitest';
import { compareTexts } from './compare.ts';
import { headingsOf } from './outline.ts';

test('chapters, numbered headings and those in brackets are headings; numbered sentences are text', () => {
  const text = [
    '第一章 总则',
    '一、适用范围',
    '（一）校内人员',
    '（二）来访人员由接待部门负责登记，并在离校时交还证件。',
    '第二条 本办法所称差旅费，是指出差的费用。',
    '第十二章 附则',
  ].join('\n');
  expect(headingsOf(text)).toEqual([
    { line: 0, level: 1, title: '第一章 总则' },
    { line: 1, level: 2, title: '一、适用范围' },
    { line: 2, level: 3, title: '（一）校内人员' },
    { line: 5, level: 1, title: '第十二章 附则' },
  ]);
});

test('two versions differ in the lines that were taken out and put in, and in nothing else', () => {
  const kinds = (before: string, after: string) =>
    compareTexts(before, after)!.map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`);
  expect(kinds('甲\n乙\n丙', '甲\n丁\n丙\n戊')).toEqual([' 甲', '-乙', '+丁', ' 丙', '+戊']);
  expect(kinds('', '甲')).toEqual(['+甲']);
  expect(kinds('甲\n\n 乙', '甲\n乙')).toEqual([' 甲', ' 乙']);
  expect(compareTexts('行\n'.repeat(2000), '行\n'.repeat(2000))).toBeNull();
});
