import { createHash } from 'node:crypto';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { changedInReview } from '../contract/files/file-refusals.ts';
import { onlyIssuerSigns } from '../contract/refusals.ts';
import type { Revision } from '../contract/revision.ts';
import type { Source } from '../edits/source.ts';
import { traced } from '../edits/tracing.ts';
import { bodiesOf } from '../bodies/known.ts';
import { documentFrozenTable, type Unsigned } from '../tables/records.ts';
import type { Stored } from '../visibility/visibility.ts';

/** The SHA-256 of the signed parts, in hexadecimal. */
export const hashOfBody = ({ title, body_html, body_file, attachments }: Stored): string =>
  createHash('sha256')
    .update(JSON.stringify([title, body_html, body_file, attachments]))
    .digest('hex');

const isChanged = (doc: Stored) => doc.body_sha256 !== null && doc.body_sha256 !== hashOfBody(doc);

/** Refuses to move on a document that was changed after its signature; it has to return to the signer. */
export function refuseChanged(doc: Stored): void {
  if (isChanged(doc)) throw changedInReview();
}

/** Refuses a signature by anybody but the named issuer. */
export async function refuseOtherSigner(tx: Db, { issuer }: Stored, actor: number | null): Promise<void> {
  if (issuer === null || issuer === actor) return;
  throw onlyIssuerSigns((await peopleById(tx, [issuer])).get(issuer)?.alias ?? '');
}

/** Keeps the text as signed. */
export async function freeze(tx: Db, doc: Stored, signerId: number | null): Promise<void> {
  const { title, body_html, body_file, attachments, issuer, sign_date, written_date, body_sha256 } = doc;
  const before = { issuer, sign_date, written_date, body_sha256 };
  const frozen = { title, body_html, body_file, attachments, sha256: hashOfBody(doc), before };
  await tx.insert(documentFrozenTable).values({ document_id: doc.id, signer_id: signerId, ...frozen });
}

/** Takes back the last signature; returns the columns as they were before it. */
export async function unsign(tx: Db, { id }: Stored): Promise<Partial<Unsigned>> {
  const last = tx
    .select({ id: documentFrozenTable.id })
    .from(documentFrozenTable)
    .where(eq(documentFrozenTable.document_id, id))
    .orderBy(desc(documentFrozenTable.id))
    .limit(1);
  const [gone] = await tx
    .delete(documentFrozenTable)
    .where(inArray(documentFrozenTable.id, last))
    .returning({ before: documentFrozenTable.before });
  return gone?.before ?? {};
}

/** The issuer that a signed document named before its first signature; null if none. */
export async function namedBefore(tx: Db, { id }: Stored): Promise<number | null> {
  const unsigned = sql`${documentFrozenTable.before} ->> 'body_sha256' is null`;
  const [first] = await tx
    .select({ before: documentFrozenTable.before })
    .from(documentFrozenTable)
    .where(and(eq(documentFrozenTable.document_id, id), unsigned))
    .orderBy(desc(documentFrozenTable.id))
    .limit(1);
  return first?.before.issuer ?? null;
}

/** True if it was signed since its author last sent it (`start` is the author's state), so that a return cost it the signature. */
export async function signedSinceSent(tx: Db, { id, ticket_id }: Stored, start: number): Promise<boolean> {
  const sent = sql`(select max(k.decided_at) from ticket_task k
    where k.ticket_id = ${ticket_id} and k.state_id = ${start} and k.status in ('agree', 'other'))`;
  const since = sql`${documentFrozenTable.gmt_created} > coalesce(${sent}, '-infinity')`;
  return (await tx.$count(documentFrozenTable, and(eq(documentFrozenTable.document_id, id), since))) > 0;
}

/** A body to compare: its text, or the text read from its file. */
async function sourceOf(tx: Db, { body_file, body_html }: Pick<Stored, 'body_file' | 'body_html'>): Promise<Source> {
  const words = body_file === null ? null : ((await bodiesOf(tx, [body_file])).get(body_file)?.words ?? '');
  return { html: body_html, words, no: null };
}

/** The changes after the last signature, for those who sign again; null if there are none. */
export async function revisionOf(tx: Db, doc: Stored): Promise<Revision | null> {
  if (!isChanged(doc)) return null;
  const [frozen] = await tx
    .select()
    .from(documentFrozenTable)
    .where(eq(documentFrozenTable.document_id, doc.id))
    .orderBy(desc(documentFrozenTable.id))
    .limit(1);
  if (!frozen) return null;
  const parts = await traced([await sourceOf(tx, frozen), { ...(await sourceOf(tx, doc)), no: 1 }]);
  const signer = (await peopleById(tx, [frozen.signer_id ?? 0])).get(frozen.signer_id ?? 0);
  return {
    signed_at: frozen.gmt_created,
    signer_alias: signer?.alias ?? '',
    file_changed: frozen.body_file !== doc.body_file,
    attachments_changed: frozen.attachments.join() !== doc.attachments.join(),
    parts: parts.map(({ kind, text }) => ({ kind, text })),
  };
}
