import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';

/** Undoes what the work has written, and only that, when it throws. */
export async function alone<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint alone`);
  try {
    const result = await work();
    await tx.execute(sql`release savepoint alone`);
    return result;
  } catch (stop) {
    await tx.execute(sql`rollback to savepoint alone`);
    throw stop;
  }
}
