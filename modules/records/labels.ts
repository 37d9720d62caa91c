import type { z } from 'zod';

/** Facts for the operation log: values of a row under the titles its form's schema gives them. */
export function labelled(input: z.ZodObject, row: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    keys.map((key) => [input.shape[key]?.meta()?.['title'] ?? key, (row as Record<string, unknown>)[key]]),
  );
}
