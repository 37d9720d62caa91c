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

/** The words that suggest a request; read only for reports. */
export const askingWords = async (tx: Db, { doc_type }: Pick<Stored, 'doc_type'>): Promise<string[]> =>
  doc_type === report ? linesOf((await tx.services.settings.of(documentRules)).asking) : [];

/** Words that seem to ask for something, in the text of a report or in its body file. */
export async function askedIn(tx: Db, doc: Stored): Promise<string[]> {
  const file = doc.doc_type === report && doc.body_file !== null ? doc.body_file : null;
  const words = file === null ? '' : (await bodiesOf(tx, [file])).get(file)?.words;
  return asksInReport(doc, await askingWords(tx, doc), words);
}

/** Refuses a report that seems to ask for something, or a text that repeats its addressees, until somebody confirms it. */
export async function refuseAsking(tx: Db, doc: Stored): Promise<void> {
  const phrase = (await askedIn(tx, doc)).find((one) => !doc.meant.includes(one));
  if (phrase) throw confirmWanted(phrase);
  const line = await ownAddressees(tx, doc);
  if (line !== null && !doc.meant.includes(line)) throw addressedTwice(line);
}

/** Stores that the doubtful words are confirmed; later ones are asked about again. */
export async function mean(tx: Db, doc: Stored): Promise<Stored> {
  const line = await ownAddressees(tx, doc);
  const meant = [...(await askedIn(tx, doc)), ...(line === null ? [] : [line])];
  await tx.update(documentTable).set({ meant }).where(eq(documentTable.id, doc.id));
  return { ...doc, meant };
}
