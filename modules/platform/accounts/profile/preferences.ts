import { and, count, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '#kernel/server/db/db.ts';
import { preferenceTooBig, tooManyPreferences } from '../contract.ts';
import { preferenceTable } from '../tables.ts';

const mostBytes = 64 * 1024;
const mostKeys = 200;

type Json = z.core.util.JSONType;

/** A person's preferences by key; only one if a key is given. */
export async function preferencesOf(tx: Db, userId: number, key: string | undefined): Promise<Record<string, Json>> {
  const mine = eq(preferenceTable.user_id, userId);
  const rows = await tx
    .select()
    .from(preferenceTable)
    .where(key ? and(mine, eq(preferenceTable.key, key)) : mine);
  return Object.fromEntries(rows.map((row) => [row.key, row.value as Json]));
}

/** Stores one value; null deletes it. */
export async function keepPreference(tx: Db, userId: number, key: string, value: Json): Promise<void> {
  const at = and(eq(preferenceTable.user_id, userId), eq(preferenceTable.key, key));
  if (value === null) return void (await tx.delete(preferenceTable).where(at));
  if (Buffer.byteLength(JSON.stringify(value)) > mostBytes) throw preferenceTooBig(key);
  await tx
    .insert(preferenceTable)
    .values({ user_id: userId, key, value })
    .onConflictDoUpdate({ target: [preferenceTable.user_id, preferenceTable.key], set: { value } });
  const [kept] = await tx.select({ keys: count() }).from(preferenceTable).where(eq(preferenceTable.user_id, userId));
  if ((kept?.keys ?? 0) > mostKeys) throw tooManyPreferences();
}
