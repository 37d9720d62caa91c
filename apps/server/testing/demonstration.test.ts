import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takePlace } from './demonstration.ts';

test('the template database is made by one process, and by another if the first one died', () => {
  const above = mkdtempSync(join(tmpdir(), 'template-'));
  const [fresh, left] = [join(above, 'fresh'), join(above, 'left')];
  expect([takePlace(fresh), takePlace(fresh)]).toEqual([true, false]);
  mkdirSync(left);
  // No process has this id.
  writeFileSync(join(left, 'maker-2147483647'), '');
  expect([takePlace(left), takePlace(left)]).toEqual([true, false]);
  rmSync(above, { recursive: true });
});
