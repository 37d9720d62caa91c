import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import { tooMany } from '#kernel/contract/refusal.ts';
import { addressOf, type Attempts, type Limit } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { wrongCode } from '../contract.ts';
import { phoneCodeTable } from '../tables.ts';

export const codeSeconds = 300;
export type Scene = 'login' | 'bind' | 'change' | 'order' | 'forgot' | 'mail';

export interface CodeMessage {
  phone: string;
  code: string;
  scene: Exclude<Scene, 'mail'>;
  minutes: number;
  /** False if nobody has the number: the same work is done, but nothing is sent. */
  reachable: boolean;
}
/** Sends a code to a phone as part of the transaction, so that a message may wait in the outbox. */
export type SendCode = (tx: Db, message: CodeMessage) => Promise<void>;

const perPhone: Limit[] = [
  { kind: 'code-minute', limit: 1, seconds: 60 },
  { kind: 'code-hour', limit: 5, seconds: 3600 },
  { kind: 'code-day', limit: 10, seconds: 86_400 },
];
/** Signed-in people are counted one by one, because their office shares an address. */
const perPerson: Limit = { kind: 'code-person', limit: 20, seconds: 3600 };
const perAddress: Limit = { kind: 'code-address', limit: 20, seconds: 3600 };
/** People who forgot their password share the address of all others; each request costs proved work. */
const perAddressForgotten: Limit = { kind: 'code-forgot-address', limit: 100, seconds: 3600 };
const everybody: Limit = { kind: 'code-all', limit: 2000, seconds: 86_400 };
/** Codes for numbers that may be unknown: few for each, with a daily limit of their own, so that people who sign in are not affected. */
const outside: { phone: Limit; all: Limit } = {
  phone: { kind: 'code-outside-day', limit: 3, seconds: 86_400 },
  all: { kind: 'code-outside-all', limit: 300, seconds: 86_400 },
};
/** Codes for forgotten passwords have a daily limit of their own, too: strangers request them, by phone and by mail. */
const forgotten: Limit = { kind: 'code-forgot-all', limit: 500, seconds: 86_400 };
const mailed: Limit = { kind: 'code-mail-all', limit: 500, seconds: 86_400 };
const daysOfHouse: Partial<Record<Scene, Limit>> = { order: outside.all, forgot: forgotten, mail: mailed };
const dayOfHouse = (scene: Scene) => daysOfHouse[scene] ?? everybody;
const leaving = '';
const guesses: Limit = { kind: 'code-guess', limit: 5, seconds: codeSeconds };
const freeOfChallenge = 3;

/** The requester of a code: a signed-in person, a device that the number's person uses, or else an address. */
export interface Asker {
  ip: string;
  device?: string | null;
  user?: number | undefined;
}
/** The limit that a request counts against besides the number's; null for a known device. */
function limitOf({ ip, device = null, user }: Asker, scene: Scene): { limit: Limit; subject: string } | null {
  if (user !== undefined) return { limit: perPerson, subject: String(user) };
  if (device !== null) return null;
  return { limit: scene === 'forgot' ? perAddressForgotten : perAddress, subject: addressOf(ip) };
}

/** Codes that confirm a phone number or a mail address: `target` is either. */
export interface PhoneCodes {
  /** Returns whether the requester has asked so often that work must be proved. */
  needsChallenge(asker: Asker, scene: Scene): Promise<boolean>;
  /**
   * Counts a request outside the transaction: first against the requester's limit, then against those of the number, which are not used up by refused
   * requests or while nothing can be sent. Each purpose of a number has its own limit. Refuses with `tooMany`.
   */
  count(target: string, scene: Scene, asker: Asker): Promise<void>;
  /**
   * Counts sent codes against the daily limit, with the same statement if nothing is sent. Never refuses, because that would reveal who has a number:
   * concurrent requests may slightly exceed the limit.
   */
  countLeaving(reachable: boolean, scene: Scene): Promise<void>;
  /** Stores a new code for a purpose in place of an older one; `owner` binds it to a signed-in person. */
  issue(tx: Db, target: string, scene: Scene, owner?: number): Promise<string>;
  /** Counts a guess, outside the transaction; a device that the number's person uses has its own count. Refuses with `wrongCode` after five. */
  guess(target: string, scene: Scene, device?: string | null): Promise<void>;
  /** Undoes the count after a correct guess. */
  takeBack(target: string, scene: Scene, device?: string | null): Promise<void>;
  /** Returns whether a code would be accepted, without using it up. */
  fits(db: Db, target: string, scene: Scene, code: string): Promise<boolean>;
  /** Uses a code up. Refuses with `wrongCode`. */
  use(tx: Db, target: string, scene: Scene, code: string, owner?: number): Promise<void>;
}

const guesser = (target: string, scene: Scene, device: string | null) =>
  device === null ? `${scene}:${target}` : `${scene}:${target}:${device}`;
const liveCode = (target: string, scene: Scene, hash: string) =>
  and(
    eq(phoneCodeTable.target, target),
    eq(phoneCodeTable.scene, scene),
    eq(phoneCodeTable.hash, hash),
    eq(phoneCodeTable.used, false),
    gt(phoneCodeTable.expires_at, sql`now()`),
  );

export function createPhoneCodes(secret: string, attempts: Attempts): PhoneCodes {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gongdan phone code', 32));
  const hashed = (target: string, scene: Scene, code: string, owner = 0) =>
    createHmac('sha256', key).update(`${scene}:${target}:${owner}:${code}`).digest('hex');
  const spend = async (limit: Limit, subject: string) => {
    const tries = await attempts.hit(limit, subject);
    if (tries.exceeded) throw tooMany('获取验证码', tries.retryAfter);
  };
  return {
    async needsChallenge(asker, scene) {
      const of = limitOf(asker, scene);
      return of !== null && (await attempts.look(of.limit, of.subject)).count >= freeOfChallenge;
    },
    async count(target, scene, asker) {
      const { device = null } = asker;
      const most = dayOfHouse(scene);
      const left = await attempts.look(most, leaving);
      if (left.count >= most.limit) throw tooMany('获取验证码', left.retryAfter);
      const of = limitOf(asker, scene);
      if (of) await spend(of.limit, of.subject);
      for (const limit of scene === 'order' ? [outside.phone, ...perPhone] : perPhone)
        await spend(limit, `${scene}:${target}`);
      await attempts.forget(guesses.kind, guesser(target, scene, null));
      if (device !== null) await attempts.forget(guesses.kind, guesser(target, scene, device));
    },
    async countLeaving(reachable, scene) {
      await attempts.hit(dayOfHouse(scene), reachable ? leaving : 'nobody');
    },
    async issue(tx, target, scene, owner) {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const kept = {
        hash: hashed(target, scene, code, owner),
        expires_at: sql`now() + make_interval(secs => ${codeSeconds})`,
        used: false,
      };
      await tx
        .insert(phoneCodeTable)
        .values({ target, scene, ...kept })
        .onConflictDoUpdate({ target: [phoneCodeTable.target, phoneCodeTable.scene], set: kept });
      return code;
    },
    async guess(target, scene, device = null) {
      if ((await attempts.hit(guesses, guesser(target, scene, device))).exceeded) throw wrongCode();
    },
    takeBack: (target, scene, device = null) => attempts.giveBack(guesses.kind, guesser(target, scene, device)),
    async fits(db, target, scene, code) {
      const live = liveCode(target, scene, hashed(target, scene, code));
      return (await db.select({ target: phoneCodeTable.target }).from(phoneCodeTable).where(live)).length > 0;
    },
    async use(tx, target, scene, code, owner) {
      const rows = await tx
        .update(phoneCodeTable)
        .set({ used: true })
        .where(liveCode(target, scene, hashed(target, scene, code, owner)))
        .returning({ target: phoneCodeTable.target });
      if (rows.length === 0) throw wrongCode();
    },
  };
}

declare module '#kernel/server/services.ts' {
  interface Services {
    sendCode: SendCode;
    /** Returns whether codes can be sent by text message. */
    codesLeave(): Promise<boolean>;
  }
}
