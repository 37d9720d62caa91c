import { randomBytes } from 'node:crypto';
import type { Db } from '#kernel/server/db/db.ts';
import { pathOf } from '#kernel/contract/call.ts';
import { post, type Payload } from '#modules/platform/deliveries/service.ts';
import { fieldAccess } from '#modules/workflow/workflows/engine/codes.ts';
import { saidOfColumn, valueWithin } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { awaitedIn, calledBy, stateOf, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { noticeWays, type NoticeWay, type Version } from '#modules/workflow/workflows/service.ts';
import { answering } from '../contract/answering.ts';
import type { LogEntry, TicketState } from '../engine/state.ts';
import { ticketInquiryTable } from '../tables/inquiry.ts';

interface Ticket {
  id: number;
  sn: string;
  version: Pick<Version, 'definition'>;
}
/** One stay in a state that calls another system. */
interface Stay {
  state: State;
  notice: number;
  token: number;
  visit: number;
  seq: number;
}

/**
 * Calls the other systems of the states a ticket entered, once for each stay: signed, in the same transaction, with the form except what the state
 * hides. If the state waits for an answer, a single-use token goes along; attempts are recorded by the deliveries.
 */
export async function callOut(tx: Db, ticket: Ticket, state: TicketState, log: readonly LogEntry[]): Promise<void> {
  const stays = staysIn(ticket, log);
  if (stays.length === 0) return;
  const found = await noticeWays(
    tx,
    stays.map((stay) => stay.notice),
  );
  const ways = new Map(found.flatMap((way) => (way.channel === 'hook' ? [[way.id, way] as const] : [])));
  const payloads: Payload[] = [];
  const asked: (typeof ticketInquiryTable.$inferInsert)[] = [];
  for (const stay of stays) {
    const way = ways.get(stay.notice);
    const wants = awaitedIn(stay.state);
    const nonce = wants === null ? null : randomBytes(24).toString('base64url');
    const payload = way && payloadFor(ticket, state, stay, way, nonce === null ? null : { nonce, wants });
    if (payload) payloads.push(payload);
    if (nonce === null) continue;
    const { token: token_no, visit, notice: notice_id } = stay;
    const delivery_key = payload?.key ?? null;
    asked.push({ ticket_id: ticket.id, token_no, visit, state_id: stay.state.id, notice_id, nonce, delivery_key });
  }
  if (asked.length > 0) await tx.insert(ticketInquiryTable).values(asked);
  if (payloads.length > 0) await post(tx, payloads);
}

function staysIn({ version: { definition } }: Ticket, log: readonly LogEntry[]): Stay[] {
  return log.flatMap(({ events, seq }) =>
    events.flatMap((event) => {
      if (event.type !== 'token_entered') return [];
      const { token, visit } = event;
      const state = stateOf(definition, event.state_id);
      return calledBy(state).map((notice) => ({ state, notice, token, visit, seq }));
    }),
  );
}

/** The form without the fields and columns that a state hides. */
function toldIn(state: State, { fields }: Version['definition'], form: TicketState['form']): TicketState['form'] {
  const told = fields.flatMap((field) => {
    const { key, columns } = field;
    if (!Object.hasOwn(form, key) || state.access[key] === fieldAccess.hidden) return [];
    const open = columns.filter((column) => saidOfColumn(state, key, column.key) !== fieldAccess.hidden);
    const seen = new Map(open.map((column) => [column.key, fieldAccess.read] as const));
    return [[key, valueWithin(field, seen, form[key])] as const];
  });
  return Object.fromEntries(told);
}

function payloadFor(
  ticket: Ticket,
  { title, act_state, form }: TicketState,
  { state, seq, token, visit }: Stay,
  way: NoticeWay,
  answer: { nonce: string; wants: string | null } | null,
): Payload {
  const data = {
    id: ticket.id,
    sn: ticket.sn,
    title,
    workflow: ticket.version.definition.name,
    act_state,
    form: toldIn(state, ticket.version.definition, form),
    state: state.name,
    ...(answer && { answer: { ...answer, path: pathOf(answering.callBack, { id: ticket.id }) } }),
  };
  return {
    channel: way.channel,
    target: way.url,
    title: `${state.name}：${title}`,
    body: { payload: { type: 'ticket.state', data }, ...(way.secret && { secret: way.secret }) },
    key: `ticket:${ticket.id}:state:${state.id}:${seq}:${token}-${visit}`,
    module: 'tickets',
    objectId: ticket.id,
  };
}
