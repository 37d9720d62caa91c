import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { bodiesOf } from '../bodies/known.ts';
import { addressedTwice, confirmWanted } from '../contract/refusals.ts';
import { documentRules, linesOf } from '../contract/rules.ts';
import { report } from '../contract/shapes.ts';
import { ownAddressees } from './own-addressees.ts';
import { asksInReport } from './rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

/** The words by which a report would ask for something; of anything else they are not looked up. */
export const askingWords = async (tx: Db, { doc_type }: Pick<Stored, 'doc_type'>): Promise<string[]> =>
  doc_type === report ? linesOf((await tx.services.settings.of(documentRules)).asking) : [];

/** What seems to ask for something, in the text of a report or in the file that is its body. */
export async function askedIn(tx: Db, doc: Stored): Promise<string[]> {
  const file = doc.doc_type === report && doc.body_file !== null ? doc.body_file : null;
  const words = file === null ? '' : (await bodiesOf(tx, [file])).get(file)?.words;
  return asksInReport(doc, await askingWords(tx, doc), words);
}

/** A report that seems to ask for something, or a text that names whom it goes to once more, goes on only where somebody said that it is meant. */
export async function refuseAsking(tx: Db, doc: Stored): Promise<void> {
  const phrase = (await askedIn(tx, doc)).find((one) => !doc.meant.includes(one));
  if (phrase) throw confirmWanted(phrase);
  const line = await ownAddressees(tx, doc);
  if (line !== null && !doc.meant.includes(line)) throw addressedTwice(line);
}

/** Keeps that what a letter says is meant; later words are asked about anew. */
export async function mean(tx: Db, doc: Stored): Promise<Stored> {
  const line = await ownAddressees(tx, doc);
  const meant = [...(await askedIn(tx, doc)), ...(line === null ? [] : [line])];
  await tx.update(documentTable).set({ meant }).where(eq(documentTable.id, doc.id));
  return { ...doc, meant };
}
