import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { namedRows } from '#kernel/server/db/db.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { readingOf } from '#kernel/server/list/pinyin.ts';
import { matches, searchVector } from '#kernel/server/list/search.ts';
import { wordsOf } from '#kernel/server/list/words.ts';
import { userTable } from '../tables.ts';

export interface PersonWords {
  alias: string;
  username: string;
  post?: string;
  office_phone?: string;
  office_room?: string;
  employ_no?: string;
  phone?: string | null;
  phone_visible?: number;
}

/**
 * A person's search words. Of a mobile number only what the mask shows anyway, and nothing of a hidden one: otherwise a search box would reveal the
 * digits whose display is counted and logged.
 */
function personSearch(person: PersonWords): string {
  const tail = person.phone && (person.phone_visible ?? 1) === 1 ? person.phone.slice(-4) : '';
  return searchVector({
    names: [person.alias],
    texts: [person.post],
    codes: [person.username, person.employ_no, person.office_phone, person.office_room, tail],
  });
}

/** The columns by which a person is found and ordered. */
export const personWords = (person: PersonWords) => ({
  search: personSearch(person),
  reading: readingOf(person.alias),
});

/** Rebuilds the search words of one person, after any change of their sources. */
export async function indexPerson(tx: Db, userId: number): Promise<void> {
  const [row] = await tx.select().from(userTable).where(eq(userTable.id, userId));
  if (row) await tx.update(userTable).set(personWords(row)).where(eq(userTable.id, userId));
}

/** Words that are typed into a search box; more are no search for a row. */
const mostWords = 16;
const typedWords = (typed: string) => wordsOf(typed, 200).slice(0, mostWords);

/**
 * Condition: a person is called as a word says: by their name, or in Latin letters by its pinyin, its initials or the user name. Not by the numbers
 * and the post that find a person: those would bring rows with no such word in them.
 */
function isCalled({ cjk, characters }: { cjk: boolean; characters: readonly string[] }): SQL | undefined {
  const word = characters.join('');
  const named = contains(userTable.alias, word);
  return !cjk && /^[a-z]+$/.test(word) ? or(named, matches(userTable.search, word)) : named;
}

/**
 * The condition of the search box of a list whose rows show people: each word is found in the row, or names one of its people. `said`: the row has the
 * word; `has`: one of its people is among some ids.
 */
export function saysOrShows(
  typed: string,
  said: (word: string) => SQL | undefined,
  has: (ids: SQL, word: string) => SQL | undefined,
): SQL | undefined {
  if (typed.trim() === '') return undefined;
  const words = typedWords(typed);
  if (words.length === 0) return said(typed);
  return and(
    ...words.map((word) => {
      const text = word.characters.join('');
      const ids = sql`(select ${userTable.id} from ${userTable} where ${isCalled(word)})`;
      return or(said(text), has(ids, text));
    }),
  );
}

/** Condition: each word names one of a row's people. */
export const names = (typed: string, has: (ids: SQL) => SQL): SQL | undefined =>
  saysOrShows(typed, () => undefined, has);

/** True if one of the words names somebody; if none does, a list need not ask for its people. */
export async function namesSomebody(tx: Db, typed: string): Promise<boolean> {
  const words = typedWords(typed);
  if (words.length === 0) return false;
  const rows = await namedRows(tx, sql`select from ${userTable} where ${or(...words.map(isCalled))} limit 1`);
  return rows.length > 0;
}
