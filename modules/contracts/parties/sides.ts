import { asc, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { contractSideTable } from '../tables.ts';

/** The other sides of a contract, in their order. */
export const sidesOf = (tx: Db, contractId: number) =>
  tx
    .select()
    .from(contractSideTable)
    .where(eq(contractSideTable.contract_id, contractId))
    .orderBy(asc(contractSideTable.no));
