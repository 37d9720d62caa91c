import { z } from 'zod';
import { timestamp } from '#kernel/contract/shapes.ts';

/** A part of the text: unchanged since the signature, inserted, or deleted. */
export const TextPart = z.object({ kind: z.enum(['same', 'new', 'gone']), text: z.string() });
export type TextPart = z.output<typeof TextPart>;

/** The changes since the last signature. */
export const Revision = z.object({
  signed_at: timestamp,
  signer_alias: z.string(),
  file_changed: z.boolean(),
  attachments_changed: z.boolean(),
  parts: z.array(TextPart),
});
export type Revision = z.output<typeof Revision>;
