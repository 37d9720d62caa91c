import { randomInt } from 'node:crypto';
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { plainCode } from '#kernel/contract/words/plainly.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { recoveryCodes, wrongRecoveryCode, wrongSecondCode } from '../contract/second.ts';
import { recoveryCodeTable, secondFactorTable } from '../tables.ts';

const seconds = 30;
/** Steps by which a clock may be wrong, either way. */
const drift = 1;

/** Time-based codes of half a minute, as authenticator apps make them (RFC 6238). */
export const appOf = (secret: string, issuer = '', label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: seconds });
export const newSecret = () => new Secret({ size: 20 }).base32;

/** A person's confirmed app; null if there is none. */
export async function confirmedFactor(tx: Db, userId: number) {
  const [row] = await tx
    .select()
    .from(secondFactorTable)
    .where(and(eq(secondFactorTable.user_id, userId), isNotNull(secondFactorTable.confirmed_at)));
  return row ?? null;
}

/** Replaces an unconfirmed app by the one being set up. */
export async function keepPending(tx: Db, userId: number, secret: string): Promise<void> {
  await tx
    .insert(secondFactorTable)
    .values({ user_id: userId, secret })
    .onConflictDoUpdate({
      target: secondFactorTable.user_id,
      set: { secret, last_step: 0 },
      setWhere: isNull(secondFactorTable.confirmed_at),
    });
}

/** Activates the app being set up; false if there is none. */
export async function confirmFactor(tx: Db, userId: number): Promise<boolean> {
  const done = await tx
    .update(secondFactorTable)
    .set({ confirmed_at: sql`now()` })
    .where(and(eq(secondFactorTable.user_id, userId), isNull(secondFactorTable.confirmed_at)))
    .returning({ id: secondFactorTable.user_id });
  return done.length > 0;
}

/**
 * Uses a code of the app, once: its step must be later than that of any code before. Concurrent uses wait for each other at the row. Refuses a wrong
 * code.
 */
export async function useCode(tx: Db, box: SecretBox, userId: number, code: string, now: Date): Promise<void> {
  // The library fails on six non-digit characters that take more bytes.
  if (!/^\d{6}$/.test(code)) throw wrongSecondCode();
  const [row] = await tx.select().from(secondFactorTable).where(eq(secondFactorTable.user_id, userId)).for('update');
  const delta = row && appOf(box.open(row.secret)).validate({ token: code, window: drift, timestamp: now.getTime() });
  if (delta === undefined || delta === null) throw wrongSecondCode();
  const step = Math.floor(now.getTime() / 1000 / seconds) + delta;
  const used = await tx
    .update(secondFactorTable)
    .set({ last_step: step })
    .where(and(eq(secondFactorTable.user_id, userId), lt(secondFactorTable.last_step, step)))
    .returning({ id: secondFactorTable.user_id });
  if (used.length === 0) throw wrongSecondCode();
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 12;
export const isRecoveryCode = (code: string) => plainCode(code).length === length;

/** New recovery codes in place of all old ones; they are shown once and stored as keyed hashes. */
export async function makeRecoveryCodes(tx: Db, box: SecretBox, userId: number): Promise<string[]> {
  const made = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length }, () => letters[randomInt(letters.length)]).join(''),
  );
  await tx.delete(recoveryCodeTable).where(eq(recoveryCodeTable.user_id, userId));
  await tx.insert(recoveryCodeTable).values(made.map((code) => ({ user_id: userId, hash: hashOf(box, userId, code) })));
  return made.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

const hashOf = (box: SecretBox, userId: number, code: string) => box.keyedHash(`recovery:${userId}:${plainCode(code)}`);

/** Uses a recovery code, once. Refuses a wrong one. */
export async function useRecoveryCode(tx: Db, box: SecretBox, userId: number, code: string): Promise<void> {
  const used = await tx
    .update(recoveryCodeTable)
    .set({ used_at: sql`now()` })
    .where(
      and(
        eq(recoveryCodeTable.user_id, userId),
        eq(recoveryCodeTable.hash, hashOf(box, userId, code)),
        isNull(recoveryCodeTable.used_at),
      ),
    )
    .returning({ id: recoveryCodeTable.user_id });
  if (used.length === 0) throw wrongRecoveryCode();
}

export async function recoveryCodesLeft(tx: Db, userId: number): Promise<number> {
  return tx.$count(recoveryCodeTable, and(eq(recoveryCodeTable.user_id, userId), isNull(recoveryCodeTable.used_at)));
}

/** Returns whether there was one. */
export async function forgetFactor(tx: Db, userId: number): Promise<boolean> {
  await tx.delete(recoveryCodeTable).where(eq(recoveryCodeTable.user_id, userId));
  const gone = await tx
    .delete(secondFactorTable)
    .where(eq(secondFactorTable.user_id, userId))
    .returning({ confirmed: secondFactorTable.confirmed_at });
  return gone.some(({ confirmed }) => confirmed !== null);
}

/** Without the secret no code can be checked, so everybody must set up anew. Returns how many had an app. */
export async function forgetSecondFactors(tx: Db): Promise<number> {
  await tx.delete(recoveryCodeTable);
  return (await tx.delete(secondFactorTable).returning({ id: secondFactorTable.user_id })).length;
}
