import { Refusal } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Standing } from '#modules/platform/links/service.ts';
import { seenBy } from '../commands/commands.ts';
import { offersTo } from '../visibility/delegation.ts';
import { rowsOf } from '../read/cards.ts';
import { wired } from '../read/detail.ts';

/** A ticket with what determines a person's actions on it; null if they do not see it. */
export const seenOrNot = (tx: Db, user: Viewer, ticketId: number) =>
  seenBy(tx, user, ticketId, false).catch((stop: unknown) => {
    if (stop instanceof Refusal) return null;
    throw stop;
  });

/** A ticket's state, and what somebody may do with it there. */
export async function standingOf(tx: Db, user: Viewer, ticketId: number): Promise<Standing | null> {
  const seen = await seenOrNot(tx, user, ticketId);
  if (!seen) return null;
  const [row] = await rowsOf(tx, [ticketId], seen.reader);
  const offers = await wired(tx, seen, user.id, offersTo(seen, seen.reader));
  return {
    state: row!.act_state_name,
    step: row!.state.state_name,
    waits: row!.participant_info.participant_alias,
    may: [...new Set(offers.map((offer) => offer.transition_name))],
  };
}
