import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { figuresOf, recordOf } from '../records/records.ts';
import { ticketTable } from '../tables.ts';

const { biz_module, biz_id, workflow_id, act_state } = ticketTable;

/** A ticket's data for lists of several kinds, in one text: its status, its record, who started it for its creator, and its workflow with its name. */
export const aboutTicket = sql`concat_ws(' ', ${act_state}, coalesce(${biz_module}, '-'), coalesce(${biz_id}, 0),
  coalesce((select w.agent_id from ticket_task w where w.ticket_id = ${ticketTable.id} and w.no = 1), 0), ${workflow_id},
  (select f.name from workflow f where f.id = ${workflow_id}))`;

export function aboutOf(about: string | null) {
  const [state = '0', module = '-', of = '0', by = '0', flow = '0', ...workflow] = about?.split(' ') ?? [];
  return {
    act_state: Number(state),
    record: recordOf({ biz_module: module === '-' ? null : module, biz_id: Number(of) }),
    begun_by: Number(by),
    workflow_id: Number(flow),
    workflow: workflow.join(' '),
  };
}

/** Descriptions of some tickets: their workflow, the figure that the list of their records shows, and who started them for their creators. */
export async function whatTicketsAre(
  tx: Db,
  rows: readonly { id: number; about: string | null }[],
): Promise<ReadonlyMap<number, string>> {
  const all = rows.map(({ id, about }) => ({ id, ...aboutOf(about) }));
  const figures = await figuresOf(
    tx,
    all.flatMap(({ record }) => record ?? []),
  );
  const people = await peopleById(
    tx,
    all.flatMap(({ begun_by }) => (begun_by === 0 ? [] : [begun_by])),
  );
  const what = ({ workflow, record, begun_by }: (typeof all)[number]) =>
    [
      workflow,
      record && figures.get(`${record.module} ${record.id}`),
      begun_by > 0 && `由 ${people.get(begun_by)?.alias ?? ''} 代为发起`,
    ]
      .filter(Boolean)
      .join(' · ');
  return new Map(all.map((one) => [one.id, what(one)]));
}
