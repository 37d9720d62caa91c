import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemaSql } from './migration.ts';

test('the generated schema is what the tables say', async () => {
  const root = join(import.meta.dirname, '..');
  const kept = await readFile(join(root, 'migrations/0001-tables.sql'), 'utf8');
  expect(kept === (await schemaSql(root)), '请运行 npm run migration').toBe(true);
});
