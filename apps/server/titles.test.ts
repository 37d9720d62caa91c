import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { core } from 'zod';
import { fieldTitles } from '#kernel/contract/words/field-titles.ts';
import type { Inner } from '#kernel/contract/words/labels.ts';
import { Refusal } from '#kernel/contract/refusal.ts';
import { titleOf } from '#kernel/contract/titles.ts';
import { parsed } from '#kernel/server/http/envelope.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { sampleOf, wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { openWalk, unlimited } from './testing/walk.ts';
import type { TestOffice } from './testing.ts';

let app: TestOffice;
let mounted: readonly Mounted[];
beforeAll(async () => {
  ({ app, mounted } = await openWalk());
});
afterAll(() => app.close());

type Schema = core.$ZodType;

/** Every field of a schema's values, at any depth, with its own title. */
function fieldsIn(schema: Schema | undefined, seen = new Set<Schema>()): { name: string; title: string | undefined }[] {
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  const { innerType, in: from, element, shape = {}, options = [], valueType, getter } = schema._zod.def as Inner;
  const parts = [innerType, from, element, valueType, getter?.(), ...options, ...Object.values(shape)];
  const own = Object.entries(shape).map(([name, field]) => ({ name, title: titleOf(field) }));
  return [...own, ...parts.flatMap((part) => fieldsIn(part, seen))];
}
const schemas = () => mounted.flatMap(({ call }) => [call.query, call.body].filter((one) => one !== undefined));

test('a column of an export has a Chinese title, never its key', () => {
  const nameless = mounted.flatMap(({ call: { exports } }) =>
    [{}, { of: 'loans' }].flatMap((query) =>
      (typeof exports?.columns === 'function' ? exports.columns(query) : (exports?.columns ?? []))
        .filter(({ title }) => !/\p{Script=Han}/u.test(title))
        .map(({ key, title }) => `${exports!.title}: ${key} ${title}`),
    ),
  );
  expect(nameless).toEqual([]);
});

describe('a field of a body or a query', () => {
  test('has a Chinese title, its own or that of its name', () => {
    const nameless = schemas().flatMap((schema) =>
      fieldsIn(schema)
        .filter(({ name, title }) => title === undefined && !(name in fieldTitles))
        .map(({ name }) => name),
    );
    expect([...new Set(nameless)]).toEqual([]);
  });

  test('uses a common title only if needed: each one names a field that has no title of its own', () => {
    const used = new Set(
      schemas().flatMap((schema) => fieldsIn(schema).flatMap(({ name, title }) => (title ? [] : name))),
    );
    expect(Object.keys(fieldTitles).filter((name) => !used.has(name))).toEqual([]);
  });

  test('is refused in Chinese, without a word of the schema', { timeout: unlimited }, () => {
    const hostile = [{}, [], [{}], true, -1, 0.5, 1e300, '', 'x', 'x'.repeat(300_000), null, { kind: 'x', type: 'x' }];
    const said = new Set<string>();
    const told = (schema: Schema, value: unknown) => {
      try {
        parsed(schema, value);
      } catch (stop) {
        if (!(stop instanceof Refusal)) throw stop;
        for (const { label, msg } of (stop.data as { errors: { label: string; msg: string }[] }).errors)
          said.add(`${label}：${msg}`);
      }
    };
    for (const schema of schemas()) {
      const known = wireSchema(schema) as { properties?: Record<string, Json> };
      const fit = sampleOf(known, 1) as Record<string, unknown>;
      for (const value of hostile) {
        told(schema, value);
        for (const field of Object.keys(known.properties ?? {})) told(schema, { ...fit, [field]: value });
      }
    }
    expect(said.size).toBeGreaterThan(100);
    // Latin letters that a sentence may contain: the sender's own words, the beginning of an address, and units.
    const known = /“[^”]*”|https?|\bI[PD]\b|JSON|[MG]B/g;
    expect([...said].filter((sentence) => /[A-Za-z]{2,}/.test(sentence.replace(known, '')))).toEqual([]);
  });
});
