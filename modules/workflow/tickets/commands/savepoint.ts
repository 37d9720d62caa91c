import { Refusal } from '#kernel/contract/refusal.ts';
import { savepoint, databaseFault, type Db } from '#kernel/server/db/db.ts';

/** Receives a ticket for which automatic work failed. */
export type Broken = (error: Error, ticket: number) => void;

/** Temporary faults: a lost connection, a deadlock, a lock held by others, a database going down. */
const passing = /^(08|40|53|55|57)/;

/** Does automatic work on one ticket so that neither a refusal nor a fault of that ticket stops the others. */
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
