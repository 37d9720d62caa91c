import type { Db } from '#kernel/server/db/db.ts';
import { post, type Payload } from '#modules/platform/deliveries/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { noticeWays, type NoticeWay, type Version } from '#modules/workflow/workflows/service.ts';
import { bringBy } from '../cards/bringing.ts';
import type { NewsEvent } from '../engine/words/news.ts';
import type { TicketState } from '../engine/state.ts';

/** One message that people received about a ticket. */
export interface Said {
  event: NewsEvent;
  title: string;
  content: string;
  people: readonly number[];
}
interface Ticket {
  id: number;
  sn: string;
  version: Pick<Version, 'definition'>;
  /** Path of its page. */
  webPath: string;
}

/** Sends the messages by the external channels that the workflow names, in the same transaction. */
export async function sendOut(
  tx: Db,
  ticket: Ticket,
  state: TicketState,
  at: string,
  said: readonly Said[],
): Promise<void> {
  const { settings, name: workflow } = ticket.version.definition;
  if (settings.notices.length === 0) return;
  const all = await noticeWays(tx, settings.notices);
  const notices = all.filter((way) => way.app !== null).map((way) => way.id);
  const { id, sn, webPath: path } = ticket;
  const { seq, title } = state;
  if (notices.length > 0) await bringBy(tx, { ticket: id, sn, seq, title, said, notices, path });
  const ways = all.filter((way) => way.app === null);
  if (said.length === 0 || ways.length === 0) return;
  const people = await peopleById(
    tx,
    said.flatMap((one) => one.people),
  );
  const payloads = said.flatMap((one) =>
    ways.map((way): Payload => {
      const event = one.event.toLowerCase();
      const usernames = one.people.flatMap((id) => people.get(id)?.username ?? []);
      const data = {
        id: ticket.id,
        sn: ticket.sn,
        title: state.title,
        workflow,
        state: at,
        act_state: state.act_state,
      };
      return {
        channel: way.channel,
        target: way.url,
        title: one.title,
        body: bodyFor(way, one, ticket.webPath, { type: `ticket.${event}`, data: { ...data, people: usernames } }),
        key: `ticket:${ticket.id}:${state.seq}:${event}:${way.id}`,
        module: 'tickets',
        objectId: ticket.id,
      };
    }),
  );
  await post(tx, payloads);
}

function bodyFor({ channel, secret }: NoticeWay, said: Said, path: string, payload: object): object {
  const sealed = secret ? { secret } : {};
  return channel === 'hook' ? { payload, ...sealed } : { text: said.content, path, ...sealed };
}
