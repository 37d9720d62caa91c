import { createHash } from 'node:crypto';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/people/service.ts';
import { changedInReview } from '../contract/files/file-refusals.ts';
import { onlyIssuerSigns } from '../contract/refusals.ts';
import type { Revision } from '../contract/revision.ts';
import type { Source } from '../edits/source.ts';
import { traced } from '../edits/tracing.ts';
import { bodiesOf } from '../bodies/known.ts';
import { documentFrozenTable, type Unsigned } from '../tables/records.ts';
import type { Stored } from '../visibility/visibility.ts';

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
  const { issuerId, signDate, writtenDate, bodySha256 } = doc;
  const sha256 = hashOfBody(doc);
  await tx.insert(documentFrozenTable).values({
    documentId,
    signerId,
    title,
    bodyHtml,
    bodyFileId,
    attachmentIds,
    sha256,
    before: { issuerId, signDate, writtenDate, bodySha256 },
  });
}

/** Takes the last signature back; answers the document's columns as they were before it. */
export async function unsign(tx: Db, { id }: Stored): Promise<Partial<Unsigned>> {
  const last = tx
    .select({ id: documentFrozenTable.id })
    .from(documentFrozenTable)
    .where(eq(documentFrozenTable.documentId, id))
    .orderBy(desc(documentFrozenTable.id))
    .limit(1);
  const [gone] = await tx
    .delete(documentFrozenTable)
    .where(inArray(documentFrozenTable.id, last))
    .returning({ before: documentFrozenTable.before });
  return gone?.before ?? {};
}

/** Who a signed document named as its signer before anybody signed it; null for nobody. */
export async function namedBefore(tx: Db, { id }: Stored): Promise<number | null> {
  const unsigned = sql`${documentFrozenTable.before} ->> 'bodySha256' is null`;
  const [first] = await tx
    .select({ before: documentFrozenTable.before })
    .from(documentFrozenTable)
    .where(and(eq(documentFrozenTable.documentId, id), unsigned))
    .orderBy(desc(documentFrozenTable.id))
    .limit(1);
  return first?.before.issuerId ?? null;
}

/** A body to compare: its text, or the words that were read of the file it came as. */
async function sourceOf(tx: Db, { bodyFileId, bodyHtml }: Pick<Stored, 'bodyFileId' | 'bodyHtml'>): Promise<Source> {
  const words = bodyFileId === null ? null : ((await bodiesOf(tx, [bodyFileId])).get(bodyFileId)?.words ?? '');
  return { html: bodyHtml, words, no: null };
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
  const parts = await traced([await sourceOf(tx, frozen), { ...(await sourceOf(tx, doc)), no: 1 }]);
  const signer = frozen.signerId === null ? undefined : (await peopleById(tx, [frozen.signerId])).get(frozen.signerId);
  return {
    signed_at: frozen.created,
    signer_alias: signer?.alias ?? '',
    file_changed: frozen.bodyFileId !== doc.bodyFileId,
    attachments_changed: frozen.attachmentIds.join() !== doc.attachmentIds.join(),
    parts: parts.map(({ kind, text }) => ({ kind, text })),
  };
}
