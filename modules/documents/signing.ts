import { createHash } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { textOf } from '#kernel/server/rich-text.ts';
import type { Db } from '#kernel/server/db.ts';
import { peopleById } from '#modules/people/service.ts';
import { changedInReview } from './contract/file-refusals.ts';
import { onlyIssuerSigns } from './contract/refusals.ts';
import type { Revision } from './contract/revision.ts';
import { compareBodies } from './engine/compare.ts';
import { documentFrozenTable } from './tables/records.ts';
import type { Stored } from './sight.ts';

/** Of what is signed: hexadecimal SHA-256. */
export const hashOfBody = ({ title, bodyHtml, bodyFileId, attachmentIds }: Stored): string =>
  createHash('sha256')
    .update(JSON.stringify([title, bodyHtml, bodyFileId, attachmentIds]))
    .digest('hex');

const isChanged = (doc: Stored) => doc.bodySha256 !== null && doc.bodySha256 !== hashOfBody(doc);

/** What was changed after it was signed goes on only by way of its signer. */
export function refuseChanged(doc: Stored): void {
  if (isChanged(doc)) throw changedInReview();
}

/** A document that names who signs it is signed by nobody else. */
export async function refuseOtherSigner(tx: Db, { issuerId }: Stored, actor: number | null): Promise<void> {
  if (issuerId === null || issuerId === actor) return;
  throw onlyIssuerSigns((await peopleById(tx, [issuerId])).get(issuerId)?.alias ?? '');
}

/** Keeps the text as it is signed now. */
export async function freeze(tx: Db, doc: Stored, signerId: number | null): Promise<void> {
  const { id: documentId, title, bodyHtml, bodyFileId, attachmentIds } = doc;
  const sha256 = hashOfBody(doc);
  await tx
    .insert(documentFrozenTable)
    .values({ documentId, signerId, title, bodyHtml, bodyFileId, attachmentIds, sha256 });
}

/** What was changed after the last signature, for whoever signs again; null where nothing was. */
export async function revisionOf(tx: Db, doc: Stored): Promise<Revision | null> {
  if (!isChanged(doc)) return null;
  const [frozen] = await tx
    .select()
    .from(documentFrozenTable)
    .where(eq(documentFrozenTable.documentId, doc.id))
    .orderBy(desc(documentFrozenTable.id))
    .limit(1);
  if (!frozen) return null;
  const signer = frozen.signerId === null ? undefined : (await peopleById(tx, [frozen.signerId])).get(frozen.signerId);
  return {
    signed_at: frozen.created,
    signer_alias: signer?.alias ?? '',
    file_changed: frozen.bodyFileId !== doc.bodyFileId,
    attachments_changed: frozen.attachmentIds.join() !== doc.attachmentIds.join(),
    parts: compareBodies(textOf(frozen.bodyHtml), textOf(doc.bodyHtml)),
  };
}
