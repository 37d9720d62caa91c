import { sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import type { Leave } from '../contract/leave.ts';
import type { TicketState } from '../engine/state.ts';

/** The value of an application's field; not a day if its flow has changed since. */
const valueOf = (key: string): SQL => sql`(t.form->>(leave.d->>${key}::text))`;
const moment = (key: string): SQL =>
  sql`case when ${valueOf(key)} ~ '^\\d{4}-\\d\\d-\\d\\d' then left(${valueOf(key)}, 19)::timestamptz end`;
const hours = (half: string, is: string, then: number, otherwise: number): SQL =>
  sql`make_interval(hours => case when ${valueOf(half)} = ${is} then ${then}::int else ${otherwise}::int end)`;

const begins = sql`${moment('from')} + ${hours('from_half', 'pm', 12, 0)}`;
const ends = sql`${moment('to')} + case when length(${valueOf('to')}) = 10 then ${hours('to_half', 'am', 12, 24)} else interval '0' end`;
const leaveWith = (more: SQL): SQL => sql`select t.creator_id, ${begins}, least(${ends}, t.back_at)${more}
  from ticket t join (select v.id, f->'days_between' as d from workflow_version v, jsonb_array_elements(v.definition->'fields') f
    where v.status <> 'draft' and f->'days_between'->'working' = 'true'::jsonb) leave on leave.id = t.version_id
  where t.act_state in (${inSql(actState.finished, actState.finishAsked)}) and not t.is_deleted and not t.is_void
    and (t.back_at is null or t.back_at > ${begins})`;

/**
 * Times in which people are away by approved leave: rows `(person, from, to)`. A leave application is one whose flow counts the working days between
 * two of its dates; half-days as its fields say. Somebody who came back early is away until then.
 */
export const leaveSpans = leaveWith(sql``);
/** The same with the ticket: rows `(person, from, to, ticket)`. */
export const leaveTickets = leaveWith(sql`, t.id`);

/** The approved leave that a ticket is, for its own person, from the day on which it begins; null if it is none, or if they are back from it. */
export async function leaveBegun(
  tx: Db,
  person: number,
  { id, state, definition }: { id: number; state: TicketState; definition: Definition },
): Promise<Leave | null> {
  if (person !== state.creator || state.back_at !== null) return null;
  if (!definition.fields.some((field) => field.days_between?.working)) return null;
  const [leave] = await namedRows<Leave>(
    tx,
    sql`select left(away.start::text, 19) as from, left(away.until::text, 19) as until, current_date::text as today
      from (${leaveTickets}) as away (person, start, until, ticket_id) where away.ticket_id = ${id} and away.start < current_date + 1`,
  );
  return leave ?? null;
}
