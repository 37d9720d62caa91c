import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, expectTypeOf, test } from 'vitest';
import { inSql } from '#kernel/server/db/columns.ts';
import { codeSet, type CodeOf } from './codes.ts';
import { codesOf } from './shapes.ts';
import { choice, metaOf } from './titles.ts';

const door = codeSet({ shut: [0, '关'], ajar: [4, '虚掩', 'warning'], open: [9, '开'] });

test('a code set maps each number to its name and each name to its number', () => {
  expect([door.shut, door.ajar, door.open]).toEqual([0, 4, 9]);
  expect(door.names).toEqual({ 0: '关', 4: '虚掩', 9: '开' });
  expect([door.label(4), door.label(5), door.label(null)]).toEqual(['虚掩', '', '']);
  expect(door.tones).toEqual({ 4: 'warning' });
  expectTypeOf<CodeOf<typeof door>>().toEqualTypeOf<0 | 4 | 9>();
});

test('a code set tests whether a number is one of several codes, and its schema accepts no other number', () => {
  expect([door.is(4, door.ajar, door.open), door.is(0, door.ajar), door.is(null, door.shut)]).toEqual([
    true,
    false,
    false,
  ]);
  const taken = codesOf(door.names);
  expect([taken.safeParse(9).success, taken.safeParse(1).success]).toEqual([true, false]);
});

test('a form field of a code set offers its codes under their names', () => {
  expect(metaOf(choice('门', door.names)).options).toEqual([
    { value: 0, label: '关' },
    { value: 4, label: '虚掩' },
    { value: 9, label: '开' },
  ]);
});

test('a code is written into SQL as a literal number, so that partial indexes apply, and other values are refused', () => {
  const dialect = new PgDialect();
  expect(
    dialect.sqlToQuery(sql`state = ${inSql(door.open)} or state in (${inSql(door.shut, door.ajar)})`),
  ).toMatchObject({
    sql: 'state = 9 or state in (0, 4)',
    params: [],
  });
  expect(() => inSql('1; drop table door' as never)).toThrow(TypeError);
});
