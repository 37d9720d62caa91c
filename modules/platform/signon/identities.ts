import { and, eq, sql } from 'drizzle-orm';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import {
  addOutsider,
  isBuiltIn,
  isDeleted,
  peopleByNumber,
  stillThere,
  type NumberIn,
} from '#modules/platform/people/service/outside.ts';
import { boundToClosed, boundToOther, notByName, notVouched, severalOfNumber, unknownNumber } from './contract.ts';
import type { Vouched } from './providers/provider.ts';
import { longestIssuer, longestSubject, ssoTable } from './tables.ts';

/**
 * The person identified by a provider's claims: the one bound to their issuer and subject; the first time the one with the number, or a new account
 * with only everybody's rights, if allowed. After that a number alone is no proof, because providers reuse numbers and names.
 */
export async function personOf(
  tx: Db,
  vouched: Vouched,
  { match, letsIn }: { match: NumberIn; letsIn: boolean },
): Promise<number> {
  const { issuer, subject, number, name } = vouched;
  // Shortened, two of them might become equal.
  if (issuer.length > longestIssuer || subject.length > longestSubject) throw notVouched('单点登录');
  // Concurrent returns are serialised, so that only one of them is the first.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`);
  const identity = and(eq(ssoTable.issuer, issuer), eq(ssoTable.subject, subject));
  const [bound] = await tx.select({ id: ssoTable.user_id }).from(ssoTable).where(identity);
  if (bound && (await stillThere(tx, bound.id))) return bound.id;
  const userId = await byNumber(tx, { number, name, match, letsIn });
  // The number may belong to somebody else by now. A deleted account belongs to nobody: a returning person gets a new one.
  if (bound && bound.id !== userId && !(await isDeleted(tx, bound.id))) throw boundToClosed();
  if (await isBuiltIn(tx, userId)) throw notByName();
  await tx.delete(ssoTable).where(identity);
  await tx
    .insert(ssoTable)
    .values({ issuer, subject, user_id: userId })
    .catch(refuseOn('sso_identity_person', () => boundToOther(number)));
  return userId;
}

async function byNumber(
  tx: Db,
  { number, name, match, letsIn }: { number: string; name: string; match: NumberIn; letsIn: boolean },
): Promise<number> {
  const people = await peopleByNumber(tx, number, match);
  if (people.length === 1) return people[0]!;
  if (people.length > 1) throw severalOfNumber(number);
  if (!letsIn) throw unknownNumber(number);
  return addOutsider(tx, { number, alias: name }, () => unknownNumber(number));
}

/** Forgets the providers' identities of a person: the next one with their number is bound anew. Returns whether there was any. */
export async function releaseSso(tx: Db, userId: number): Promise<boolean> {
  const gone = await tx.delete(ssoTable).where(eq(ssoTable.user_id, userId)).returning({ id: ssoTable.user_id });
  return gone.length > 0;
}
