import { expect, test } from 'vitest';
import { badWord, filled, fitting, harmless, placesOf, refusesMore, segmentsOf, signed } from './text.ts';

test('one message holds 70 characters with its signature, each part of a longer one 67', () => {
  const lengths = [1, 70, 71, 134, 135, 201, 202];
  expect(lengths.map((length) => segmentsOf('字'.repeat(length)))).toEqual([1, 1, 2, 2, 3, 3, 4]);
  expect(segmentsOf('😀'.repeat(36))).toBe(2);
});

test('a signature stands first, and the opt-out hint last and once', () => {
  expect(signed('校庆邀请', '母校', '拒收请回复 R')).toBe('【母校】校庆邀请，拒收请回复 R');
  expect(signed('欢迎回家！', '母校', '拒收请回复 R')).toBe('【母校】欢迎回家！拒收请回复 R');
  expect(signed('来，拒收请回复 R', '母校', '拒收请回复 R')).toBe('【母校】来，拒收请回复 R');
});

test('placeholders are filled by name, and not again within filled-in values', () => {
  expect(placesOf('{a}和{b}和{a}')).toEqual(['a', 'b']);
  expect(filled('{a}-{b}', { a: '{b}', b: '2' })).toBe('{b}-2');
  expect(filled('{没有}', {})).toBe('{没有}');
});

test('a sensitive word is found through blanks, marks and full-width letters', () => {
  const rules = { links: [], words: ['中奖', 'vip特权'] };
  expect(badWord('恭喜中 *奖', rules)).toBe('中奖');
  expect(badWord('ＶＩＰ 特权', rules)).toBe('vip特权');
  expect(badWord('期中考试奖学金', rules)).toBeUndefined();
});

test('system texts keep files, times and numbers, but lose links', () => {
  const rules = { links: ['zs.edu.cn'], words: [] };
  for (const fine of [
    '关于印发《报告.pdf》的通知',
    '2026.11.20 14.30 开会',
    '1.OA系统升级 2.VPN 停用',
    '见 zs.edu.cn/a',
  ])
    expect(harmless(fine, rules)).toBe(fine);
  for (const bad of ['领奖 bit.ly/abc', 'www.evil.work', '1.2.3.4/x']) expect(harmless(bad, rules)).toBe('内容从略');
});

test('the site’s own names are kept in texts although they look like links, but not what stands beside them', () => {
  const rules = { links: [], words: [] };
  const own = ['oa.school.edu.cn 门户'];
  expect(harmless('oa.school.edu.cn 门户异常', rules)).toBe('内容从略');
  expect(harmless('某校 oa.school.edu.cn 门户异常', rules, own)).toBe('某校 oa.school.edu.cn 门户异常');
  expect(harmless('oa.school.edu.cn 门户 bit.ly/abc', rules, own)).toBe('内容从略');
});

test('a reply counts as opt-out by the hint’s word or a usual one in any spelling, and by nothing else', () => {
  for (const reply of ['R', 'ｒ', ' td.', '退订', '【退订】', '88'])
    expect(refusesMore(reply, '拒收请回复 88'), reply).toBe(true);
  for (const reply of ['', '好的', '收到 R', '8', '不退订'])
    expect(refusesMore(reply, '拒收请回复 88'), reply).toBe(false);
});

test('a value too long for its provider is shortened where it harms least, alone or as the longest of a text', () => {
  const content = '您有新消息：{title}，时间{time}';
  const title = `待办：关于𠮷田先生${'很'.repeat(40)}长的通知`;
  const apart = fitting(content, { title, time: '9:00' }, { most: 35, apart: true });
  expect([[...apart['title']!].length, apart['time']]).toEqual([35, '9:00']);
  const whole = fitting(content, { title, time: '9:00' }, { most: 35, apart: false });
  expect([...filled(content, whole)].length).toBe(35);
  expect(whole['time']).toBe('9:00');
  expect(whole['title']).toMatch(/^待办：关于𠮷田.*…$/u);
  expect(fitting(content, { title: '短', time: '9:00' }, { most: 35, apart: false })['title']).toBe('短');
});
