import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { timestamp } from '#kernel/contract/shapes.ts';

/** The requested events are no longer kept; the reply names the oldest one that is. */
export const eventsGone = refusal(
  codes.refused,
  (after: number, oldest: number) =>
    `游标 ${after} 之后的事件有一部分已过保留期，请核对工单后从 ${oldest} 继续读取（after=${oldest}）`,
  (_after, oldest) => ({ oldest }),
);
/** The cursor comes from another database, or from this one before it was restored. */
export const eventsAhead = refusal(
  codes.refused,
  (after: number, last: number) =>
    `游标 ${after} 比最新的事件 ${last} 还大，本系统可能恢复过备份，请核对工单后重新开始读取`,
  (_after, last) => ({ last }),
);

const int = z.number().int();
const At = z.object({ id: int, name: z.string() });

/** One event of a ticket, never changed afterwards; the form is read from the ticket itself. */
const TicketEvent = z.object({
  /** Grows from event to event; events visible only to others are skipped. */
  position: int,
  at: timestamp,
  ticket_id: int,
  /** Number of the row in the ticket's log, from 1. */
  seq: int,
  sn: z.string(),
  /** The present title. */
  title: z.string(),
  workflow_id: int,
  workflow_name: z.string(),
  /** As in the ticket's log: `create`, `handle`, `retreat`, `close`, `timer` and the like, and the button's name. */
  action: z.string(),
  action_name: z.string(),
  transition_id: int.nullable(),
  from_state: At,
  to_state: At,
  /** The ticket's new state; null if unchanged. */
  act_state_id: int.nullable(),
  /** User names: who did it (null: the system), on whose behalf, and who is asked now. */
  actor: z.string().nullable(),
  on_behalf_of: z.string().nullable(),
  asked: z.array(z.string()),
  /** The channel, if it was not done on a page. */
  via: z.string(),
  suggestion: z.string(),
  /** The record that the ticket decides. */
  module: z.string().nullable(),
  record_id: int.nullable(),
});
export type TicketEvent = z.output<typeof TicketEvent>;

/** The most events in one reply. */
export const mostEvents = 500;

/** All ticket events, in one order, for other systems. */
export const eventCalls = {
  events: call({
    method: 'GET',
    path: '/api/tickets/events/',
    access: signedIn,
    summary: '工单事件流',
    query: z.object({
      /** The `cursor` of the previous reply; without it, from the oldest event kept. */
      after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({ title: '游标' }),
      limit: z.coerce.number().int().min(1).max(mostEvents, `最多 ${mostEvents} 条`).default(100),
    }),
    /** `more`: further events exist already; otherwise ask again after a while. */
    reply: z.object({ value: z.array(TicketEvent), cursor: int, more: z.boolean() }),
    writes: true,
  }),
};
