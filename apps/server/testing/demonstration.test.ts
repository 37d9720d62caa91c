import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takePlace } from './demonstration.ts';

test('the template is made by one, and by another where whoever was at it does not run any more', () => {
  const above = mkdtempSync(join(tmpdir(), 'template-'));
  const [fresh, left] = [join(above, 'fresh'), join(above, 'left')];
  expect([takePlace(fresh), takePlace(fresh)]).toEqual([true, false]);
  mkdirSync(left);
  // No process has this id.
  writeFileSync(join(left, 'maker-2147483647'), '');
  expect([takePlace(left), takePlace(left)]).toEqual([true, false]);
  rmSync(above, { recursive: true });
});
