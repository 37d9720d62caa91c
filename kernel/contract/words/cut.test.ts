import { expect, test } from 'vitest';
import { charactersIn, cutTo } from './cut.ts';

test('a text is cut to a number of characters, and never within a combined character', () => {
  const family = '👨‍👩‍👧';
  expect(charactersIn('𠮷田')).toBe(2);
  expect(cutTo('𠮷田先生', 4)).toBe('𠮷田先生');
  expect(cutTo('𠮷田先生', 3)).toBe('𠮷田…');
  expect(cutTo(`好${family}好`, 4)).toBe('好…');
  expect(cutTo(`好${family}好好`, 7)).toBe(`好${family}…`);
  for (let most = 1; most < 12; most += 1) {
    const cut = cutTo(`👍🏽e\u0301${family}🇨🇳`.repeat(2), most);
    expect(cut.isWellFormed()).toBe(true);
    expect(charactersIn(cut)).toBeLessThanOrEqual(most);
  }
});

test('a text limited in bytes is cut to that number of bytes', () => {
  const bytes = (text: string) => Buffer.byteLength(text);
  expect(Buffer.byteLength(cutTo('👍'.repeat(10), 20, bytes))).toBeLessThanOrEqual(20);
  expect(cutTo('汉字', 6, bytes)).toBe('汉字');
});
