import fc from 'fast-check';
import { pathOf, type Call } from '#kernel/contract/call.ts';
import { sampleOf, wireSchema, type Json } from '#kernel/server/testing/sample.ts';

/** A request to a call. */
export interface Sent {
  path: string;
  body: string | undefined;
}

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '\u0000',
    "' or 1=1 --",
    '%',
    '２０２６',
    '9999-12-31',
    '2026-02-30 25:61:00',
    '\ud800',
  ),
);
const values = fc.oneof(
  texts,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
);
const ids = fc.oneof(
  fc.integer({ min: 0, max: 30 }).map(String),
  fc.constantFrom('2147483647', '2147483648', '-1', 'x'),
);

/** Values of fields: each valid, arbitrary, or left out. */
function fieldsOf(schema: Json): fc.Arbitrary<Json> {
  const known = (schema['properties'] ?? {}) as Record<string, Json>;
  const one = (part: Json) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 20 }).map((id) => sampleOf(part, id)) },
      { weight: 2, arbitrary: values },
    );
  const model = Object.fromEntries(Object.entries(known).map(([name, part]) => [name, one(part)]));
  return fc.record(model, { requiredKeys: [] });
}

const spelled = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Requests to a call: paths, queries and bodies that fit its contract, nearly fit it, or are arbitrary. */
export function requestsTo(call: Call): fc.Arbitrary<Sent> {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const params = fc.record(Object.fromEntries(names.map((name) => [name, ids])));
  const query = call.query ? fieldsOf(wireSchema(call.query)) : fc.constant({});
  const body =
    call.body && !call.upload ? fc.oneof({ weight: 4, arbitrary: fieldsOf(wireSchema(call.body)) }, values) : null;
  return fc.record({ params, query, body: body ?? fc.constant(undefined) }).map((sent) => {
    const asked = Object.entries(sent.query as Json).flatMap(([name, value]) =>
      name === 'export' ? [] : [`${name}=${encodeURIComponent(spelled(value).toWellFormed())}`],
    );
    return {
      path: `${pathOf(call, sent.params)}?${asked.join('&')}`,
      body: call.method === 'GET' || sent.body === undefined ? undefined : JSON.stringify(sent.body),
    };
  });
}
