import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { calendarOf, dayKind } from '#modules/platform/calendars/service.ts';
import { daysOf } from '#modules/workflow/workflows/engine/check/date-pairs.ts';
import type { BodyOf, ReplyOf } from '#kernel/contract/call.ts';
import { dayAfter } from '#kernel/contract/moment.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { openTo } from '../commands/commands.ts';
import type { tickets } from '../contract.ts';
import { readValue } from '../engine/form/values.ts';
import { simulate } from './simulate.ts';

type Foreseen = ReplyOf<typeof tickets.foresee>;
const workday = 1;
/** Longer than anybody's absence. */
const mostDays = 366;

/** The steps a ticket would take with its present form, with the names of those it would ask; nothing is written. */
export async function foresee(tx: Db, user: Viewer, asked: BodyOf<typeof tickets.foresee>): Promise<Foreseen> {
  const { version, applicant } = await openTo(tx, user, asked.workflow_id, null, asked.begin_for);
  const { definition, workflow_id } = version;
  const { values } = asked;
  const keyOf = (id: string) => definition.states.find((state) => String(state.id) === id)?.key ?? '';
  const choose = Object.fromEntries(Object.entries(asked.choose ?? {}).map(([id, names]) => [keyOf(id), names]));
  const begun_by = applicant.id === user.id ? null : user.id;
  const way = { workflow_id, definition, applicant: applicant.username, begun_by, values, choose, decisions: {} };
  const { steps, stop, ignored } = await simulate(tx, way);
  // A number of days is refused when it is sent, though what it says counts for nothing.
  const refused = ignored.find(({ field_key }) =>
    definition.fields.some(({ key, days_between }) => key === field_key && days_between),
  );
  return {
    steps: stop || !refused ? steps.map((step) => ({ ...step, people: step.people.map((one) => one.alias) })) : [],
    stop: stop || (refused?.msg ?? ''),
    periods: await periodsIn(tx, definition, values),
  };
}

/** The typed value as it would be stored; null if it does not fit its field. */
function readOr(field: Definition['fields'][number], typed: unknown): unknown {
  const read = readValue(field, typed);
  return 'value' in read ? read.value : null;
}

async function periodsIn(
  tx: Db,
  { fields }: Definition,
  values: Readonly<Record<string, unknown>>,
): Promise<Foreseen['periods']> {
  const pairs = fields.flatMap((field) => {
    const from = fields.find(({ key }) => key === field.not_before);
    const [first, last] = [from, field].map((one) => one && readOr(one, values[one.key]));
    const days = daysOf(first, last);
    return from && days !== null && days <= mostDays ? [{ from: from.name, to: field.name, days, first }] : [];
  });
  if (pairs.length === 0) return [];
  const calendar = await calendarOf(tx);
  return pairs.map(({ first, ...pair }) => {
    const start = String(first).slice(0, 10);
    const dates = Array.from({ length: pair.days }, (_, at) => dayAfter(start, at));
    return { ...pair, working_days: dates.filter((date) => dayKind(calendar, date).kind === workday).length };
  });
}
