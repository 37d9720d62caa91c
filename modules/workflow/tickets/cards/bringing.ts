import type { Db } from '#kernel/server/db/db.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import type { Said } from '../notify/sending-out.ts';

export const bringCards = 'ticket cards';

/** What a turn of a ticket gives to bring by applications: what people are told, and by which of them. */
export interface Errand {
  ticket: number;
  /** Of the turn, so that each is brought once. */
  seq: number;
  said: readonly Said[];
  notices: readonly number[];
  /** The page of the ticket, or of what it decides. */
  path: string;
  /** What stood for its number while it had none: in all that was said. */
  sn: string;
  /** As it may be said outside. */
  title: string;
}

/** Leaves it to a job: a card is made for each person with what they see, and those of before are put right. */
export const bringBy = (tx: Db, errand: Errand): Promise<void> =>
  enqueue(tx, bringCards, errand, { queue: `${bringCards}:${errand.ticket % 4}` });
