import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  day,
  dayOr,
  listQuery,
  localMoment,
  momentSince,
  name,
  personName,
  seenOf,
  telephone,
  text,
} from './shapes.ts';
import { wording } from './words/wording.ts';

const said = (value: string) => text(20).safeParse(value);

test('multi-line text keeps tabs and line ends, converts a word processor’s breaks, and refuses other control characters', () => {
  expect(said('一\t二\n三\r\n四').data).toBe('一\t二\n三\r\n四');
  expect(said('一\v二\f三\u2028四\u0085五').data).toBe('一\n二\n三\n四\n五');
  for (const sign of ['\0', '\u0001', '\b', '\u001b', '\u007f', '\u0090'])
    expect(said(`一${sign}二`).error?.issues[0]?.message).toBe('不能包含控制字符');
});

test('a name is stripped of invisible characters and direction marks, and keeps joined emoji', () => {
  for (const nothing of ['', ' ', '\u200b', '\u3000\u200d', '\u202e\u2066', '\ufeff\u3164'])
    expect(name(10).safeParse(nothing).error?.issues[0]?.message).toBe('请填写');
  expect(name(10).parse(' 计算机\u200b学院\u200e ')).toBe('计算机学院');
  expect(seenOf('\u202eabc\u202c')).toBe('abc');
  for (const whole of ['👩\u200d🏫 老师', '❤\ufe0f', '一 二']) expect(seenOf(whole)).toBe(whole);
});

test('a list query refuses unknown parameters by name', () => {
  const query = listQuery({ sort: ['id'], filters: { act_state: z.coerce.number().optional() } });
  expect(query.safeParse({ act_state: '1', page: '2' }).success).toBe(true);
  const issues = query.safeParse({ act_sate: '1', search: '章' }).error?.issues;
  expect(issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['act_sate', 'search'] }]);
});

test('a date that does not exist gets another message than text that is not in the date format', () => {
  const said = (input: unknown) => wording({ code: 'invalid_format', format: 'date', input } as never);
  expect(said('2027-02-29')).toBe('没有 2027-02-29 这一天，请核对');
  for (const other of ['2027/02/28', '明天', 7]) expect(said(other)).toBe('请按 2026-03-01 的格式填写日期');
});

test('a time must lie within the allowed years, inclusively', () => {
  const refused = (at: string, shape = localMoment) => shape.safeParse(at).error?.issues[0]?.message;
  expect(refused('1999-12-31 23:59')).toBe('请输入 2000 至 2099 年之间的时间');
  expect(refused('2100-01-01 00:00')).toBe('请输入 2000 至 2099 年之间的时间');
  for (const fit of ['2000-01-01T00:00', '2099-12-31 23:59:59']) expect(refused(fit)).toBeUndefined();
  expect(refused('1989-12-31 23:59', momentSince(1990))).toBe('请输入 1990 至 2099 年之间的时间');
  expect(refused('1990-01-01 00:00', momentSince(1990))).toBeUndefined();
});

test('the length of a text, name, phone or search is counted in characters', () => {
  for (const shape of [
    name(100),
    text(100),
    personName(100),
    telephone(100),
    listQuery({ sort: ['id'] }).shape.search_value,
  ]) {
    expect(shape.safeParse('𠮷'.repeat(100)).success).toBe(true);
    expect(shape.safeParse('𠮷'.repeat(101)).error?.issues.map((one) => one.message.slice(-9))).toEqual([
      '最多 100 个字',
    ]);
  }
});

test('a date outside the allowed centuries gets another message than text that is no date, and only one message', () => {
  const refused = (typed: string, shape = day) => shape.safeParse(typed).error?.issues.map((one) => one.message);
  for (const other of ['0001-01-01', '1899-12-31', '2100-01-01', '9999-12-31'])
    for (const shape of [day, dayOr('请选择日期')])
      expect(refused(other, shape)).toEqual(['请输入 1900 至 2099 年之间的日期']);
  for (const fit of ['1900-01-01', '2099-12-31']) expect(refused(fit)).toBeUndefined();
  expect(refused('明天', dayOr('请选择日期'))).toEqual(['请选择日期']);
});
