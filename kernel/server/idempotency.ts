import { and, eq } from 'drizzle-orm';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import type { Db } from './db.ts';
import { idempotencyTable } from './tables.ts';

export const keyReused = refusal(codes.refused, () => '这次提交的编号已用于另一项内容，请刷新页面后重新提交');

export interface Attempt {
  userId: number;
  key: string;
  call: string;
  /** 64 hexadecimal digits of everything the caller sent: keyed, for what was sent may hold a password. */
  fingerprint: string;
}

/**
 * Answers a write once per person and key: the first runs `work` and keeps its answer in the same transaction, a repeat
 * gets the kept answer. A parallel repeat waits on the key until the first has committed.
 */
export async function once<T>(tx: Db, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  const claimed = await tx
    .insert(idempotencyTable)
    .values({
      userId: attempt.userId,
      key: attempt.key,
      call: attempt.call,
      fingerprint: attempt.fingerprint,
      answer: null,
    })
    .onConflictDoNothing()
    .returning({ key: idempotencyTable.key });
  const mine = and(eq(idempotencyTable.userId, attempt.userId), eq(idempotencyTable.key, attempt.key));
  if (claimed.length === 0) {
    const [kept] = await tx.select().from(idempotencyTable).where(mine);
    if (!kept || kept.call !== attempt.call || kept.fingerprint !== attempt.fingerprint) throw keyReused();
    return kept.answer as T;
  }
  const answer = await work();
  await tx.update(idempotencyTable).set({ answer }).where(mine);
  return answer;
}
