import { createHash } from 'node:crypto';
import { asc, desc, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { remember } from '#modules/platform/audit/service.ts';
import { hashOfBody } from './signing.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentFrozenTable, documentSealTable, type Sealed } from '../tables/records.ts';

/** The subject of its rows in the operation log. */
export const sealLogged = '公文固定';

export type Frozen = Pick<typeof documentFrozenTable.$inferSelect, 'signer_id' | 'sha256'>;

/** The facts to seal of a document that is signed or numbered; null for others. */
export function factsOf(doc: Stored, signatures: readonly Frozen[]): Sealed | null {
  if (doc.body_sha256 === null && doc.doc_number === '') return null;
  return {
    signed: doc.body_sha256,
    now: hashOfBody(doc),
    number: doc.doc_number,
    signatures: signatures.map(({ signer_id: signerId, sha256 }) => [signerId, sha256]),
  };
}

/** The same text for the same facts, independent of the key order of the database. */
export const sealText = ({ signed, now, number, signatures }: Sealed): string =>
  JSON.stringify([signed, now, number, signatures]);

export const sealHash = (documentId: number, seq: number, facts: Sealed, previous: string | null): string =>
  createHash('sha256')
    .update(JSON.stringify([documentId, seq, sealText(facts), previous ?? '']))
    .digest('hex');

/** Appends the present facts to a document's chain of seals if they changed, and to the operation log, whose chain holds them too. */
export async function seal(tx: Db, before: Stored, doc: Stored): Promise<void> {
  if (factsOf(before, []) === null && factsOf(doc, []) === null) return;
  const signatures = await tx
    .select({ signer_id: documentFrozenTable.signer_id, sha256: documentFrozenTable.sha256 })
    .from(documentFrozenTable)
    .where(eq(documentFrozenTable.document_id, doc.id))
    .orderBy(asc(documentFrozenTable.id));
  const facts = factsOf(doc, signatures) ?? { signed: null, now: '', number: '', signatures: [] };
  const [last] = await tx
    .select()
    .from(documentSealTable)
    .where(eq(documentSealTable.document_id, doc.id))
    .orderBy(desc(documentSealTable.seq))
    .limit(1);
  if (last && sealText(last.facts) === sealText(facts)) return;
  const seq = (last?.seq ?? 0) + 1;
  const prevHash = last?.hash ?? null;
  const hash = sealHash(doc.id, seq, facts, prevHash);
  await tx.insert(documentSealTable).values({ document_id: doc.id, seq, facts, prev_hash: prevHash, hash });
  await remember(tx, {
    module: 'documents',
    action: '固定签发的正文与字号',
    method: '',
    path: '',
    user: null,
    origin: { ip: '', userAgent: '', traceId: '' },
    result: 0,
    milliseconds: 0,
    changes: [{ type: sealLogged, id: doc.id, after: { 次序: seq, 校验值: hash } }],
  });
}
