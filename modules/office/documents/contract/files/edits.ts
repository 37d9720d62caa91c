import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { idParams, timestamp } from '#kernel/contract/shapes.ts';
import { PersonInfo } from '#modules/workflow/tickets/contract/shapes.ts';

const int = z.number().int();

/** A field that was changed, in words. */
export const EditedField = z.object({ field: z.string(), label: z.string(), before: z.string(), after: z.string() });
export type EditedField = z.output<typeof EditedField>;

export const Edit = z.object({
  id: int,
  /** Counted from 1 since the document was sent off; null for what its author changed before. */
  no: int.nullable(),
  editor_info: PersonInfo,
  /** Where the document stood. */
  state: z.string(),
  fields: z.array(EditedField),
  gmt_created: timestamp,
});
export type Edit = z.output<typeof Edit>;

/** A part of the body: as it was sent off, put in, or taken out; by the change of that number. */
export const TracedPart = z.object({
  kind: z.enum(['same', 'new', 'gone']),
  text: z.string(),
  no: int.nullable(),
});
export type TracedPart = z.output<typeof TracedPart>;

export const documentEdits = {
  list: call({
    method: 'GET',
    path: '/api/document/{id}/edits/',
    access: signedIn,
    summary: '公文的修改痕迹',
    params: idParams,
    reply: z.object({
      /** The newest first, of the last 100. */
      value: z.array(Edit),
      total: int,
      /** All changes of the body in one text; empty where there are none. */
      body: z.array(TracedPart),
      /** A version of the body whose text is not read yet, or cannot be: it is passed over. */
      unread: z.boolean(),
    }),
    fresh: true,
  }),
};
