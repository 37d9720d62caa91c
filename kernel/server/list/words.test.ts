import { expect, test } from 'vitest';
import { wordsOf } from './words.ts';

const words = (text: string) => wordsOf(text, 200).map(({ characters }) => characters.join(''));

test('a text is found by its words in either form of look-alike characters', () => {
  expect(words('⽤⼾⼿册')).toEqual(words('用户手册'));
  expect(words('用\u200b户手册')).toEqual(['用户手册']);
});
