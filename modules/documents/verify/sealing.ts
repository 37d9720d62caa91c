import { and, eq } from 'drizzle-orm';
import { ticketViewerFor } from '#modules/tickets/service.ts';
import type { Stampable } from '#modules/stamps/service.ts';
import { sending } from '../rules/rules.ts';
import { documentTable } from '../tables.ts';
import { alive, seenFromInside } from '../visibility/visibility.ts';

/** Kind of file, as applications for seals number them. */
const official = 1;

/** A document that bears its number is sealed as its finished pages stand. The office leads the document on by itself when it is. */
export const sealedDocuments: Stampable = {
  async offer(tx, viewer, id) {
    const tickets = await ticketViewerFor(tx, viewer, undefined);
    if (!(await seenFromInside(tx, tickets, [id])).includes(id)) return null;
    const [doc] = await tx
      .select()
      .from(documentTable)
      .where(and(eq(documentTable.id, id), alive));
    const numbered = doc?.doc_kind === sending && doc.doc_number !== '' && doc.final_file !== null;
    // What is secret is copied nowhere.
    if (!doc || !numbered || doc.is_void || doc.secret_level > 0) return null;
    return {
      title: `${doc.doc_number} ${doc.title}`.slice(0, 100),
      files: [doc.final_file!],
      kind: official,
      copies: doc.print_copies ?? 1,
      amount: null,
      parties: doc.main_send.map((party) => party.name),
      approved: true,
    };
  },
  // The page shows it: nobody is led on by a seal.
  sealed: () => Promise.resolve(),
  dropped: () => Promise.resolve(),
};
