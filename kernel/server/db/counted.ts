import { sql, type SQL } from 'drizzle-orm';
import type { Db } from './db.ts';

/** Describes in words what uses a row or is in it: the number of each kind with its counter (份文件). */
export async function countedIn(
  tx: Db,
  counted: Readonly<Record<string, (id: number, tx: Db) => SQL>>,
  id: number,
): Promise<string[]> {
  const units = Object.keys(counted);
  if (units.length === 0) return [];
  const parts = Object.values(counted).map((count) => sql`(${count(id, tx)})::int`);
  const { rows } = await tx.execute<{ counts: number[] }>(sql`select array[${sql.join(parts, sql`, `)}] counts`);
  return units.flatMap((unit, at) => (rows[0]!.counts[at]! > 0 ? [`${rows[0]!.counts[at]!} ${unit}`] : []));
}
