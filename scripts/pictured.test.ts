import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pictured, pictureNames } from './pictured.ts';

const root = join(import.meta.dirname, '..');

test('docs/pictures has exactly the ten most used pages at both widths, and the README shows some of them', () => {
  expect(new Set(pictured.map(({ path, press }) => `${path} ${press ?? ''}`)).size).toBe(10);
  expect(readdirSync(join(root, 'docs/pictures')).toSorted()).toEqual(pictureNames.toSorted());
  const shown = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/docs\/pictures\/([\w-]+\.png)/g)];
  expect(shown.length).toBeGreaterThan(0);
  for (const [, name] of shown) expect(pictureNames).toContain(name);
});
