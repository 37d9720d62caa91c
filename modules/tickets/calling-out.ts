import type { Db } from '#kernel/server/db.ts';
import { post } from '#modules/deliveries/service.ts';
import { calledBy, stateOf } from '#modules/workflows/engine/definition.ts';
import { noticeWays, type Version } from '#modules/workflows/service.ts';
import type { LogEntry, TicketState } from './engine/state.ts';

interface Ticket {
  id: number;
  sn: string;
  version: Pick<Version, 'definition'>;
}

/**
 * Calls the other systems whose states a ticket came into, once a visit: signed, with the whole form, in the same transaction. Nobody waits
 * for them; tries and answers are told by the deliveries.
 */
export async function callOut(tx: Db, ticket: Ticket, state: TicketState, log: readonly LogEntry[]): Promise<void> {
  const { definition } = ticket.version;
  const calls = log.flatMap((entry) =>
    entry.events.flatMap((event) => {
      if (event.type !== 'token_entered') return [];
      const { id, name } = stateOf(definition, event.state_id);
      return calledBy(stateOf(definition, id)).map((hook) => ({
        hook,
        id,
        name,
        visit: `${entry.seq}:${event.token}-${event.visit}`,
      }));
    }),
  );
  if (calls.length === 0) return;
  const ways = await noticeWays(
    tx,
    calls.map((call) => call.hook),
  );
  const { title, act_state, form } = state;
  const data = { id: ticket.id, sn: ticket.sn, title, workflow: definition.name, act_state, form };
  const parcels = calls.flatMap((call) =>
    ways
      .filter((way) => way.id === call.hook && way.channel === 'hook')
      .map((way) => ({
        channel: way.channel,
        target: way.url,
        title: `${call.name}：${title}`,
        body: {
          payload: { type: 'ticket.state', data: { ...data, state: call.name } },
          ...(way.secret && { secret: way.secret }),
        },
        key: `ticket:${ticket.id}:state:${call.id}:${call.visit}`,
        module: 'tickets',
        objectId: ticket.id,
      })),
  );
  if (parcels.length > 0) await post(tx, parcels);
}
