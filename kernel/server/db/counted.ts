import { sql, type SQL } from 'drizzle-orm';
import type { Db } from './db.ts';

/** What uses a row or is in it, in words: how many there are of each, by how it is counted (份文件). */
export async function countedIn(
  tx: Db,
  counted: Readonly<Record<string, (id: number) => SQL>>,
  id: number,
): Promise<string[]> {
  const units = Object.keys(counted);
  if (units.length === 0) return [];
  const parts = Object.values(counted).map((count) => sql`(${count(id)})::int`);
  const { rows } = await tx.execute<{ counts: number[] }>(sql`select array[${sql.join(parts, sql`, `)}] counts`);
  return units.flatMap((unit, at) => (rows[0]!.counts[at]! > 0 ? [`${rows[0]!.counts[at]!} ${unit}`] : []));
}
