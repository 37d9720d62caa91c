import { expect, test } from 'vitest';
import { z } from 'zod';
import { field } from '#kernel/contract/titles.ts';
import { factsOf } from './facts.ts';

const Meeting = z.object({
  dept_name: z.string().meta(field('主办部门')),
  host: z
    .string()
    .nullable()
    .meta(field('会议主持人', { short: '主持人' })),
  start_time: z.string().meta(field('开始时间')),
  asked: z.int().meta(field('已通知')),
});

test('facts are titled by the record’s schema in the page’s order, and empty ones are left out', () => {
  const facts = factsOf(Meeting, { host: '林晓', dept_name: '办公室', asked: 0, start_time: '' });
  expect(facts.map(({ label, children }) => [label, children])).toEqual([
    ['主持人', '林晓'],
    ['主办部门', '办公室'],
    ['已通知', 0],
  ]);
  expect(factsOf(Meeting, { host: null, dept_name: false })).toEqual([]);
});

test('a fact that shows more than its field declares its own heading, and is left out when empty', () => {
  expect(factsOf(Meeting, { start_time: { heading: '时间', shown: '9 点至 10 点' } })).toEqual([
    { key: 'start_time', label: '时间', children: '9 点至 10 点' },
  ]);
  expect(factsOf(Meeting, { start_time: { heading: '时间', shown: null } })).toEqual([]);
});
