import { sql } from 'drizzle-orm';
import type { Waits } from '#modules/waits/service.ts';
import { pageOf, recordOf } from '../records/records.ts';
import { ticketTable } from '../tables.ts';
import { ticketViewerFor } from './viewer.ts';
import { inCategory } from './visibility.ts';

/** Tickets with a task for the person, their own or one they stand in for: the list of 待办 says the same. */
export const ticketWaits: Waits = {
  page: 'ticket/duty',
  path: '/ticket/duty',
  title: '待办工单',
  async mine(tx, viewer) {
    const condition = inCategory('duty', await ticketViewerFor(tx, viewer, 'duty'));
    const { id, title, due_at, biz_module, biz_id, creator_id } = ticketTable;
    const since = sql`(select min(w.opened_at) from ticket_task w where w.ticket_id = ${id} and w.status = 'todo')`;
    return sql`select ${id}, ${title}, ${due_at}, ${biz_module} || ' ' || ${biz_id}, ${since}, ${creator_id} from ${ticketTable} where ${condition}`;
  },
  everybodys: async () => sql`
    select distinct_task.assignee_id, t.due_at
    from (select distinct assignee_id, ticket_id from ticket_task where status = 'todo' and not ticket_deleted) distinct_task
    join ticket t on t.id = distinct_task.ticket_id`,
  linkOf({ id, about }, tx) {
    const [module = null, of] = about?.split(' ') ?? [];
    return pageOf(tx, recordOf({ biz_module: module, biz_id: of ? Number(of) : null })) ?? `/ticket/detail/${id}`;
  },
};
