import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { listedTotal } from '#kernel/contract/shapes.ts';
import type { Db } from '../db/db.ts';
import { matches, searchColumn, searchVector } from './search.ts';
import { planWalk, searchAhead, searchedPageOf } from './search-page.ts';

const note = pgTable('note', { id: integer('id').notNull(), at: integer('at').notNull(), search: searchColumn() });
const client = new pg.Client({ connectionString: inject('databaseUrl') });
const db = drizzle(client) as unknown as Db;
const size = 30_000;

/** The rows in which each word occurs: all, every few, few, one; only the oldest, only the newest. */
const words: Record<string, (row: number) => boolean> = {
  工单: () => true,
  漏水: (row) => row % 3 === 0,
  空调: (row) => row % 20 === 7,
  门锁: (row) => row % 90 === 11,
  琥珀: (row) => row % 1500 === 13,
  鳄鱼: (row) => row === 17_017,
  旧楼: (row) => row < 9000,
  新楼: (row) => row > size - 500,
  办公椅: (row) => row % 30 === 1,
};

beforeAll(async () => {
  await client.connect();
  await client.query(
    "create temp table note (id integer not null, at integer not null, search tsvector not null default '')",
  );
  const vectors = Array.from({ length: size }, (_, row) =>
    searchVector({ texts: Object.keys(words).filter((word) => words[word]!(row)) }),
  );
  // Five rows for each moment, so that the order needs its second column.
  await client.query(
    `insert into note select n, n / 5, v::tsvector from unnest($1::text[]) with ordinality as t(v, place), lateral (select place::int - 1 as n)`,
    [vectors],
  );
  await client.query('create index on note using gin (search)');
  await client.query('create index on note (at, id) where id <> 12');
  await client.query('analyze note');
}, 180_000);
afterAll(() => client.end());

interface Asked {
  page: number;
  per_page: number;
  desc?: boolean;
}
const kept = sql`${note.id} <> 12`;
const order = { by: { at: note.at }, first: 'at', descending: true, tie: note.id, along: { at: kept } };
const seen: string[] = [];

function found(value: string, asked: Asked, only?: SQL) {
  const select = (match: SQL | undefined) =>
    db
      .select({ id: note.id })
      .from(note)
      .where(and(match, kept, only))
      .$dynamic();
  return searchedPageOf(db, asked, { column: note.search, value }, select, order);
}

async function all(value: string, down: boolean, only?: SQL): Promise<number[]> {
  const direction = down ? desc : asc;
  const rows = await db
    .select({ id: note.id })
    .from(note)
    .where(and(matches(note.search, value), kept, only))
    .orderBy(direction(note.at), direction(note.id));
  return rows.map((row) => row.id);
}

test('a page of search results has the same rows by either plan for any word, and its total never shrinks while paging', async () => {
  const query = client.query.bind(client);
  client.query = ((...given: [string | { text: string }]) => {
    const [asked] = given;
    seen.push(typeof asked === 'string' ? asked : asked.text);
    return (query as (...all: unknown[]) => unknown)(...given);
  }) as never;
  const ways = new Set<string>();
  for (const value of [...Object.keys(words), '办公', '空', '漏水 空调', '工单 琥珀', '没有'])
    for (const only of [undefined, eq(sql`${note.id} % 7`, 3)])
      for (const down of [true, false]) {
        const wanted = await all(value, down, only);
        let before = 0;
        for (const page of [1, 2, 9, 400]) {
          seen.length = 0;
          const got = await found(value, { page, per_page: 10, desc: down }, only);
          const walked = seen.some((text) => text.includes('ts_match_vq'));
          const asked = seen.some((text) => text.includes('@@') && !text.startsWith('explain'));
          ways.add(`${walked ? 'walk' : ''}${asked ? 'index' : ''}`);
          const place = (got.page - 1) * 10;
          const what = `${value} ${page} ${down ? 'down' : 'up'} ${only ? 'some' : 'all'}`;
          expect([what, got.value.map((row) => row.id)]).toEqual([what, wanted.slice(place, place + 10)]);
          // However each page was found, a reader who turns pages never sees a smaller total.
          expect(got.total, what).toBeGreaterThanOrEqual(before);
          before = got.total;
          expect(got.page, what).toBe(Math.min(page, Math.max(1, Math.ceil(wanted.length / 10))));
          if (got.total_capped) {
            expect(wanted.length, what).toBeGreaterThan(got.total);
            expect(got.total, what).toBeGreaterThanOrEqual(Math.min(listedTotal, got.page * 10 + searchAhead));
          } else expect([what, got.total]).toEqual([what, wanted.length]);
        }
      }
  client.query = query as never;
  expect(ways).toEqual(new Set(['walk', 'index', 'walkindex']));
});

test('a rare word is looked up in the index, a common one by walking the sort order', () => {
  expect(planWalk({ rows: 1_000_000, matching: 300 }, 20)).toBeNull();
  expect(planWalk({ rows: 1_000_000, matching: 0 }, 20)).toBeNull();
  expect(planWalk({ rows: 1_000_000, matching: 17_000 }, 20)?.wanted).toBe(20);
  const common = planWalk({ rows: 1_000_000, matching: 65_000 }, 20);
  expect(common?.wanted).toBeGreaterThan(20 + searchAhead);
  expect(common?.rows).toBeLessThan(5000);
});
