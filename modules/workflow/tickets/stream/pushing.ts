import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { deliveryOf, post } from '#modules/platform/deliveries/service.ts';
import { pushedApplications, type Pushed } from '#modules/platform/tokens/service.ts';
import { ticketEventPushTable } from '../tables/stream.ts';
import { eventsAfter } from './events.ts';
import { placeEvents } from './placing.ts';

/** Events in one letter. */
const together = 100;

/**
 * Brings events to the applications that have an address: one letter at a time each, the next only once the one before has arrived, so that
 * none overtakes another. One that is given up stands in the delivery log and holds the rest until somebody sends it again. An application
 * whose person may not come in, or that was stopped, hears nothing meanwhile, and the rest afterwards.
 */
export async function pushEvents(tx: Db): Promise<boolean> {
  const applications = await pushedApplications(tx);
  const last = await placeEvents(tx);
  let more = false;
  for (const application of applications) more = (await pushTo(tx, application, last)) || more;
  return more;
}

async function pushTo(tx: Db, { id, name, url, key, viewer }: Pushed, last: number): Promise<boolean> {
  // Who is new to it begins with what happens from now on.
  await tx.insert(ticketEventPushTable).values({ token_id: id, position: last, upto: last }).onConflictDoNothing();
  const own = eq(ticketEventPushTable.token_id, id);
  const [pushed] = await tx.select().from(ticketEventPushTable).where(own).for('update');
  if (!pushed) return false;
  const state = pushed.delivery_id === null ? undefined : (await deliveryOf(tx, pushed.delivery_id))?.state;
  if (state !== undefined && state !== 'sent' && state !== 'cancelled') return false;
  // What was called back, or whose letter is gone unsent, is brought once more.
  const after = state === 'sent' ? pushed.upto : pushed.position;
  const { value, cursor } = await eventsAfter(tx, viewer, { after, last, limit: together });
  const turn = pushed.turn + 1;
  const letter =
    value.length === 0
      ? null
      : await post(tx, [
          {
            channel: 'hook',
            target: url,
            title: `工单事件 ${value[0]!.position}–${cursor}：${name}`,
            body: { payload: { type: 'ticket.events', data: { value, cursor } }, secret: key },
            key: `events:${id}:${turn}`,
            module: 'tokens',
            objectId: id,
          },
        ]);
  const moved = letter === null ? { position: cursor, upto: cursor } : { position: after, upto: cursor, turn };
  await tx
    .update(ticketEventPushTable)
    .set({ ...moved, delivery_id: letter?.[0] ?? null })
    .where(own);
  // Of what it may not see a stretch was passed over.
  return letter === null && cursor < last && cursor > after;
}
