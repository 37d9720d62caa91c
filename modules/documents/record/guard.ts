import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/people/service.ts';
import type { Withheld } from '#modules/tickets/service.ts';
import { attributeType } from '#modules/workflows/engine/codes.ts';
import { stateOf, type Definition } from '#modules/workflows/engine/definition.ts';
import { archivedAlready, onlyIssuerSigns, signatureNotHandedOn, urgedElsewhere } from '../contract/refusals.ts';
import { means } from '../engine/flow.ts';
import { documentTable } from '../tables.ts';
import { documentArchiveTable } from '../tables/archive.ts';

/** What the ticket of a document does not offer: anything once it is archived, its signature to others than the named issuer and whom that one asks beside, and reminders, which the document itself counts. */
export async function guard(tx: Db, id: number, definition: Definition): Promise<Withheld> {
  const [doc] = await tx
    .select({ archive_no: documentArchiveTable.archive_no, issuer: documentTable.issuer })
    .from(documentTable)
    .leftJoin(documentArchiveTable, eq(documentArchiveTable.document_id, documentTable.id))
    .where(eq(documentTable.id, id));
  const issuerId = doc?.issuer ?? null;
  const issuer = issuerId === null ? undefined : (await peopleById(tx, [issuerId])).get(issuerId);
  return ({ action, state_id, transition, added }, person) => {
    if (!doc) return null;
    if (doc.archive_no !== null) return archivedAlready(doc.archive_no);
    if (action === 'urge') return urgedElsewhere();
    const signing = issuerId !== null && state_id !== null && means(stateOf(definition, state_id), 'sign');
    if (!signing) return null;
    const signs = !added && transition?.attribute === attributeType.agree && issuerId !== person;
    // Nobody else could give the signature: who is to sign instead is named anew.
    if (action === 'deliver') return signatureNotHandedOn(issuer?.alias ?? '');
    return signs ? onlyIssuerSigns(issuer?.alias ?? '') : null;
  };
}
