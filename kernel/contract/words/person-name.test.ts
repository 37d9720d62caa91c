import fc from 'fast-check';
import { expect, test } from 'vitest';
import { personName } from '../shapes.ts';
import { personNameOf } from './person-name.ts';

test('a person’s name is kept one way, whichever dot, width and blanks it was typed with', () => {
  for (const typed of ['买买提·艾力', '买买提•艾力', '买买提・艾力', '买买提‧艾力', '买买提･艾力', ' 买买提 · 艾力　'])
    expect(personName(30).parse(typed)).toBe('买买提·艾力');
  expect(['张　三', ' 王 小 明', 'Ｊｏｈｎ   Smith', '〇 一'].map(personNameOf)).toEqual([
    '张三',
    '王小明',
    'John Smith',
    '〇一',
  ]);
  expect(personName(30).safeParse('　').success).toBe(false);
});

test('what stands before a name, or behind it, stays apart from it', () => {
  expect(['教务处 张三', '教务处　 张三', '张三 李四', '张 三（代）', '张三(代)'].map(personNameOf)).toEqual([
    '教务处 张三',
    '教务处 张三',
    '张三 李四',
    '张三（代）',
    '张三（代）',
  ]);
});

test('a name that was put into its form once stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'张三·•・‧･ 　aＡ（') }), (typed) => {
      expect(personNameOf(personNameOf(typed))).toBe(personNameOf(typed));
    }),
  );
});
