import { z, type core } from 'zod';

export type Json = Record<string, unknown>;

/** JSON Schema of what a caller sends. */
export function wireSchema(schema: core.$ZodType): Json {
  const known = wireSchemas.get(schema);
  if (known) return known;
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' }) as Json;
  wireSchemas.set(schema, made);
  return made;
}
const wireSchemas = new WeakMap<core.$ZodType, Json>();

const texts = [
  '样本',
  'sample',
  'a',
  '13800138000',
  '123456',
  '2026-11-20',
  '2026-11-20 09:30:00',
  '1',
  'a/b',
  '/a',
  '甲乙丙丁戊',
  '#0099e0',
  '10.0.0.0/8',
  '22:00',
  '22:00-08:00',
  '2030-11-20T09:30',
  'YB',
  '0'.repeat(32),
  '0'.repeat(64),
  'https://www.example.com/',
];

/** A value that fits a JSON Schema as far as the schema says, with `id` for every integer. `dress` may add fields to every object with named fields. */
export function sampleOf(
  schema: Json,
  id: number,
  dress: (fields: Json, known: Json) => Json = (fields) => fields,
): unknown {
  const next = (part: unknown) => sampleOf(part as Json, id, dress);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  for (const choice of ['anyOf', 'oneOf']) if (Array.isArray(schema[choice])) return next(schema[choice][0]);
  switch (schema['type']) {
    case 'object': {
      const known = (schema['properties'] ?? {}) as Json;
      const fields = Object.fromEntries(Object.entries(known).map(([name, part]) => [name, next(part)]));
      return schema['properties'] ? dress(fields, known) : fields;
    }
    case 'array':
      if (Array.isArray(schema['prefixItems'])) return schema['prefixItems'].map(next);
      return schema['items'] && schema['maxItems'] !== 0 ? [next(schema['items'])] : [];
    case 'string':
      return textFor(schema);
    case 'integer':
    case 'number':
      return Math.min(Math.max(id, Number(schema['minimum'] ?? 0)), Number(schema['maximum'] ?? id));
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function textFor(schema: Json): string {
  const parts = [schema, ...((schema['allOf'] ?? []) as Json[])];
  const patterns = parts.flatMap((part) =>
    typeof part['pattern'] === 'string' ? new RegExp(part['pattern'], 'u') : [],
  );
  const least = Math.max(...parts.map((part) => Number(part['minLength'] ?? 0)));
  const fits = (text: string) => text.length >= least && patterns.every((pattern) => pattern.test(text));
  return texts.find(fits) ?? 'x'.repeat(Math.max(1, least));
}
