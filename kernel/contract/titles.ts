import type { core } from 'zod';
import { z } from 'zod';

type Schema = core.$ZodType;
type Values = Readonly<Record<string, unknown>>;

/** The Chinese title a field was given (`.meta({ title })`), also inside optional, nullable, default and what is transformed. */
export function titleOf(schema: Schema): string | undefined {
  const def = schema._zod.def as { innerType?: Schema; in?: Schema };
  const inner = def.innerType ?? def.in;
  return z.globalRegistry.get(schema as z.ZodType)?.title ?? (inner && titleOf(inner));
}

/** Values by the titles of their fields, as the operation log shows them; what has no title is left out. */
export function titled(schema: Schema, values: Values): Record<string, unknown> {
  const { shape = {} } = schema._zod.def as { shape?: Record<string, Schema> };
  return Object.fromEntries(
    Object.entries(shape).flatMap(([key, field]) => {
      const title = titleOf(field);
      return title === undefined || !(key in values) ? [] : [[title, values[key] ?? null]];
    }),
  );
}
