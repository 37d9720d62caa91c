import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import { tooMany } from '#kernel/contract/refusal.ts';
import { addressOf, type Attempts, type Limit } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { wrongCode } from '../contract.ts';
import { phoneCodeTable } from '../tables.ts';

export const codeSeconds = 300;
export type Scene = 'login' | 'bind' | 'change' | 'order';

export interface CodeMessage {
  phone: string;
  code: string;
  scene: Scene;
  minutes: number;
  /** False where nobody has the number: the same must be done then, only that nothing leaves. */
  reachable: boolean;
}
/** How a code reaches a phone; part of the transaction, so that a message may wait in the outbox. */
export type SendCode = (tx: Db, message: CodeMessage) => Promise<void>;

const perPhone: Limit[] = [
  { kind: 'code-minute', limit: 1, seconds: 60 },
  { kind: 'code-hour', limit: 5, seconds: 3600 },
  { kind: 'code-day', limit: 10, seconds: 86_400 },
];
const perAddress: Limit = { kind: 'code-address', limit: 20, seconds: 3600 };
const everybody: Limit = { kind: 'code-all', limit: 2000, seconds: 86_400 };
/** Codes for numbers that need be nobody's: few for each, and with a day of their own, so that those who sign in never wait for them. */
const outside: { phone: Limit; all: Limit } = {
  phone: { kind: 'code-outside-day', limit: 3, seconds: 86_400 },
  all: { kind: 'code-outside-all', limit: 300, seconds: 86_400 },
};
const leaving = '';
const guesses: Limit = { kind: 'code-guess', limit: 5, seconds: codeSeconds };
const freeOfChallenge = 3;

export interface PhoneCodes {
  /** Whether the address has asked so often that it must prove some work. */
  needsChallenge(ip: string): Promise<boolean>;
  /**
   * Counts one asking outside the transaction: against the limit of its address, then against those of the number, which so are not used up
   * by whoever may ask no more or while the house may send none. A device that the number's person uses answers for no address.
   * Refuses with `tooMany`.
   */
  count(phone: string, scene: Scene, ip: string, device: string | null): Promise<void>;
  /**
   * Counts what leaves against the day of the house, by the same statement where nothing does. Refuses nobody, for that would tell who has a number:
   * those who ask at the very moment the day becomes full may go beyond it.
   */
  countLeaving(reachable: boolean, scene: Scene): Promise<void>;
  /** Keeps a new code for a purpose in place of an older one; `owner` binds it to a signed-in person. */
  issue(tx: Db, phone: string, scene: Scene, owner?: number): Promise<string>;
  /** Counts a guess, outside the transaction; a device that the number's person uses has guesses of its own. Refuses with `wrongCode` after five. */
  guess(phone: string, scene: Scene, device?: string | null): Promise<void>;
  /** Whether a code would be taken; it is not used up. */
  fits(db: Db, phone: string, scene: Scene, code: string): Promise<boolean>;
  /** Uses a code up. Refuses with `wrongCode`. */
  use(tx: Db, phone: string, scene: Scene, code: string, owner?: number): Promise<void>;
}

const guesser = (phone: string, scene: Scene, device: string | null) =>
  device === null ? `${scene}:${phone}` : `${scene}:${phone}:${device}`;
const liveCode = (phone: string, scene: Scene, hash: string) =>
  and(
    eq(phoneCodeTable.phone, phone),
    eq(phoneCodeTable.scene, scene),
    eq(phoneCodeTable.hash, hash),
    eq(phoneCodeTable.used, false),
    gt(phoneCodeTable.expires_at, sql`now()`),
  );

export function createPhoneCodes(secret: string, attempts: Attempts): PhoneCodes {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gongdan phone code', 32));
  const hashed = (phone: string, scene: Scene, code: string, owner = 0) =>
    createHmac('sha256', key).update(`${scene}:${phone}:${owner}:${code}`).digest('hex');
  const spend = async (limit: Limit, subject: string) => {
    const tries = await attempts.hit(limit, subject);
    if (tries.exceeded) throw tooMany('获取验证码', tries.retryAfter);
  };
  return {
    needsChallenge: async (ip) => (await attempts.look(perAddress, addressOf(ip))).count >= freeOfChallenge,
    async count(phone, scene, ip, device) {
      const most = scene === 'order' ? outside.all : everybody;
      const house = await attempts.look(most, leaving);
      if (house.count >= most.limit) throw tooMany('获取验证码', house.retryAfter);
      if (device === null) await spend(perAddress, addressOf(ip));
      for (const limit of scene === 'order' ? [outside.phone, ...perPhone] : perPhone) await spend(limit, phone);
      await attempts.forget(guesses.kind, guesser(phone, scene, null));
      if (device !== null) await attempts.forget(guesses.kind, guesser(phone, scene, device));
    },
    async countLeaving(reachable, scene) {
      await attempts.hit(scene === 'order' ? outside.all : everybody, reachable ? leaving : 'nobody');
    },
    async issue(tx, phone, scene, owner) {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const kept = {
        hash: hashed(phone, scene, code, owner),
        expires_at: sql`now() + make_interval(secs => ${codeSeconds})` as never,
        used: false,
      };
      await tx
        .insert(phoneCodeTable)
        .values({ phone, scene, ...kept })
        .onConflictDoUpdate({ target: [phoneCodeTable.phone, phoneCodeTable.scene], set: kept });
      return code;
    },
    async guess(phone, scene, device = null) {
      if ((await attempts.hit(guesses, guesser(phone, scene, device))).exceeded) throw wrongCode();
    },
    async fits(db, phone, scene, code) {
      const live = liveCode(phone, scene, hashed(phone, scene, code));
      return (await db.select({ phone: phoneCodeTable.phone }).from(phoneCodeTable).where(live)).length > 0;
    },
    async use(tx, phone, scene, code, owner) {
      const rows = await tx
        .update(phoneCodeTable)
        .set({ used: true })
        .where(liveCode(phone, scene, hashed(phone, scene, code, owner)))
        .returning({ phone: phoneCodeTable.phone });
      if (rows.length === 0) throw wrongCode();
    },
  };
}

declare module '#kernel/server/services.ts' {
  interface Services {
    sendCode: SendCode;
    /** Whether a code by text message reaches anybody. */
    codesLeave(): Promise<boolean>;
  }
}
