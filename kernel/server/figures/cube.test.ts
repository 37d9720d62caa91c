import { drizzle } from 'drizzle-orm/node-postgres';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Db } from '../db/db.ts';
import { countCube, tenths, type Cube } from './cube.ts';

const statements: string[] = [];
const client = new pg.Client({ connectionString: inject('databaseUrl') });
const db = drizzle(client, { logger: { logQuery: (text) => void statements.push(text) } }) as unknown as Db;
beforeAll(async () => {
  await client.connect();
  await client.query(
    'create temp table consignment (month text, dept integer, kind text, hours numeric, late boolean not null)',
  );
  await client.query(`insert into consignment values ('2026-01', 7, 'a', 1, true), ('2026-01', 8, 'b', 2, false),
    ('2026-02', 8, 'a', 4, false), ('2026-02', null, 'a', null, true), (null, 8, 'b', 5, false)`);
});
afterAll(() => client.end());

const cube: Cube = {
  with: sql`factor as (select 1 as one)`,
  rows: sql`select consignment.* from consignment cross join factor`,
  dims: {
    month: { column: 'month' },
    dept: {
      column: 'dept',
      most: 'total',
      unknown: '未分部门',
      names: async () =>
        new Map([
          [7, '教务处'],
          [8, '总务处'],
        ]),
    },
    kind: { column: 'kind', most: 'late', names: { a: '甲', b: '乙' } },
  },
  measures: {
    total: sql`count(*)`,
    late: sql`count(*) filter (where late)`,
    mean: tenths(sql`avg(hours)`),
  },
};

test('figures by every dimension and in total count the same rows in one statement', async () => {
  statements.length = 0;
  const { tables, sum } = await countCube(db, cube, ['month', 'dept', 'kind'], 10);
  expect(statements).toHaveLength(1);
  expect(tables).toEqual({
    month: [
      { key: '2026-01', name: '2026-01', total: 2, late: 1, mean: 1.5 },
      { key: '2026-02', name: '2026-02', total: 2, late: 1, mean: 4 },
    ],
    dept: [
      { key: '8', name: '总务处', total: 3, late: 0, mean: 3.7 },
      { key: '7', name: '教务处', total: 1, late: 1, mean: 1 },
      { key: '', name: '未分部门', total: 1, late: 1, mean: null },
    ],
    kind: [
      { key: 'a', name: '甲', total: 3, late: 2, mean: 2.5 },
      { key: 'b', name: '乙', total: 2, late: 0, mean: 3.5 },
    ],
  });
  expect(sum).toEqual({ total: 5, late: 2, mean: 3 });
});

test('figures by one dimension or none equal those by all', async () => {
  const { tables, sum } = await countCube(db, cube, ['dept'], 10);
  const { tables: all } = await countCube(db, cube, ['month', 'dept', 'kind'], 10);
  expect(tables).toEqual({ dept: all['dept'] });
  expect(sum).toEqual((await countCube(db, cube, [], 10)).sum);
});

test('of very many figure lines only the first are returned, with one more to show that there are more', async () => {
  const many: Cube = {
    rows: sql`select n % 50 as n, n as m from generate_series(1, 500) n`,
    dims: { n: { column: 'n', most: 'total' }, m: { column: 'm' } },
    measures: { total: sql`count(*)` },
  };
  const { tables } = await countCube(db, many, ['n', 'm'], 60);
  expect([tables['n']!.length, tables['m']!.length]).toEqual([50, 61]);
});
