import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';

const portion = 1000;

/** Removes counted tries whose window is over and answered writes older than a day, one portion of each; true if more may be left. */
export async function purgeSpent(tx: Db): Promise<boolean> {
  const tries = await tx.execute(sql`
    delete from attempt where (kind, subject) in (
      select kind, subject from attempt where expires_at < now() limit ${portion} for update skip locked)`);
  const writes = await tx.execute(sql`
    delete from idempotency_record where (user_id, key) in (
      select user_id, key from idempotency_record where gmt_created < now() - interval '1 day'
      limit ${portion} for update skip locked)`);
  return tries.rowCount === portion || writes.rowCount === portion;
}
