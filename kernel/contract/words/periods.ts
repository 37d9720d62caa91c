import type { z } from 'zod';

const ends: readonly (readonly [start: RegExp, end: string])[] = [
  [/(^|_)start$/, '$1end'],
  [/(^|_)from$/, '$1to'],
];

/** Returns the key of the end that belongs to a start: `create_start` and `create_end`, `from` and `to`. */
export function endOf(start: string, keys: readonly string[]): string | undefined {
  const found = ends.find(([begins]) => begins.test(start));
  const end = found && start.replace(...found);
  return end && keys.includes(end) ? end : undefined;
}

/** Returns the key of the start that belongs to an end. */
export const startOf = (end: string, keys: readonly string[]): string | undefined =>
  keys.find((key) => endOf(key, keys) === end);

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);

/** Refuses periods that end before they begin. */
export function inOrder<S extends z.ZodObject>(schema: S, keys: readonly string[]): S {
  const pairs = keys.flatMap((start) => {
    const end = endOf(start, keys);
    return end ? [[start, end] as const] : [];
  });
  if (pairs.length === 0) return schema;
  return schema.superRefine((value, context) => {
    const given = value as Record<string, unknown>;
    for (const [start, end] of pairs) {
      const [first, last] = [given[start], given[end]];
      if (isDay(first) && isDay(last) && last < first)
        context.addIssue({
          code: 'custom',
          path: [end],
          message: `结束日期 ${last} 早于开始日期 ${first}，请重新选择`,
        });
    }
  }) as S;
}
