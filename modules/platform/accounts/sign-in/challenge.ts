import { hkdfSync } from 'node:crypto';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '#kernel/server/db/db.ts';
import { Challenge } from '../contract.ts';
import { usedChallengeTable } from '../tables.ts';

const livesSeconds = 300;
/** Numbers a browser tries: about half a second at a cost of one hash each. */
const keys = { least: 40_000, most: 120_000 };

const Payload = z.object({
  challenge: Challenge,
  solution: z.looseObject({ counter: z.number(), derivedKey: z.string() }),
});

export interface Challenges {
  /** A challenge that costs `work` times the least. */
  create(work: number): Promise<z.output<typeof Challenge>>;
  /** Returns whether a payload proves that much work for a challenge of ours that is neither too old nor used before; uses it up. */
  accept(payload: string | undefined, work: number): Promise<boolean>;
}

/** Proof of work instead of a picture: nobody has to read anything, and guessing costs the guesser time. */
export function createChallenges(secret: string, write: <T>(run: (tx: Db) => Promise<T>) => Promise<T>): Challenges {
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `gongdan ${purpose}`, 32)).toString('hex');
  const signing = { hmacSignatureSecret: derived('challenge'), hmacKeySignatureSecret: derived('challenge key') };

  const proves = async (payload: z.output<typeof Payload>): Promise<boolean> => {
    if (!payload.challenge.parameters.expiresAt) return false;
    const checked = await verifySolution({ ...payload, deriveKey, ...signing } as Parameters<typeof verifySolution>[0]);
    return checked.verified;
  };

  return {
    async create(work) {
      const made = await createChallenge({
        algorithm: 'SHA-256',
        cost: work,
        counter: randomInt(keys.most, keys.least),
        deriveKey,
        expiresAt: Math.floor(Date.now() / 1000) + livesSeconds,
        ...signing,
      });
      return Challenge.parse(made);
    },
    async accept(text, work) {
      const payload = text && read(text);
      if (!payload || payload.challenge.parameters.cost < work || !(await proves(payload).catch(() => false)))
        return false;
      const { signature } = payload.challenge;
      return write(async (tx) => {
        await tx.delete(usedChallengeTable).where(lt(usedChallengeTable.expires_at, sql`now()`));
        const kept = await tx
          .insert(usedChallengeTable)
          .values({ signature, expires_at: sql`now() + make_interval(secs => ${livesSeconds + 60})` })
          .onConflictDoNothing()
          .returning();
        return kept.length > 0;
      });
    },
  };
}

function read(text: string): z.output<typeof Payload> | null {
  try {
    return Payload.safeParse(JSON.parse(Buffer.from(text, 'base64').toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
