import { sql } from 'drizzle-orm';
import type { Waits } from '#modules/platform/waits/service.ts';
import { figuresOf, pageOf, recordOf } from '../records/records.ts';
import { ticketTable } from '../tables.ts';
import { ticketViewerFor } from './viewer.ts';
import { inCategory } from './visibility.ts';

/** Tickets with a task for the person, their own or one they stand in for: the list of 待办 says the same. */
export const ticketWaits: Waits = {
  key: 'ticket',
  page: 'ticket/duty',
  path: '/ticket/duty',
  title: '待办工单',
  async mine(tx, viewer) {
    const condition = inCategory('duty', await ticketViewerFor(tx, viewer, 'duty'));
    const { id, title, due_at, biz_module, biz_id, creator_id, workflow_id } = ticketTable;
    const workflow = sql`(select f.name from workflow f where f.id = ${workflow_id})`;
    const since = sql`(select min(w.opened_at) from ticket_task w where w.ticket_id = ${id} and w.status = 'todo')`;
    return sql`select ${id}, ${title}, ${due_at}, concat_ws(' ', coalesce(${biz_module}, '-'), coalesce(${biz_id}, 0), ${workflow}), ${since}, ${creator_id} from ${ticketTable} where ${condition}`;
  },
  everybodys: async () => sql`
    select distinct_task.assignee_id, t.due_at
    from (select distinct assignee_id, ticket_id from ticket_task where status = 'todo' and not ticket_deleted) distinct_task
    join ticket t on t.id = distinct_task.ticket_id`,
  async whatOf(tx, rows) {
    const all = rows.map(({ id, about }) => ({ id, ...aboutOf(about) }));
    const figures = await figuresOf(
      tx,
      all.flatMap(({ record }) => record ?? []),
    );
    const what = ({ workflow, record }: (typeof all)[number]) =>
      [workflow, record && figures.get(`${record.module} ${record.id}`)].filter(Boolean).join(' · ');
    return new Map(all.map((one) => [one.id, what(one)]));
  },
  linkOf: ({ id, about }, tx) => pageOf(tx, aboutOf(about).record) ?? `/ticket/detail/${id}`,
};

/** The module of its record or `-`, the record's id or 0, and what its workflow is called. */
function aboutOf(about: string | null) {
  const [module = '-', of = '0', ...workflow] = about?.split(' ') ?? [];
  return {
    record: recordOf({ biz_module: module === '-' ? null : module, biz_id: Number(of) }),
    workflow: workflow.join(' '),
  };
}
