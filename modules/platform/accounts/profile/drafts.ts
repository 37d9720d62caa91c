import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '#kernel/server/db/db.ts';
import { draftTooBig } from '../contract.ts';
import { draftTable as d } from '../tables.ts';

const mostBytes = 256 * 1024;
/** Limit for one person; the oldest are removed. */
const mostDrafts = 50;
const oldest = sql`now() - interval '30 days'`;

/** A person's unsent input of a form; null if there is none. */
export async function draftOf(tx: Db, userId: number, key: string): Promise<z.core.util.JSONType> {
  const [kept] = await tx
    .select({ value: d.value })
    .from(d)
    .where(and(eq(d.user_id, userId), eq(d.key, key), gt(d.kept_at, oldest)));
  return (kept?.value ?? null) as z.core.util.JSONType;
}

/** Stores it; null deletes it. Also deletes expired drafts. */
export async function keepDraft(tx: Db, userId: number, key: string, value: unknown): Promise<void> {
  const mine = eq(d.user_id, userId);
  if (value === null) return void (await tx.delete(d).where(and(mine, eq(d.key, key))));
  if (Buffer.byteLength(JSON.stringify(value)) > mostBytes) throw draftTooBig();
  const kept_at = sql`now()`;
  await tx
    .insert(d)
    .values({ user_id: userId, key, value, kept_at })
    .onConflictDoUpdate({ target: [d.user_id, d.key], set: { value, kept_at } });
  await tx.delete(d).where(lt(d.kept_at, oldest));
  const beyond = tx.select({ key: d.key }).from(d).where(mine).orderBy(desc(d.kept_at)).offset(mostDrafts);
  await tx.delete(d).where(and(mine, inArray(d.key, beyond)));
}
