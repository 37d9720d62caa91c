import { drizzle } from 'drizzle-orm/node-postgres';
import { sql } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { matches, searchColumn, searchQuery, searchVector } from './search.ts';
import type { Searchable } from './search.ts';
import { plainText } from './words.ts';

const thing = pgTable('thing', { id: integer('id').notNull(), search: searchColumn() });
const client = new pg.Client({ connectionString: inject('databaseUrl') });
const db = drizzle(client);

beforeAll(async () => {
  await client.connect();
  await client.query("create temp table thing (id integer not null, search tsvector not null default '')");
  await client.query('create index on thing using gin (search)');
});
afterAll(() => client.end());

/** The positions of the rows that the words find. */
async function found(rows: Searchable[], value: string): Promise<number[]> {
  await db.execute(sql`truncate thing`);
  await db.insert(thing).values(rows.map((row, id) => ({ id, search: searchVector(row) })));
  const hits = await db.select({ id: thing.id }).from(thing).where(matches(thing.search, value)).orderBy(thing.id);
  return hits.map((hit) => hit.id);
}

test('a list is searched as people type', async () => {
  const rows: Searchable[] = [
    { texts: ['三楼会议室空调漏水'], names: ['单雄信'], codes: ['HT-2026-001234'] },
    { texts: ['会议', '议室'], names: ['张三'] },
    { texts: ['申请 iPhone 15 手机', '13800138000'], names: ['财务处'] },
  ];
  const cases: [string, number[]][] = [
    ['会议', [0, 1]],
    ['会议室', [0]],
    ['会议室空调漏水', [0]],
    ['空', [0]],
    ['水', [0]],
    ['会议 漏水', [0]],
    ['漏水会议', []],
    ['IPH', [2]],
    ['ｉphone １５', [2]],
    ['8000', [2]],
    ['1380013', [2]],
    ['1234', [0]],
    ['ht-2026-0012', [0]],
    ['HT2026001234', [0]],
    ['shan', [0]],
    ['dxx', [0]],
    ['zhangs', [1]],
    ['san', [1]],
    ['cw', [2]],
    ['张三', [1]],
    ['', [0, 1, 2]],
    ['，。', []],
    ["' | '会议", [0, 1]],
  ];
  for (const [value, ids] of cases) expect([value, await found(rows, value)]).toEqual([value, ids]);
});

const bits = fc.constantFrom(
  "'",
  '\\',
  '"',
  ':',
  '*',
  '&',
  '|',
  '!',
  '<->',
  '(',
  ')',
  ' ',
  '\0',
  '\ud800',
  'ŉ',
  'ﷺ',
  'İ',
);
const han = fc.constantFrom(...'会议室空调漏水申请报销𠮷々〇');
const piece = fc.oneof(
  { weight: 3, arbitrary: han },
  { weight: 2, arbitrary: bits },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-zA-Z０-９0-9]{1,12}$/) },
);
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

const many = process.env['NIGHTLY'] ? 100_000 : 30_000;

test(`${many} random strings can all be indexed and used as a query`, { timeout: 300_000 }, async () => {
  const strings = fc.sample(anyText, { numRuns: many, seed: 4 });
  for (let from = 0; from < strings.length; from += 10_000) {
    const part = strings.slice(from, from + 10_000);
    const vectors = part.map((text) => searchVector({ texts: [text, text], names: [text], codes: [text] }));
    const queries = part.map((text) => searchQuery(text) ?? '');
    const { rows } = await client.query(
      `select count(v::tsvector)::int vectors, count(nullif(q, '')::tsquery)::int queries,
              count(*) filter (where q <> '' and not v::tsvector @@ q::tsquery)::int missed
       from unnest($1::text[], $2::text[]) as t(v, q)`,
      [vectors, queries],
    );
    expect(rows[0]).toEqual({ vectors: part.length, queries: queries.filter((q) => q !== '').length, missed: 0 });
  }
});

test('a Chinese word is found exactly where it is contained', { timeout: 300_000 }, async () => {
  const text = fc.array(fc.oneof({ weight: 5, arbitrary: han }, { weight: 1, arbitrary: bits }), { maxLength: 40 });
  const texts = fc
    .sample(fc.tuple(text, text), { numRuns: 20_000, seed: 5 })
    .map((pair) => pair.map((t) => t.join('')));
  const words = fc.sample(fc.array(han, { minLength: 1, maxLength: 5 }), { numRuns: 20_000, seed: 6 });
  const wanted = texts.map((pair, i) => {
    const own = Array.from(plainText(pair[i % 2]!)).slice(i % 5, (i % 5) + 2 + (i % 3));
    return i % 2 && /^[\p{sc=Han}]{2,}$/u.test(own.join('')) ? own.join('') : words[i]!.join('');
  });
  const { rows } = await client.query<{ hit: boolean }>(
    'select v::tsvector @@ q::tsquery as hit from unnest($1::text[], $2::text[]) with ordinality as t(v, q, n) order by n',
    [texts.map((pair) => searchVector({ texts: pair })), wanted.map((word) => searchQuery(word))],
  );
  const contained = texts.map((pair, i) => pair.some((t) => plainText(t).includes(wanted[i]!)));
  expect(contained.filter(Boolean).length).toBeGreaterThan(4000);
  const wrong = rows.flatMap(({ hit }, i) => (hit === contained[i] ? [] : [[texts[i], wanted[i], hit]]));
  expect(wrong).toEqual([]);
});

test('the longest texts can be indexed, and a pair near their end is found', async () => {
  const filler = Array.from({ length: 19_000 }, (_, i) => String.fromCodePoint(0x4e00 + (i % 20_000))).join('');
  const many = Array.from({ length: 3000 }, (_, i) => `长孙无忌${String.fromCodePoint(0x4e00 + i)}`);
  const digits = '1234567890'.repeat(3);
  const rows: Searchable[] = [
    { texts: [`${filler}鳄鱼`] },
    { texts: [], names: many, codes: many.map((_, i) => `${digits}-${i}`) },
    { texts: Array.from({ length: 2000 }, (_, i) => `${i}${digits}`) },
    { texts: ['哈'.repeat(60_000), 'a'.repeat(60_000)] },
    { texts: ['\u{20bb7}'.repeat(30_000), 'ﷺ'.repeat(30_000)] },
  ];
  expect(await found(rows, '鳄鱼')).toEqual([0]);
  expect(await found(rows, '哈哈哈')).toEqual([3]);
});
