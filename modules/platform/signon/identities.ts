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
 * Who comes in by what a provider says: whoever its issuer and subject are bound to; the first time whoever bears the number, a newcomer
 * where the house lets them in with nothing but what everybody holds. A number alone is no proof once somebody came in by it: providers give
 * numbers and names away again.
 */
export async function personOf(
  tx: Db,
  vouched: Vouched,
  { match, letsIn }: { match: NumberIn; letsIn: boolean },
): Promise<number> {
  const { issuer, subject, number, name } = vouched;
  // Cut, two of them might be one.
  if (issuer.length > longestIssuer || subject.length > longestSubject) throw notVouched('单点登录');
  // Windows that come back together are one after the other the first and known.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 0))`);
  const identity = and(eq(ssoTable.issuer, issuer), eq(ssoTable.subject, subject));
  const [bound] = await tx.select({ id: ssoTable.user_id }).from(ssoTable).where(identity);
  if (bound && (await stillThere(tx, bound.id))) return bound.id;
  const userId = await byNumber(tx, { number, name, match, letsIn });
  // The number may be somebody else's by now. An account that was deleted is nobody's: who comes back has a new one.
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

/** Forgets by what providers know a person: the next one with their number is bound anew. Answers whether there was any. */
export async function releaseSso(tx: Db, userId: number): Promise<boolean> {
  const gone = await tx.delete(ssoTable).where(eq(ssoTable.user_id, userId)).returning({ id: ssoTable.user_id });
  return gone.length > 0;
}
