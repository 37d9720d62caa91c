import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { readingOf } from '#kernel/server/list/pinyin.ts';
import { searchVector } from '#kernel/server/list/search.ts';
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
