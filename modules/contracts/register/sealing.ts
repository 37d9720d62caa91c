import type { Db } from '#kernel/server/db/db.ts';

/** How far the sealing of a contract is: the application, and whether it was sealed. */
export interface Sealing {
  application_id: number | null;
  sealed: boolean;
}
type Asks = (tx: Db, contractId: number) => Promise<Sealing>;
let asked: Asks | null = null;

/** Names who knows of sealings; without anybody nothing is required of them. */
export function sealingsBy(asks: Asks): void {
  asked = asks;
}
/** Null where nobody keeps seals. */
export const sealingOf = async (tx: Db, contractId: number): Promise<Sealing | null> =>
  asked === null ? null : asked(tx, contractId);
