import { sql } from 'drizzle-orm';
import type { Waits } from '#modules/platform/waits/service.ts';
import { aboutOf, aboutTicket, whatTicketsAre } from './about.ts';
import { pageOf } from '../records/records.ts';
import { ticketTable } from '../tables.ts';
import { ticketViewerFor } from './viewer.ts';
import { inCategory } from './visibility.ts';

/** Tickets with a task for the person, their own or as a delegate: the same as the list of 待办. */
export const ticketWaits: Waits = {
  key: 'ticket',
  page: 'ticket/duty',
  path: '/ticket/duty',
  title: '待办工单',
  async mine(tx, viewer) {
    const condition = inCategory('duty', await ticketViewerFor(tx, viewer, 'duty'));
    const { id, title, due_at, creator_id } = ticketTable;
    const since = sql`(select min(w.opened_at) from ticket_task w where w.ticket_id = ${id} and w.status = 'todo')`;
    return sql`select ${id}, ${title}, ${due_at}, ${aboutTicket}, ${since}, ${creator_id} from ${ticketTable} where ${condition}`;
  },
  everybodys: async () => sql`
    select distinct_task.assignee_id, t.due_at
    from (select distinct assignee_id, ticket_id from ticket_task where status = 'todo' and not ticket_deleted) distinct_task
    join ticket t on t.id = distinct_task.ticket_id`,
  whatOf: whatTicketsAre,
  linkOf: ({ id, about }, tx) => pageOf(tx, aboutOf(about).record) ?? `/ticket/detail/${id}`,
};
