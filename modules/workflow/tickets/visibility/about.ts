import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { figuresOf, recordOf } from '../records/records.ts';
import { ticketTable } from '../tables.ts';

const { biz_module, biz_id, workflow_id, act_state } = ticketTable;

/** A ticket's data for lists of several kinds, in one text: its status, its record, and its workflow with its name. */
export const aboutTicket = sql`concat_ws(' ', ${act_state}, coalesce(${biz_module}, '-'), coalesce(${biz_id}, 0), ${workflow_id},
  (select f.name from workflow f where f.id = ${workflow_id}))`;

export function aboutOf(about: string | null) {
  const [state = '0', module = '-', of = '0', flow = '0', ...workflow] = about?.split(' ') ?? [];
  return {
    act_state: Number(state),
    record: recordOf({ biz_module: module === '-' ? null : module, biz_id: Number(of) }),
    workflow_id: Number(flow),
    workflow: workflow.join(' '),
  };
}

/** Descriptions of some tickets: their workflow, and the figure that the list of their records shows. */
export async function whatTicketsAre(
  tx: Db,
  rows: readonly { id: number; about: string | null }[],
): Promise<ReadonlyMap<number, string>> {
  const all = rows.map(({ id, about }) => ({ id, ...aboutOf(about) }));
  const figures = await figuresOf(
    tx,
    all.flatMap(({ record }) => record ?? []),
  );
  const what = ({ workflow, record }: (typeof all)[number]) =>
    [workflow, record && figures.get(`${record.module} ${record.id}`)].filter(Boolean).join(' · ');
  return new Map(all.map((one) => [one.id, what(one)]));
}
