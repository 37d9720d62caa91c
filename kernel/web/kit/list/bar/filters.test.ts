import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { line, listOf, listQuery } from '#kernel/contract/shapes.ts';
import { coded, field } from '#kernel/contract/titles.ts';
import { namedFilters } from './filters.ts';

const Room = z.object({ id: z.int(), kind: z.int().meta(field('房间类型', { short: '类型' })), floor: z.string() });
const list = call({
  method: 'GET',
  path: '/api/room/',
  access: signedIn,
  summary: '房间',
  query: listQuery({
    sort: ['kind'],
    filters: {
      kind: line(10).optional(),
      seats: line(10).optional().meta(field('至少容纳')),
      floor: line(10).optional(),
    },
  }),
  reply: listOf(Room),
});

test('a filter gets its label from query and row schemas even if those are wrapped', () => {
  const turned = <S extends z.ZodType>(schema: S) => schema.transform((said) => said);
  const wrapped = { ...list, query: turned(list.query!), reply: turned(listOf(turned(Room) as never)) };
  const filters = (['kind', 'seats'] as const).map((key) => ({ key, kind: 'text' as const }));
  expect(namedFilters(wrapped as never, filters).map(({ label }) => label)).toEqual(['类型', '至少容纳']);
  expect(() => namedFilters({ ...list, reply: Room } as never, filters)).toThrow('/api/room/ answers no list');
});

test('a filter’s label is its own, else that of the query, else that of the column', () => {
  const filters = (['kind', 'seats'] as const).map((key) => ({ key, kind: 'text' as const }));
  expect(namedFilters(list, filters).map(({ label }) => label)).toEqual(['类型', '至少容纳']);
  expect(namedFilters(list, [{ key: 'floor', label: '楼层', kind: 'text' }])[0]?.label).toBe('楼层');
});

test('a filter by codes offers those of its schema unless it has its own; another offers none', () => {
  const Coded = Room.extend({ kind: z.int().meta(coded('类型', { 1: '教室', 2: '会议室' })) });
  const rooms = { ...list, reply: listOf(Coded) };
  const offered = (key: string, kind: 'select' | 'text', options?: { value: string; label: string }[]) =>
    namedFilters(rooms as never, [{ key, kind, ...(options && { options }) }])[0]?.options;
  expect(offered('kind', 'select')).toEqual([
    { value: '1', label: '教室' },
    { value: '2', label: '会议室' },
  ]);
  expect(offered('kind', 'select', [])).toEqual([]);
  expect([offered('floor', 'select'), offered('kind', 'text')]).toEqual([undefined, undefined]);
});
