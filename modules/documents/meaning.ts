import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { confirmWanted } from './contract/refusals.ts';
import { asksInReport } from './rules.ts';
import type { Stored } from './sight.ts';
import { documentTable } from './tables.ts';

/** A report that seems to ask for something goes on only where somebody said that it is meant. */
export function refuseAsking(doc: Stored): void {
  const phrase = asksInReport(doc).find((one) => !doc.meant.includes(one));
  if (phrase) throw confirmWanted(phrase);
}

/** Keeps that what a report says is meant; later words are asked about anew. */
export async function mean(tx: Db, doc: Stored): Promise<Stored> {
  const meant = asksInReport(doc);
  await tx.update(documentTable).set({ meant }).where(eq(documentTable.id, doc.id));
  return { ...doc, meant };
}
