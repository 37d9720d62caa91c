import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { deliveryOf, post } from '#modules/platform/deliveries/service.ts';
import { pushedApplications, type Pushed } from '#modules/platform/tokens/service.ts';
import { ticketEventPushTable } from '../tables/stream.ts';
import { eventsAfter } from './events.ts';
import { placeEvents } from './placing.ts';

/** Events in one message. */
const together = 100;

/**
 * Delivers events to the applications that have an address: one message at a time for each, the next only after the previous one has arrived, so that
 * the order is kept. A failed message is in the delivery log and holds back the rest until somebody sends it again. An application that is stopped,
 * or whose person may not sign in, receives nothing meanwhile, and the rest afterwards.
 */
export async function pushEvents(tx: Db): Promise<boolean> {
  const applications = await pushedApplications(tx);
  const last = await placeEvents(tx);
  let more = false;
  for (const application of applications) more = (await pushTo(tx, application, last)) || more;
  return more;
}

async function pushTo(tx: Db, { id, name, url, key, viewer }: Pushed, last: number): Promise<boolean> {
  // A new application starts with the next event.
  await tx.insert(ticketEventPushTable).values({ token_id: id, position: last, upto: last }).onConflictDoNothing();
  const own = eq(ticketEventPushTable.token_id, id);
  const [pushed] = await tx.select().from(ticketEventPushTable).where(own).for('update');
  if (!pushed) return false;
  const state = pushed.delivery_id === null ? undefined : (await deliveryOf(tx, pushed.delivery_id))?.state;
  if (state !== undefined && state !== 'sent' && state !== 'cancelled') return false;
  // A message that was withdrawn, or is gone unsent, is delivered once more.
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
  // A stretch of events that it may not see was skipped.
  return letter === null && cursor < last && cursor > after;
}
