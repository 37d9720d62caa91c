import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, expectTypeOf, test } from 'vitest';
import { inSql } from '#kernel/server/db/columns.ts';
import { codeSet, type CodeOf } from './codes.ts';
import { codesOf } from './shapes.ts';
import { choice, metaOf } from './titles.ts';

const door = codeSet({ shut: [0, '关'], ajar: [4, '虚掩', 'warning'], open: [9, '开'] });

test('a set of codes gives each number by its name, and each name by its number', () => {
  expect([door.shut, door.ajar, door.open]).toEqual([0, 4, 9]);
  expect(door.names).toEqual({ 0: '关', 4: '虚掩', 9: '开' });
  expect([door.label(4), door.label(5), door.label(null)]).toEqual(['虚掩', '', '']);
  expect(door.tones).toEqual({ 4: 'warning' });
  expectTypeOf<CodeOf<typeof door>>().toEqualTypeOf<0 | 4 | 9>();
});

test('a set of codes tells whether a number is one of some, and takes no other number in', () => {
  expect([door.is(4, door.ajar, door.open), door.is(0, door.ajar), door.is(null, door.shut)]).toEqual([
    true,
    false,
    false,
  ]);
  const taken = codesOf(door.names);
  expect([taken.safeParse(9).success, taken.safeParse(1).success]).toEqual([true, false]);
});

test('a field of a form offers the codes of a set under their names', () => {
  expect(metaOf(choice('门', door.names)).options).toEqual([
    { value: 0, label: '关' },
    { value: 4, label: '虚掩' },
    { value: 9, label: '开' },
  ]);
});

test('a code stands in a statement as the number itself, so that partial indexes and groups know it; nothing but whole numbers does', () => {
  const dialect = new PgDialect();
  expect(
    dialect.sqlToQuery(sql`state = ${inSql(door.open)} or state in (${inSql(door.shut, door.ajar)})`),
  ).toMatchObject({
    sql: 'state = 9 or state in (0, 4)',
    params: [],
  });
  expect(() => inSql('1; drop table door' as never)).toThrow(TypeError);
});
