import { spawnSync } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Run in a separate process: the schema generator changes built-in prototypes, which other libraries do not tolerate.
test('the generated schema matches the table definitions', () => {
  const script = join(import.meta.dirname, 'migration.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(stdout + stderr).toContain('表结构没有变化');
  expect(status).toBe(0);
}, 180_000);

test('tables of all modules are generated, even if two modules use the same name', async () => {
  const root = join(import.meta.dirname, '..');
  const made = await readFile(join(root, 'migrations/0001-tables.sql'), 'utf8');
  const named: string[] = [];
  for await (const file of glob(['modules/*/*/tables.ts', 'modules/*/*/tables/*.ts'], { cwd: root }))
    named.push(
      ...[...(await readFile(join(root, file), 'utf8')).matchAll(/pgTable\(\s*'(\w+)'/g)].map((one) => one[1]!),
    );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !made.includes(`CREATE TABLE "${name}"`))).toEqual([]);
});
