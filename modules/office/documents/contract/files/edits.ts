import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { idParams, timestamp } from '#kernel/contract/shapes.ts';
import { PersonInfo } from '#modules/workflow/tickets/contract/shapes.ts';

const int = z.number().int();

/** A changed field, in words. */
export const EditedField = z.object({ field: z.string(), label: z.string(), before: z.string(), after: z.string() });
export type EditedField = z.output<typeof EditedField>;

export const Edit = z.object({
  id: int,
  /** Counted from 1 since the document was sent; null for the author's changes before that. */
  no: int.nullable(),
  editor_info: PersonInfo,
  /** The document's state at that time. */
  state: z.string(),
  fields: z.array(EditedField),
  gmt_created: timestamp,
});
export type Edit = z.output<typeof Edit>;

/** A part of the body: unchanged since sending, inserted, or deleted; `by` is the number of the change. */
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
      /** The last 100, the newest first. */
      value: z.array(Edit),
      total: int,
      /** All changes of the body in one text; empty if there are none. */
      body: z.array(TracedPart),
      /** True if the text of some version was not read yet, or cannot be read; it is left out. */
      unread: z.boolean(),
    }),
    fresh: true,
  }),
};
