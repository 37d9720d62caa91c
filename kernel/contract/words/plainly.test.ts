import { expect, test } from 'vitest';
import { alike, plainly } from './plainly.ts';

test('texts that look the same compare as equal: radicals from PDF files, invisible characters, widths and brackets', () => {
  expect(plainly('⽤⼾⼿册')).toBe('用户手册');
  expect(plainly('⻓江⻋辆⻢场')).toBe('长江车辆马场');
  expect(plainly('用\u200b户\u202e手册\u2066')).toBe('用户手册');
  for (const bracketed of ['甲公司（北京）', '甲公司(北京)', '甲公司〔北京〕', '甲公司［北京］', '甲公司【北京】'])
    expect(plainly(bracketed), bracketed).toBe('甲公司(北京)');
  expect(plainly('ＡＢＣ ａｂｃ')).toBe('abcabc');
});

test('each group of look-alike characters has one representative', () => {
  expect([...alike.from]).toHaveLength([...alike.to].length);
  expect(new Set(alike.from).size).toBe([...alike.from].length);
});
