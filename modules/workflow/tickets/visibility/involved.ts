import { sql, type SQL } from 'drizzle-orm';
import type { TicketViewer } from './viewer.ts';

/*
 * Selects of `ticket_id`: together the tickets a person has to do with, some more than once. Each reads one index in the order of the
 * ids, and a task says itself whether its ticket is deleted, so that a badge is counted without a look at the tickets. `of`: asked of
 * just this ticket.
 */

/** Somebody, with those they stand in for now. */
type Someone = Pick<TicketViewer, 'delegations'> & { user: { id: number } };

const decided = sql`status in ('agree', 'refuse', 'other', 'returned', 'transferred')`;
export const union = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` union all `);
const just = (of: SQL | undefined, id = sql`ticket_id`) => (of ? sql`and ${id} = ${of}` : sql``);

/** Open tasks of those the person stands in for: as `isLent` says, in SQL. */
const lentTo = ({ user, delegations }: Someone, of?: SQL) =>
  delegations.map(
    ({ principal, through, workflows }) => sql`select w.ticket_id from ticket_task w join ticket s on s.id = w.ticket_id
      where w.assignee_id = ${principal} and w.status = 'todo' and not w.ticket_deleted ${just(of, sql`w.ticket_id`)}
        and s.creator_id not in (${sql.join([principal, ...through, user.id], sql`, `)})
        and ${workflows === null ? sql`true` : sql`s.workflow_id = any(${sql.param([...workflows])}::int[])`}`,
  );

/** With a task that waits for the person, as themselves or as a delegate. */
export const dutyTickets = (viewer: Someone): SQL[] => [
  sql`select ticket_id from ticket_task where assignee_id = ${viewer.user.id} and status = 'todo' and not ticket_deleted`,
  ...lentTo(viewer),
];

/** That the person decided something of, as themselves or as a delegate. */
export const workedTickets = ({ user }: TicketViewer): SQL[] => [
  sql`select ticket_id from ticket_task where assignee_id = ${user.id} and ${decided} and not ticket_deleted`,
  sql`select ticket_id from ticket_task where agent_id = ${user.id} and ${decided} and not ticket_deleted`,
];

/** That the person was asked about. Who waits for an answer was asked already; who waits for the turn to come was not. */
export const askedTickets = (viewer: TicketViewer, of?: SQL): SQL[] => {
  const { id } = viewer.user;
  return [
    sql`select ticket_id from ticket_task where assignee_id = ${id} and not ticket_deleted ${just(of)}
      and (status not in ('waiting', 'skipped') or agent_id is not null)`,
    sql`select w.ticket_id from ticket_task w join ticket_task a on a.ticket_id = w.ticket_id and a.origin_no = w.no and a.answers
      where w.assignee_id = ${id} and w.status = 'waiting' and not w.ticket_deleted ${just(of, sql`w.ticket_id`)}`,
    sql`select ticket_id from ticket_task where agent_id = ${id} and not ticket_deleted ${just(of)}`,
    ...lentTo(viewer, of),
  ];
};

/** Copied to the person, deleted ones too. */
export const copiedTickets = ({ user }: TicketViewer, of?: SQL): SQL =>
  sql`select ticket_id from ticket_cc where user_id = ${user.id} ${just(of)}`;
