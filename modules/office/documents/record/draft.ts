import type { Writing } from '#modules/workflow/records/service.ts';
import { documents } from '../contract.ts';
import { docKind } from '../contract/shapes.ts';
import { createDocument } from './commands.ts';

/** The service for other modules: writes a draft of an outgoing document with its text, which its writer completes. */
export type DraftDocument = (
  context: Writing,
  draft: { type: number; title: string; html: string },
) => Promise<{ id: number; page: string }>;

export const draftDocument: DraftDocument = async (context, { type, title, html }) => {
  const body = documents.create.body!.parse({
    doc_kind: docKind.sending,
    doc_type: type,
    title,
    body_html: html,
    submit: false,
  });
  const { id } = await createDocument(context, body as Parameters<typeof createDocument>[1]);
  return { id, page: `/document/detail/${id}` };
};

declare module '#kernel/server/product.ts' {
  interface Product {
    /** Absent if there is no module of documents. */
    draftDocument?: DraftDocument | undefined;
  }
  interface ModuleDefinition {
    /** Writes drafts of documents for others; one module provides it. */
    draftDocument?: DraftDocument;
  }
}
