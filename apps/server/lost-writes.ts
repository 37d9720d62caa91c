import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { AcknowledgedWrites } from '#kernel/server/live/acknowledged.ts';

const prefix = 'lost-writes-';
const titles = ['时间', '操作人', '操作', '地址', '请求编号'];
const oneLine = (text: string) => text.replace(/\s+/gu, ' ');

/**
 * Records which of the writes that this node confirmed are missing in the present database, by the operation log: a tab-separated table in the node's
 * folder. Null if the database has them all.
 */
export async function writeLostWrites(
  { fresh }: Pick<Databases, 'fresh'>,
  { all }: Pick<AcknowledgedWrites, 'all'>,
  { folder, at }: { folder: string; at: string },
): Promise<{ count: number; file: string } | null> {
  const known = all();
  const ids = known.map(({ traceId }) => traceId);
  // Writes from more than an hour before the first of them, by the database's own clock, cannot be among them.
  const since = known[0]?.at;
  if (since === undefined) return null;
  const { rows } = await fresh.execute<{ trace_id: string }>(sql`select distinct trace_id from log
    where gmt_created > ${since}::timestamptz - interval '1 hour' and trace_id = any(${sql.param(ids)}::text[])`);
  const there = new Set(rows.map((row) => row.trace_id));
  const lost = known.filter(({ traceId }) => !there.has(traceId));
  if (lost.length === 0) return null;
  const lines = lost.map(({ at: when, who, what, path, traceId }) => [when, who, what, path, traceId].map(oneLine));
  mkdirSync(folder, { recursive: true });
  // Several nodes may share a folder, and meet the same database in the same second.
  const file = join(folder, `${prefix}${at.replace(/\D/g, '')}-${randomUUID().slice(0, 8)}.tsv`);
  writeFileSync(file, `${[titles, ...lines].map((line) => line.join('\t')).join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  return { count: lost.length, file };
}

/** The lists of lost writes in a node's folder; each stays until the administrator who dealt with it deletes it. */
export function findLostWrites(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .toSorted()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
