import { sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { mostTaken, type BusySource } from '#modules/platform/calendars/service/busy.ts';
import { actState, awayKinds, type AwayKind } from '#modules/workflow/workflows/engine/codes.ts';
import { awayKindOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import type { Leave } from '../contract/leave.ts';
import type { TicketState } from '../engine/state.ts';

/** The value of an application's field; not a day if its flow has changed since. */
const valueOf = (key: string): SQL => sql`(t.form->>(away.d->>${key}::text))`;
const moment = (key: string): SQL =>
  sql`case when ${valueOf(key)} ~ '^\\d{4}-\\d\\d-\\d\\d' then left(${valueOf(key)}, 19)::timestamptz end`;
const hours = (half: string, is: string, then: number, otherwise: number): SQL =>
  sql`make_interval(hours => case when ${valueOf(half)} = ${is} then ${then}::int else ${otherwise}::int end)`;

const begins = sql`${moment('from')} + ${hours('from_half', 'pm', 12, 0)}`;
const ends = sql`${moment('to')} + case when length(${valueOf('to')}) = 10 then ${hours('to_half', 'am', 12, 24)} else interval '0' end`;
/** The dates of each published form between which its creator is away, with the fields that say the half-days, if its days are counted. */
const periods = sql`select v.id, f->>'away' as kind, coalesce(counted.d, '{}') || jsonb_build_object('from', f->>'not_before', 'to', f->>'key') as d
  from workflow_version v cross join jsonb_array_elements(v.definition->'fields') f left join lateral (
    select g->'days_between' as d from jsonb_array_elements(v.definition->'fields') g
    where g->'days_between'->>'to' = f->>'key' and g->'days_between'->>'from' = f->>'not_before' limit 1) counted on true
  where v.status <> 'draft' and f->>'away' is not null`;
const awayWith = (more: SQL): SQL => sql`select t.creator_id, ${begins}, least(${ends}, t.back_at)${more}
  from ticket t join (${periods}) away on away.id = t.version_id
  where t.act_state in (${inSql(actState.finished, actState.finishAsked)}) and not t.is_deleted and not t.is_void
    and (t.back_at is null or t.back_at > ${begins})`;

/**
 * Times in which people are away by an approved application, for leave or a trip: rows `(person, from, to)`. The form says which of its dates they
 * are (`away`), and its half-days if it has any. Somebody who came back early is away until then.
 */
export const awaySpans = awayWith(sql``);
/** The same with the ticket and the kind: rows `(person, from, to, ticket, kind)`. */
export const awayTickets = awayWith(sql`, t.id, away.kind`);

/** Times in which people are away; what for is said to themselves alone. */
export const awayTimes: BusySource = (tx, { viewer, users, from, to }) =>
  namedRows(
    tx,
    sql`select away.person as user_id, left(away.start::text, 19) as start_time, left(away.until::text, 19) as end_time,
        case when away.person = ${viewer.id} then ${JSON.stringify(awayKinds)}::jsonb ->> away.kind end as label
      from (${awayTickets}) as away (person, start, until, ticket_id, kind) where away.person = any(${sql.param([...users])}::int[])
        and away.start < ${to}::timestamptz and away.until > ${from}::timestamptz order by 1, 2 limit ${mostTaken}`,
  );

/**
 * The approved leave or trip that a ticket is, for its own person, from the day on which it begins; null if it is none, or if they are back from it.
 * An outing of some hours is over by itself.
 */
export async function leaveBegun(
  tx: Db,
  person: number,
  { id, state, definition }: { id: number; state: TicketState; definition: Definition },
): Promise<Leave | null> {
  if (person !== state.creator || state.back_at !== null || awayKindOf(definition) === undefined) return null;
  const [found] = await namedRows<Leave & { kind: AwayKind }>(
    tx,
    sql`select left(away.start::text, 19) as from, left(away.until::text, 19) as until, left(now()::text, 19) as now, away.kind
      from (${awayTickets}) as away (person, start, until, ticket_id, kind)
      where away.ticket_id = ${id} and away.start < current_date + 1 and away.kind <> 'outing' order by away.start limit 1`,
  );
  return found ? { ...found, kind: awayKinds[found.kind] } : null;
}
