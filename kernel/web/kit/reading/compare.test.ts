import { expect, test } from 'vitest';
import { compareTexts } from './compare.ts';

const kinds = (before: string, after: string) =>
  compareTexts(before, after)?.map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`);
const lines = (word: string, count: number) => Array.from({ length: count }, (_, i) => `${word}${i}`).join('\n');

test('two versions are compared by their removed and added lines only', () => {
  expect(kinds('甲\n乙\n丙', '甲\n丁\n丙\n戊')).toEqual([' 甲', '-乙', '+丁', ' 丙', '+戊']);
  expect(kinds('', '甲')).toEqual(['+甲']);
  expect(kinds('甲\n\n 乙', '甲\n乙')).toEqual([' 甲', ' 乙']);
});

test('long versions are compared if they have enough in common, and otherwise not', () => {
  expect(kinds(lines('条', 20_000), `${lines('条', 20_000)}\n附则`)?.filter((line) => line[0] !== ' ')).toEqual([
    '+附则',
  ]);
  expect(compareTexts(lines('甲', 600), lines('乙', 600))).toBeNull();
});
