import { integer, pgTable } from 'drizzle-orm/pg-core';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { maxMoney } from '#kernel/contract/money/money.ts';
import { openDatabases, type Databases } from './db.ts';
import { moneyColumn, sumOf } from './money.ts';

const table = pgTable('money_sample', { kind: integer(), amount: moneyColumn() });
let databases: Databases;
beforeAll(async () => {
  databases = openDatabases({ url: inject('databaseUrl'), onError: () => undefined });
  await databases.write((tx) => tx.execute(sql`create table money_sample (kind int, amount numeric(16, 2))`));
});
afterAll(async () => {
  await databases.write((tx) => tx.execute(sql`drop table money_sample`));
  await databases.close();
});

test('amounts are stored and read back exactly, and summed by the database', async () => {
  const amounts = [0, 0.01, 0.1, 0.2, 4.35, 1234.5, maxMoney];
  await databases.write((tx) => tx.insert(table).values(amounts.map((amount, kind) => ({ kind, amount }))));
  const rows = await databases.fresh.select().from(table).orderBy(table.kind);
  expect(rows.map(({ amount }) => amount)).toEqual(amounts);
  const select = { all: sumOf(table.amount), few: sumOf(table.amount, sql`${table.kind} in (2, 3)`) };
  const [sums] = await databases.fresh
    .select(select)
    .from(table)
    .where(sql`${table.kind} < 6`);
  expect(sums).toEqual({ all: 1239.16, few: 0.3 });
  const [none] = await databases.fresh
    .select({ sum: sumOf(table.amount) })
    .from(table)
    .where(eq(table.kind, 99));
  expect(none).toEqual({ sum: 0 });
  const found = await databases.fresh.select().from(table).where(eq(table.amount, 4.35));
  expect(found).toHaveLength(1);
});
