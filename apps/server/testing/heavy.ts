import { sampleOf, type Json } from '#kernel/server/testing/sample.ts';

/** Texts that are expensive for a careless parser. */
export const materials = [
  '<',
  '&amp;',
  '<p>一.甲</p>',
  '<p>（1）附件：</p>',
  '<td><br>',
  '12345号',
  '《',
  '《甲》',
  '甲(',
  '"甲',
  '校发[2026]第012号',
  '附件1',
  ' ',
  '甲,',
] as const;

const most = 2 ** 30;
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;
const isFree = (schema: Json) =>
  schema['type'] === 'string' && !schema['enum'] && !schema['pattern'] && !schema['format'] && !schema['allOf'];
const choicesOf = (schema: Json) => (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
const dearest = (choices: readonly Json[], bytes: number) =>
  choices.toSorted((a, b) => roomIn(b, bytes) - roomIn(a, bytes))[0]!;

/** The most bytes a value of this schema takes, if each character of the material takes so many bytes. */
export function roomIn(schema: Json, bytes: number): number {
  const choices = choicesOf(schema);
  if (choices) return roomIn(dearest(choices, bytes), bytes);
  if (isFree(schema)) return Math.min(most, Number(schema['maxLength'] ?? most) * bytes);
  const tuple = schema['prefixItems'] as Json[] | undefined;
  if (tuple) return tuple.reduce((sum, part) => sum + roomIn(part, bytes), 0);
  if (schema['type'] === 'array')
    return Math.min(most, Number(schema['maxItems'] ?? 100_000) * (roomIn((schema['items'] ?? {}) as Json, bytes) + 3));
  if (schema['type'] === 'object') {
    const known = Object.values((schema['properties'] ?? {}) as Record<string, Json>);
    const named = known.reduce((sum, part) => sum + roomIn(part, bytes), 0);
    return Math.min(most, named + (schema['additionalProperties'] ? most : 0));
  }
  return schema['type'] ? 20 : most;
}

/** The heaviest value that fits a schema and a number of bytes: longest texts of the material, largest arrays, deep nesting where anything is allowed. */
export function heaviest(schema: Json, material: string, bytes: number): unknown {
  const choices = choicesOf(schema);
  const each = bytesOf(material) / material.length;
  if (choices) return heaviest(dearest(choices, each), material, bytes);
  if (isFree(schema)) {
    const length = Math.max(0, Math.floor(Math.min(Number(schema['maxLength'] ?? most), bytes / each)));
    return material.repeat(Math.ceil(length / material.length)).slice(0, length);
  }
  const tuple = schema['prefixItems'] as Json[] | undefined;
  if (tuple) return tuple.map((part) => heaviest(part, material, bytes / tuple.length));
  if (schema['type'] === 'array') {
    const items = (schema['items'] ?? {}) as Json;
    const one = Math.max(4, Math.min(bytes, roomIn(items, each)));
    const count = Math.floor(Math.min(Number(schema['maxItems'] ?? 100_000), bytes / (one + 3)));
    return Array.from({ length: Math.max(1, count) }, () => heaviest(items, material, one));
  }
  if (schema['type'] === 'object' && schema['properties']) {
    const known = Object.entries(schema['properties'] as Record<string, Json>);
    const ordered = known.toSorted(([, a], [, b]) => roomIn(a, each) - roomIn(b, each));
    let left = bytes;
    return Object.fromEntries(
      ordered.map(([name, part], index) => {
        const share = Math.min(roomIn(part, each), left / (ordered.length - index)) - name.length - 4;
        const value = heaviest(part, material, Math.max(4, share));
        left -= Buffer.byteLength(JSON.stringify(value) ?? '') + name.length + 4;
        return [name, value];
      }),
    );
  }
  if (schema['type'] === 'object')
    return Object.fromEntries(Array.from({ length: Math.min(1000, bytes / 20) }, (_, n) => [`k${n}`, material]));
  if (!schema['type'] && !schema['enum'] && !('const' in schema)) {
    let deep: unknown = material;
    for (let depth = 0; depth < 30; depth += 1) deep = [deep, material];
    return deep;
  }
  return sampleOf(schema, 1);
}
