import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';

const root = join(import.meta.dirname, '../..');
const filesOf = (pattern: string) => globSync(pattern, { cwd: root }).map((file) => join(root, file));
const isCall = (value: object): value is Call => 'method' in value && 'path' in value && 'access' in value;

/** The keys of each call in the contracts, by its method and path. */
async function callsByKeys(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const visit = (value: unknown, key: string) => {
    if (typeof value !== 'object' || value === null) return;
    if (isCall(value)) {
      const name = `${value.method} ${value.path}`;
      found.set(name, (found.get(name) ?? new Set()).add(key));
    } else if (Object.getPrototypeOf(value) === Object.prototype)
      for (const [inner, one] of Object.entries(value)) visit(one, inner);
  };
  for (const file of filesOf('modules/*/*/contract{,/**/*}.ts').filter((one) => !one.endsWith('.test.ts')))
    for (const [key, value] of Object.entries((await import(pathToFileURL(file).href)) as object)) visit(value, key);
  return found;
}

/** A pattern for an address in a test, with anything in place of its parameters. */
const written = (path: string) =>
  new RegExp(
    path
      .replace(/\/$/, '')
      .split(/\{\w+\}/)
      .join(String.raw`(?:\$\{[^}]*\}|[\w-]+)`) + String.raw`/?['"\`?]`,
  );

test('every call is named by some test of its own, by its key or by its address', async () => {
  const tests = filesOf('{modules,kernel,apps,e2e}/**/*.{test,spec}.{ts,tsx}')
    .concat(filesOf('{modules,apps}/**/testing/**/*.ts'))
    .filter((file) => file !== import.meta.filename)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const keys = new Set([...tests.matchAll(/\w[!?]?\.(\w+)\b/g)].map((match) => match[1]!));
  const calls = await callsByKeys();
  expect(calls.size).toBeGreaterThan(700);
  const unnamed = [...calls].filter(
    ([name, of]) => ![...of].some((key) => keys.has(key)) && !written(name.split(' ')[1]!).test(tests),
  );
  // Tests reach these by the address that an answer or a message contains.
  expect(unnamed.map(([name]) => name).toSorted()).toEqual([
    'GET /api/test/claim/{code}/',
    'POST /api/test/claim/{code}/',
    'POST /api/test/push/{token}/',
  ]);
});
