import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getTableColumns, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { interfaceGroups } from '#modules/platform/settings/contract/interfaces.ts';

const root = join(import.meta.dirname, '../..');
const isTable = (file: string) => /(^|\/)tables?\.ts$|-table\.ts$|\/tables\//.test(file);
const isTest = (file: string) => /\.test\.|\/testing\//.test(file);
const files = globSync('{modules,kernel,apps}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !isTest(file));
const wordsIn = (among: readonly string[]) =>
  new Set(among.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? []));
const loaded = async (file: string) =>
  Object.values((await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>);

test('every column of every table is used by code outside its table definition', async () => {
  const words = wordsIn(files.filter((file) => !isTable(file)));
  const unread: string[] = [];
  for (const file of files.filter(isTable))
    for (const table of await loaded(file))
      if (is(table, PgTable))
        for (const [key, { name }] of Object.entries(getTableColumns(table)))
          if (!words.has(key) && !words.has(name)) unread.push(`${getTableConfig(table).name}.${key}`);
  // The time at which a question was asked of a person is only for readers of the database.
  expect([...new Set(unread)]).toEqual(['ticket_inquiry.asked_at']);
});

test('every setting is read by code outside its declaration', async () => {
  const declares = (file: string) => /\/contract(\/|\.ts$)/.test(file);
  const words = wordsIn(files.filter((file) => !declares(file)));
  const unread = new Set<string>();
  for (const [group, { fields }] of Object.entries(interfaceGroups))
    for (const name of [group, ...Object.keys(fields)]) if (!words.has(name)) unread.add(`interface ${group}.${name}`);
  for (const file of files.filter((one) => /\/contract\/.*\.ts$|\/contract\.ts$/.test(one)))
    for (const rules of await loaded(file)) {
      const { key, shape, defaults } = (rules ?? {}) as { key?: string; shape?: object; defaults?: object };
      if (typeof key !== 'string' || !shape || !defaults) continue;
      for (const name of Object.keys(shape)) if (!words.has(name)) unread.add(`${key} ${name}`);
    }
  expect([...unread]).toEqual([]);
});
