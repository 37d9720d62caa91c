import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { isWholeList } from './whole-list.ts';

const givenAs = <R extends z.ZodType>(reply: R) =>
  isWholeList(call({ method: 'GET', path: '/api/things/', access: signedIn, summary: '查看', reply }));
const row = z.object({ name: z.string() });

test('a list that is given whole is searched where its elements are rows, of one kind or of several', () => {
  expect(givenAs(z.array(row))).toBe(true);
  expect(givenAs(z.object({ value: z.array(row) }))).toBe(true);
  expect(givenAs(z.array(z.union([row, z.object({ title: z.string() })])))).toBe(true);
});

test('a list of plain words or numbers takes no search, which would leave none of them', () => {
  expect(givenAs(z.array(z.string()))).toBe(false);
  expect(givenAs(z.object({ value: z.array(z.number()) }))).toBe(false);
  expect(givenAs(z.object({ value: z.array(z.union([row, z.string()])) }))).toBe(false);
});
