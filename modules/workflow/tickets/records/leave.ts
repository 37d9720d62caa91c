import { sql, type SQL } from 'drizzle-orm';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';

/** The value of an application's field; not a day if its flow has changed since. */
const valueOf = (key: string): SQL => sql`(t.form->>(leave.d->>${key}::text))`;
const moment = (key: string): SQL =>
  sql`case when ${valueOf(key)} ~ '^\\d{4}-\\d\\d-\\d\\d' then left(${valueOf(key)}, 19)::timestamptz end`;
const hours = (half: string, is: string, then: number, otherwise: number): SQL =>
  sql`make_interval(hours => case when ${valueOf(half)} = ${is} then ${then}::int else ${otherwise}::int end)`;

const leaveWith = (more: SQL): SQL => sql`select t.creator_id, ${moment('from')} + ${hours('from_half', 'pm', 12, 0)},
    ${moment('to')} + case when length(${valueOf('to')}) = 10 then ${hours('to_half', 'am', 12, 24)} else interval '0' end${more}
  from ticket t join (select v.id, f->'days_between' as d from workflow_version v, jsonb_array_elements(v.definition->'fields') f
    where v.status <> 'draft' and f->'days_between'->'working' = 'true'::jsonb) leave on leave.id = t.version_id
  where t.act_state = ${actState.finished} and not t.is_deleted and not t.is_void`;

/**
 * Times in which people are away by approved leave: rows `(person, from, to)`. A leave application is one whose flow counts the working days between
 * two of its dates; half-days as its fields say.
 */
export const leaveSpans = leaveWith(sql``);
/** The same with the ticket: rows `(person, from, to, ticket)`. */
export const leaveTickets = leaveWith(sql`, t.id`);
