import fc from 'fast-check';
import { expect, test } from 'vitest';
import { personName } from '../shapes.ts';
import { personNameOf } from './person-name.ts';

test('a person’s name is normalised whatever its dot, width and blanks', () => {
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

test('words before or after a person’s name stay separated from it', () => {
  expect(['教务处 张三', '教务处　 张三', '张三 李四', '张 三（代）', '张三(代)'].map(personNameOf)).toEqual([
    '教务处 张三',
    '教务处 张三',
    '张三 李四',
    '张三（代）',
    '张三（代）',
  ]);
});

test('normalising a person’s name twice gives the same as once', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'张三·•・‧･ 　aＡ（') }), (typed) => {
      expect(personNameOf(personNameOf(typed))).toBe(personNameOf(typed));
    }),
  );
});
