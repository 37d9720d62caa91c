import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';

/** Undoes what the work has written, and only that, when it throws; locks that it took are let go with it. */
export async function savepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint alone`);
  try {
    const result = await work();
    await tx.execute(sql`release savepoint alone`);
    return result;
  } catch (stop) {
    await tx.execute(sql`rollback to savepoint alone`);
    // Otherwise work around this one would be undone only as far as here.
    await tx.execute(sql`release savepoint alone`);
    throw stop;
  }
}
