import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { fileReply, type Call } from '#kernel/contract/call.ts';
import { codes, invalid, refusal } from '#kernel/contract/refusal.ts';
import { sendAlong, type Db } from '../db/db.ts';
import type { Incoming, UploadedFile } from './implement.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { idempotencyTable, longestKey } from '../db/tables.ts';
import type { Viewer } from '../access/viewer.ts';

export const keyReused = refusal(
  codes.refused,
  () => '刚才的提交已经成功，之后的修改没有提交；请先核对已提交的内容，确要另外提交请再试一次',
  () => ({ sent_before: true }),
);

export const shownBefore = refusal(
  codes.refused,
  () => '刚才的提交已经成功，结果只显示一次；没有看到的，请重置后再取，或重新操作一次',
  () => ({ sent_before: true }),
);

export interface Attempt {
  userId: number;
  key: string;
  call: string;
  /** 64 hexadecimal digits of everything the caller sent: a keyed hash, because a password may be in it. */
  fingerprint: string;
  /** The answer holds a secret and is not kept: a repeat is refused. */
  shownOnce: boolean;
}

/** Null if nothing is kept: no key was sent, or it is not a write that answers with an envelope. */
export function attemptOf(
  keyedHash: SecretBox['keyedHash'],
  call: Call,
  { accessToken, idempotencyKey, path }: { accessToken: string | null; idempotencyKey: string | null; path: string },
  user: Viewer | null,
  { params, query, body, file, incoming }: Sent,
): Attempt | null {
  const kept = accessToken === null && call.method !== 'GET' && call.reply !== fileReply;
  if (idempotencyKey === null || !user || !kept) return null;
  return {
    userId: user.id,
    key: keyIn(idempotencyKey),
    call: `${call.method} ${path}`,
    fingerprint: keyedHash(JSON.stringify([params ?? null, query ?? null, body ?? null, ...named(file ?? incoming)])),
    shownOnce: call.shownOnce ?? false,
  };
}

/** The key in a header: bare, or quoted as a string of structured fields, which is the same key. Refused if malformed. */
function keyIn(header: string): string {
  const [, quoted, bare] = /^(?:"((?:[!#-[\]-~]|\\["\\])+)"|([!#-~]+))$/.exec(header) ?? [];
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '';
  if (key.length >= 1 && key.length <= longestKey) return key;
  throw invalid([
    {
      field: 'Idempotency-Key',
      label: '提交编号',
      msg: `请用 1–${longestKey} 个字母、数字或半角符号，不含空格`,
    },
  ]);
}

interface Sent {
  params: unknown;
  query: unknown;
  body: unknown;
  file?: UploadedFile | undefined;
  incoming?: Incoming | undefined;
}

/** A stream is identified by its name alone, because its bytes can be read only once. */
function named(file: UploadedFile | Incoming | undefined): string[] {
  if (!file) return [];
  return 'bytes' in file ? [file.name, createHash('sha256').update(file.bytes).digest('hex')] : [file.name];
}

/** The kept answer of a write that was done already; null if it was not. Refuses a key that was used for something else. */
export async function keptAnswer(db: Db, attempt: Attempt): Promise<{ answer: unknown } | null> {
  const [kept] = await db.select().from(idempotencyTable).where(mine(attempt));
  if (!kept) return null;
  if (kept.call !== attempt.call || kept.fingerprint !== attempt.fingerprint) throw keyReused();
  if (attempt.shownOnce) throw shownBefore();
  return { answer: kept.answer };
}

/**
 * Answers a write once for each person and key: the first request runs `work` and keeps its answer in the same transaction; a repeat gets the kept
 * answer, or is refused if that was shown once. A parallel repeat waits on the key until the first has committed.
 */
export async function once<T>(tx: Db, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  const claimed = await tx
    .insert(idempotencyTable)
    .values({
      user_id: attempt.userId,
      key: attempt.key,
      call: attempt.call,
      fingerprint: attempt.fingerprint,
      answer: null,
    })
    .onConflictDoNothing()
    .returning({ key: idempotencyTable.key });
  if (claimed.length === 0) {
    const kept = await keptAnswer(tx, attempt);
    if (!kept) throw keyReused();
    return kept.answer as T;
  }
  const answer = await work();
  if (!attempt.shownOnce) await sendAlong(tx, tx.update(idempotencyTable).set({ answer }).where(mine(attempt)));
  return answer;
}

function mine({ userId, key }: Attempt) {
  return and(eq(idempotencyTable.user_id, userId), eq(idempotencyTable.key, key));
}
