import { z } from 'zod';
import { timestamp } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/platform/files/contract.ts';

export const retentions = { 1: '永久', 2: '三十年', 3: '十年' } as const;
export const Retention = z.union([z.literal(1), z.literal(2), z.literal(3)]);

/**
 * The archive facts of a document. `package` is the file with all its contents, for the office; null while it is being made, and for
 * everybody else.
 */
export const Archive = z.object({
  retention: z.number().int(),
  retention_name: z.string(),
  archive_no: z.string(),
  archived_by: z.string(),
  archived_at: timestamp,
  ready: z.boolean(),
  package: FileCard.nullable(),
});
export type Archive = z.output<typeof Archive>;
