import type { core } from 'zod';

type Schema = core.$ZodType;
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

/**
 * Finds where a schema accepts fields that it does not name: `loose` objects, `record`s and values of `any` kind, each with its path, e.g. `form.*:
 * record`. It visits every branch, also those that no example uses.
 */
export function openPlaces(schema: Schema): string[] {
  const found = new Set<string>();
  const seen = new Set<Schema>();
  const walk = (one: Schema, path: string): void => {
    if (seen.has(one)) return;
    seen.add(one);
    const def = one._zod.def as core.$ZodTypeDef & Record<string, unknown>;
    const say = (kind: string) => void found.add(`${path}: ${kind}`);
    if (def.type === 'any' || def.type === 'unknown' || def.type === 'custom') say('any');
    if (def.type === 'record' || def.type === 'map') say('record');
    if (def.type === 'object' && def['catchall'] && (def['catchall'] as Schema)._zod.def.type !== 'never') say('loose');
    if (def.type === 'lazy') walk((def['getter'] as () => Schema)(), path);
    for (const [name, part] of Object.entries((def['shape'] ?? {}) as Record<string, Schema>))
      walk(part, path ? `${path}.${name}` : name);
    for (const part of [def['innerType'], def['in'], def['out'], def['left'], def['right']])
      if (isSchema(part)) walk(part, path);
    for (const part of [def['element'], def['valueType'], def['rest']]) if (isSchema(part)) walk(part, `${path}.*`);
    for (const list of [def['options'], def['items']])
      if (Array.isArray(list)) for (const part of list) if (isSchema(part)) walk(part, path);
  };
  walk(schema, '');
  return [...found].toSorted();
}
