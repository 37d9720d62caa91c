import type { Db } from '#kernel/server/db/db.ts';
import { fileById } from '#modules/files/service.ts';
import { takeBody, type BodyReading } from '../bodies/taking.ts';
import { sending } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import { pdfInputOf } from './gathering.ts';
import { documentPdf, type PdfInput } from '#modules/typesetting/service.ts';

/**
 * All that a document's paper is made of, its body read where it came as a file. Null where the paper is that file itself: a letter of
 * others, or a memorandum of pages, which has no head.
 */
async function inputOf(services: BodyReading, tx: Db, doc: Stored): Promise<PdfInput | null> {
  const input = await pdfInputOf(tx, doc);
  const file = doc.body_file === null ? null : await fileById(tx, doc.body_file);
  if (!file) return input;
  const taken = await takeBody(services, file);
  if (taken.kind === 'text')
    return { ...input, bodyHtml: taken.html, bodyFile: { kind: 'text', pictures: taken.pictures } };
  if (doc.doc_kind !== sending) return null;
  if (taken.kind === 'pages') return { ...input, bodyFile: { kind: 'pages', pdf: new Uint8Array(taken.pdf) } };
  return { ...input, bodyFile: { kind: 'apart', name: file.name, sha256: file.sha256 } };
}

/** A document of this house on paper; null where the paper is the file that is its body. */
export async function paperOf(services: BodyReading, tx: Db, doc: Stored): Promise<Buffer | null> {
  const input = await inputOf(services, tx, doc);
  return input && documentPdf(input, services.by);
}
