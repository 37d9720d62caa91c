import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { coded, field } from '#kernel/contract/titles.ts';
import { isWholeList, searchWhole } from './whole-list.ts';

const givenAs = <R extends z.ZodType>(reply: R) =>
  isWholeList(call({ method: 'GET', path: '/api/things/', access: signedIn, summary: '查看', reply }));
const row = z.object({ name: z.string() });

test('an unpaged list can be searched if its elements are rows, of one or several kinds', () => {
  expect(givenAs(z.array(row))).toBe(true);
  expect(givenAs(z.object({ value: z.array(row) }))).toBe(true);
  expect(givenAs(z.array(z.union([row, z.object({ title: z.string() })])))).toBe(true);
});

test('an unpaged list of plain words or numbers has no search', () => {
  expect(givenAs(z.array(z.string()))).toBe(false);
  expect(givenAs(z.object({ value: z.array(z.number()) }))).toBe(false);
  expect(givenAs(z.object({ value: z.array(z.union([row, z.string()])) }))).toBe(false);
});

test('an unpaged list finds a row by the words, code names and people its columns show, and by nothing hidden', () => {
  const states = codeSet({ off: [0, '停用'], on: [1, '启用'] });
  const reply = z.array(
    z.object({
      name: z.string().meta(field('名称')),
      place: z.string().meta(field('地点')),
      state: z.int().meta(coded('状态', states.names)),
      keeper: z.object({ alias: z.string() }).nullable().meta(field('保管人')),
      secret: z.string(),
      parts: z.array(z.object({ size: z.int() })).meta(field('部件')),
    }),
  );
  const list = call({ method: 'GET', path: '/api/things/', access: signedIn, summary: '查看', reply });
  const thing = { name: '钥匙', place: '西楼', state: 0, keeper: null, secret: '密语', parts: [] };
  const data = [
    thing,
    { ...thing, name: '门卡', place: '东楼 305', state: 1, keeper: { alias: '林晓' }, parts: [{ size: 1 }] },
  ];
  const found = (typed: string) => (searchWhole(list, data, typed) as typeof data).map(({ name }) => name);
  expect(['305', '启用', '林晓', '东楼 门卡', 'mk', '停用'].map(found)).toEqual([
    ['门卡'],
    ['门卡'],
    ['门卡'],
    ['门卡'],
    ['门卡'],
    ['钥匙'],
  ]);
  expect(['密语', 'object', '1', '西楼 门卡'].map(found)).toEqual([[], [], [], []]);
});
