import { createHash } from 'node:crypto';
import type { Db } from '#kernel/server/db/db.ts';
import { fileById, type FileRow } from '#modules/platform/files/service.ts';
import type { BodyReading } from '../bodies/taking.ts';
import { nothingToPrint } from '../contract/layout.ts';
import { receiving } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import { pdfInputOf } from './gathering.ts';
import { paperOf } from './paper.ts';

/** Everything a paper is made of: the typeset input, its body file and its attachments. */
export async function sourceOf(tx: Db, doc: Stored): Promise<string> {
  return JSON.stringify([doc.body_file, doc.attachments, await pdfInputOf(tx, doc)]);
}

/** The file that is shown instead of typesetting: a received letter, or the frozen finished document. */
async function fileShown(tx: Db, doc: Stored): Promise<FileRow | null> {
  const id = doc.doc_kind === receiving ? doc.body_file : doc.final_frozen ? doc.final_file : null;
  return id === null ? null : fileById(tx, id);
}

/** The digest of a document's present pages, in hexadecimal; it differs as soon as anything on them does. */
export async function versionOf(tx: Db, doc: Stored): Promise<string> {
  const file = await fileShown(tx, doc);
  return createHash('sha256')
    .update(file ? file.sha256 : await sourceOf(tx, doc))
    .digest('hex');
}

/** The present look of a document: its typeset paper, or the file that is its paper. Throws `nothingToPrint`. */
export async function lookOf(services: BodyReading, tx: Db, doc: Stored): Promise<Buffer | FileRow> {
  const file = await fileShown(tx, doc);
  if (!file && doc.body_file === null && !doc.body_html) throw nothingToPrint();
  const paper = file ? null : await paperOf(services, tx, doc);
  return paper ?? file ?? (await fileById(tx, doc.body_file!))!;
}
