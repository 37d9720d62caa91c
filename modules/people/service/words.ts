import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { userTable } from '../tables.ts';

export interface PersonWords {
  alias: string;
  username: string;
  post?: string;
  officePhone?: string;
  officeRoom?: string;
  employeeNo?: string;
  phone?: string | null;
  phoneVisible?: number;
}

/**
 * What a person is found by. Of a mobile number only what the mask shows anyway, and nothing of a hidden one: else a
 * search box would tell the digits that asking for the number counts and logs.
 */
export function personSearch(person: PersonWords): string {
  const tail = person.phone && (person.phoneVisible ?? 1) === 1 ? person.phone.slice(-4) : '';
  return searchVector({
    names: [person.alias],
    texts: [person.post],
    codes: [person.username, person.employeeNo, person.officePhone, person.officeRoom, tail],
  });
}

/** Writes the search words of one person anew, after any change of what they are made of. */
export async function indexPerson(tx: Db, userId: number): Promise<void> {
  const [row] = await tx.select().from(userTable).where(eq(userTable.id, userId));
  if (row)
    await tx
      .update(userTable)
      .set({ search: personSearch(row) })
      .where(eq(userTable.id, userId));
}
