import { expect, test } from 'vitest';
import { attachmentTitle } from './gathering.ts';

test('an attachment that begins with its own number is numbered once, and one that begins with a figure is unchanged', () => {
  expect(['1.名单', '2、汇总表', '10．计划', '12 . 图', '1.《办法》', '2.（修订）'].map(attachmentTitle)).toEqual([
    '名单',
    '汇总表',
    '计划',
    '图',
    '《办法》',
    '（修订）',
  ]);
  for (const name of ['2026年计划', '3.5升水箱', '1. 2.名单', '100.总表', '名单'])
    expect(attachmentTitle(name)).toBe(name);
});
