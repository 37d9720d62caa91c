import { isForGood } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileById, filesById } from '#modules/platform/files/service.ts';
import { bodyKinds } from '../contract/files/body.ts';
import { takeBody, type BodyReading } from '../bodies/taking.ts';
import { sending } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import { pdfInputOf } from './gathering.ts';
import { documentPdf, type PdfInput } from '#modules/platform/typesetting/service.ts';

/** The limit of attachment pages bound with a letter; text counts as one page per number of characters. */
const mostBound = 60;
const charactersOnPage = 600;

/** The attachments bound with an outgoing letter: texts and pages, up to the limit. The others are separate files. */
async function annexesOf(services: BodyReading, tx: Db, doc: Stored): Promise<PdfInput['annexes']> {
  const files = await filesById(tx, doc.attachments);
  const annexes: PdfInput['annexes'][number][] = [];
  let room = mostBound;
  for (const [at, id] of doc.attachments.entries()) {
    const file = files.get(id);
    if (!file || !bodyKinds.some((kind) => kind === file.ext)) continue;
    // Files that cannot be read as text or pages are delivered as they are.
    const taken = await takeBody(services, file).catch((error: unknown) => {
      if (isForGood(error)) return null;
      throw error;
    });
    if (!taken || taken.kind === 'apart') continue;
    const size = taken.kind === 'pages' ? taken.pages : Math.ceil(taken.words.length / charactersOnPage);
    if (size > room) continue;
    room -= size;
    const body =
      taken.kind === 'pages'
        ? { kind: taken.kind, pdf: new Uint8Array(taken.pdf) }
        : { kind: taken.kind, html: taken.html, pictures: taken.pictures };
    annexes.push({ at, body });
  }
  return annexes;
}

/**
 * The input of a document's paper, with its body file read. Null if the paper is the file itself: a received letter, or a memo made of
 * pages, which has no letterhead.
 */
async function inputOf(services: BodyReading, tx: Db, doc: Stored): Promise<PdfInput | null> {
  const annexes = doc.doc_kind === sending ? await annexesOf(services, tx, doc) : [];
  const input = { ...(await pdfInputOf(tx, doc)), annexes };
  const file = doc.body_file === null ? null : await fileById(tx, doc.body_file);
  if (!file) return input;
  const taken = await takeBody(services, file);
  if (taken.kind === 'text')
    return { ...input, bodyHtml: taken.html, bodyFile: { kind: 'text', pictures: taken.pictures } };
  if (doc.doc_kind !== sending) return null;
  if (taken.kind === 'pages') return { ...input, bodyFile: { kind: 'pages', pdf: new Uint8Array(taken.pdf) } };
  return { ...input, bodyFile: { kind: 'apart', name: file.name, sha256: file.sha256 } };
}

/** An outgoing document on paper; null if the paper is its body file. */
export async function paperOf(services: BodyReading, tx: Db, doc: Stored): Promise<Buffer | null> {
  const input = await inputOf(services, tx, doc);
  return input && documentPdf(input, services.by);
}
