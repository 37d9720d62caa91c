import { sql } from 'drizzle-orm';
import { Refusal } from '#kernel/contract/refusal.ts';
import { databaseFault, type Db } from '#kernel/server/db/db.ts';

/** Undoes what the work has written, and only that, when it throws. */
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

/** Hears of a ticket that what happens by itself cannot be done to. */
export type Broken = (error: Error, ticket: number) => void;

/** Faults of a moment: a lost connection, a deadlock, a lock held by others, a database going down. */
const passing = /^(08|40|53|55|57)/;

/** Does what happens to one ticket by itself, so that neither a refusal nor a fault of that ticket stops the others. */
export async function inSavepoint(
  tx: Db,
  of: { ticket: number; broken: Broken },
  work: () => Promise<void>,
): Promise<void> {
  await savepoint(tx, work).catch((stop: unknown) => {
    if (stop instanceof Refusal) return;
    if (passing.test(databaseFault(stop)?.code ?? '')) throw stop;
    of.broken(stop as Error, of.ticket);
  });
}
