import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { core } from 'zod';
import { expect, test } from 'vitest';
import { headingOf } from '#kernel/contract/titles.ts';
import { rowOf, shapeOfRow } from '#kernel/web/kit/list/columns/listColumns.ts';

const root = join(import.meta.dirname, '../..');

/** The keys of an object literal that begins at a place, those of what it spreads not counted. */
function keysAt(text: string, from: number): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const key = depth === 1 && /^\s(\w+)(?=[:,}\s])/.exec(text.slice(at - 1))?.[1];
    if (key && /[{,]\s*$/.test(text.slice(from, at))) keys.push(key);
    if ('{(['.includes(text[at]!)) depth++;
    if ('})]'.includes(text[at]!) && --depth === 0) return keys;
  }
  return keys;
}

/** Lists of a page: what says of its rows (`Row`, or `calls.list` of `rowOf(calls.list)`) and the keys of its columns. */
const listsIn = (text: string) =>
  [...text.matchAll(/\blistColumns\((?:rowOf(?:<\w+>)?\(([\w.]+)\)|([A-Z]\w*)), \{/g)].map((found) => ({
    call: found[1],
    row: found[2],
    keys: keysAt(text, found.index + found[0].length - 1),
  }));

/** What a page imports under a name. */
async function imported(file: string, text: string, name: string): Promise<unknown> {
  const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(text);
  if (!from) return undefined;
  const [whole, path] = from;
  const own = new RegExp(`(\\w+) as ${name}\\b`).exec(whole)?.[1] ?? name;
  const at = path!.startsWith('#') ? join(root, path!.slice(1)) : join(root, dirname(file), path!);
  return ((await import(at)) as Record<string, unknown>)[own];
}

test('every column of every list is called something by the schema of its row, never by its key', async () => {
  const nameless: string[] = [];
  let seen = 0;
  for (const file of globSync('{modules,apps}/**/*.tsx', { cwd: root })) {
    if (file.endsWith('.test.tsx')) continue;
    const text = readFileSync(join(root, file), 'utf8').replace(/^\s*\/\/.*$/gm, '');
    for (const { call, row, keys } of listsIn(text)) {
      const [name, ...path] = (call ?? row)!.split('.');
      const first = await imported(file, text, name!);
      if (first === undefined) continue;
      const said = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], first);
      const shape = shapeOfRow(call ? rowOf(said as never) : (said as core.$ZodType));
      for (const key of keys) {
        seen++;
        if (!/\p{Script=Han}/u.test((shape[key] && headingOf(shape[key])) ?? '')) nameless.push(`${file}: ${key}`);
      }
    }
  }
  expect(nameless).toEqual([]);
  expect(seen).toBeGreaterThan(200);
});
