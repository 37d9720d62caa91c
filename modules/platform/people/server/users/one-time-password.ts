import { randomInt } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { endSessionsOf } from '../../service/rights.ts';
import { userTable } from '../../tables.ts';

export interface OneTimePassword {
  plain: string;
  hash: string;
}

/** Letters and digits that are not confused when read out. */
const kinds = ['ABCDEFGHJKMNPQRSTUVWXYZ', 'abcdefghjkmnpqrstuvwxyz', '23456789'] as const;
const marks = '-+=@#';
const length = 12;

/** A random password of twelve characters of every kind, to be shown once and changed at the first sign-in. */
export async function oneTimePassword(): Promise<OneTimePassword> {
  const pick = (from: string) => from[randomInt(from.length)] ?? '';
  const all = kinds.join('');
  const characters = [...kinds.map(pick), pick(marks), ...Array.from({ length: length - 4 }, () => pick(all))];
  for (let last = characters.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [characters[last], characters[other]] = [characters[other] ?? '', characters[last] ?? ''];
  }
  const start = characters.findIndex((one) => !marks.includes(one));
  // It does not begin with a special character, which a spreadsheet would take for a formula.
  [characters[0], characters[start]] = [characters[start] ?? '', characters[0] ?? ''];
  const plain = characters.join('');
  return { plain, hash: await hash(plain, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }) };
}

/** Makes it an account's password, and ends all of its sessions. */
export async function giveOneTimePassword(tx: Db, userId: number, { hash: password }: OneTimePassword): Promise<void> {
  await tx
    .update(userTable)
    .set({ password, must_change_pwd: true, password_changed_at: sql`now()`, gmt_modified: sql`now()` })
    .where(eq(userTable.id, userId));
  await endSessionsOf(tx, userId);
}
