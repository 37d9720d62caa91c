import { afterAll, beforeAll, expect, test } from 'vitest';
import type { core } from 'zod';
import { titleOf } from '#kernel/contract/titles.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { named } from './testing/asking.ts';
import { modulesOf } from './modules.ts';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
let mounted: Mounted[];
beforeAll(async () => {
  app = await openTestApp();
  mounted = modulesOf(app.services).flatMap((module) => [...module.calls]);
});
afterAll(() => app.close());

type Schema = core.$ZodType;
type Def = {
  innerType?: Schema;
  in?: Schema;
  element?: Schema;
  shape?: Record<string, Schema>;
  options?: readonly Schema[];
  valueType?: Schema;
  getter?: () => Schema;
};

/** The fields a value of a schema may have, at any depth, that no sentence could name. */
function nameless(schema: Schema | undefined, path: string, seen = new Set<Schema>()): string[] {
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  const { innerType, in: from, element, shape = {}, options = [], valueType, getter } = schema._zod.def as Def;
  const within = [innerType, from, element, valueType, getter?.(), ...options].flatMap((one) => nameless(one, path, seen));
  const fields = Object.entries(shape).flatMap(([key, field]) => [
    ...(titleOf(field) === undefined ? [`${path}${key}`] : []),
    ...nameless(field, `${path}${key}.`, seen),
  ]);
  return [...within, ...fields];
}

test('every field of a body or a query that a sentence may name has its Chinese title', () => {
  const found = mounted.flatMap(({ call }) =>
    [...nameless(call.query, ''), ...nameless(call.body, '')].map((field) => `${named({ call } as Mounted)} ${field}`),
  );
  expect(found).toEqual([]);
});
