import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// A process of its own: what makes the schema adds to the prototypes of the language, which other libraries refuse to live with.
test('the generated schema is what the tables say', () => {
  const script = join(import.meta.dirname, 'migration.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(stdout + stderr).toContain('表结构没有变化');
  expect(status).toBe(0);
}, 60_000);
