import { z } from 'zod';

/** The Chinese titles of an object schema's fields. */
export function shapeTitles(schema: z.ZodObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([key, field]) => {
      const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
      return [key, z.globalRegistry.get(inner as z.ZodType)?.title ?? key];
    }),
  );
}
