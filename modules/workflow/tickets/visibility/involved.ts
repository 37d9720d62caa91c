import { sql, type SQL } from 'drizzle-orm';
import type { TicketViewer } from './viewer.ts';

/*
 * Selects of `ticket_id`: together the tickets a person takes part in, some more than once. Each reads one index in the order of the ids, and a task
 * says itself whether its ticket is deleted, so that a badge is counted without reading the tickets. `of`: restricts them to this ticket.
 */

/** A person with those they are a delegate for now. */
type Someone = Pick<TicketViewer, 'delegations'> & { user: { id: number } };

const decided = sql`status in ('agree', 'refuse', 'other', 'returned', 'transferred')`;
export const union = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` union all `);
const just = (of: SQL | undefined, id = sql`ticket_id`) => (of ? sql`and ${id} = ${of}` : sql``);

/** Open tasks of the people a delegate acts for: `isLent` in SQL. */
const lentTo = ({ user, delegations }: Someone, of?: SQL) =>
  delegations.map(
    ({ principal, through, workflows }) => sql`select w.ticket_id from ticket_task w join ticket s on s.id = w.ticket_id
      where w.assignee_id = ${principal} and w.status = 'todo' and not w.ticket_deleted ${just(of, sql`w.ticket_id`)}
        and s.creator_id not in (${sql.join([principal, ...through, user.id], sql`, `)})
        and not s.author_ids && ${sql.param([...through])}::int[]
        and ${workflows === null ? sql`true` : sql`s.workflow_id = any(${sql.param([...workflows])}::int[])`}`,
  );

/** Tickets with an open task of the person, as themselves or as a delegate. */
export const dutyTickets = (viewer: Someone): SQL[] => [
  sql`select ticket_id from ticket_task where assignee_id = ${viewer.user.id} and status = 'todo' and not ticket_deleted`,
  ...lentTo(viewer),
];

/** Tickets in which the person decided something, as themselves or as a delegate. */
export const workedTickets = ({ user }: TicketViewer): SQL[] => [
  sql`select ticket_id from ticket_task where assignee_id = ${user.id} and ${decided} and not ticket_deleted`,
  sql`select ticket_id from ticket_task where agent_id = ${user.id} and ${decided} and not ticket_deleted`,
];

/** Tickets the person was asked about. A task waiting for an opinion counts; one whose turn has not come does not. */
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

/** Tickets copied to the person, including deleted ones. */
export const copiedTickets = ({ user }: TicketViewer, of?: SQL): SQL =>
  sql`select ticket_id from ticket_cc where user_id = ${user.id} ${just(of)}`;
