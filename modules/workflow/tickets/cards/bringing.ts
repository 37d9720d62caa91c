import type { Db } from '#kernel/server/db/db.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import type { Said } from '../notify/sending-out.ts';

export const bringCards = 'ticket cards';

/** The items a ticket event gives applications to deliver: the messages and the channels. */
export interface Errand {
  ticket: number;
  /** Number of the event, so that each is delivered once. */
  seq: number;
  said: readonly Said[];
  notices: readonly number[];
  /** The page of the ticket, or of the record it decides. */
  path: string;
  /** The placeholder used for its number before it had one, in all messages. */
  sn: string;
  /** Its title as it may be shown outside. */
  title: string;
}

/** Queues a job that makes a card for each person with what they see, and updates the earlier cards. */
export const bringBy = (tx: Db, errand: Errand): Promise<void> =>
  enqueue(tx, bringCards, errand, { queue: `${bringCards}:${errand.ticket % 4}` });
