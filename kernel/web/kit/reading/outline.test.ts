import { expect, test } from 'vitest';
import { headingsOf, nested } from './outline.ts';

test('chapters, numbered and bracketed headings are recognised, and numbered sentences are text', () => {
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

test('the first heading is one level below the page title, and no level is skipped', () => {
  const depths = (...lines: string[]) => nested(headingsOf(lines.join('\n'))).map((one) => one.depth);
  expect(depths('一、课前', '（一）备课', '二、课中')).toEqual([2, 3, 2]);
  expect(depths('第一章 总则', '（一）校内人员', '一、适用范围')).toEqual([2, 3, 3]);
  expect(depths('这里没有标题')).toEqual([]);
});
