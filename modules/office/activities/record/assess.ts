import { and, asc, eq, gt, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import type { Refusal } from '#kernel/contract/refusal.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { picked } from '#kernel/server/generic.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { calendarOf, workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { takenTimes } from '#modules/office/leaders/service.ts';
import { approves, roomsOf } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activityStatus } from '../contract/codes.ts';
import { activityRules } from '../contract/rules.ts';
import { tooLate, tooManyLate } from '../contract/refusals.ts';
import type { Guest, Verdict } from '../contract/shapes.ts';
import { judge, type Asked, type WorkingDay } from '../engine/judge.ts';
import { activityGuestTable, activityLeaderTable, activityTable, type Judged } from '../tables.ts';

/** An activity as it is judged: its columns, guests, and the course of its ticket so far. */
export type Draft = Omit<Asked, 'guests'> & {
  id?: number;
  guests: readonly Guest[];
  leaders: readonly number[];
  room_id: number | null;
  audience: number | null;
  sent_at: string | null;
  back_at: string | null;
};
interface Asking {
  now: Date;
  /** The activities that the person may know by name. */
  visible?: SQL;
  /** The person whose rights decide which schedules of leaders are named; without one, only public ones are. */
  person?: number;
  /** Overrides the moment from which the lead time counts. */
  since?: Date | undefined;
}

export async function workingDay(tx: Db): Promise<WorkingDay> {
  const calendar = await calendarOf(tx);
  return (from, days) => dayOf(workingDaysAfter(momentOf(`${dayOf(from)} 23:59`), days, calendar));
}

/** Judges an activity as it is now. Takes a statement each for overdue summaries, clashes and schedules. */
export async function assess(tx: Db, draft: Draft, { now, visible, person = 0, since }: Asking): Promise<Judged> {
  const { value: rule, version } = await readRules(tx, activityRules);
  const after = await workingDay(tx);
  const [room] = draft.room_id === null ? [] : await roomsOf(tx, { ids: [draft.room_id] });
  // An activity that is sent again by the working day after its return keeps its first sending date.
  const soon = draft.back_at && draft.sent_at && after(momentOf(draft.back_at), 1) >= dayOf(now);
  const counted = since ?? (soon ? momentOf(draft.sent_at!) : undefined);
  const around = {
    room: room ? { name: room.name, capacity: room.capacity, approves: approves(room) } : null,
    clashes: [...(await clashesOf(tx, draft, visible)), ...(await schedulesOf(tx, draft, person))],
    late: draft.dept_id === null ? 0 : await lateSummaries(tx, draft.dept_id, now),
    ...(counted ? { since: counted } : {}),
  };
  return { at: now.toISOString(), rule_version: version, verdict: judge(draft, rule, after, now, around) };
}

/** The reason why a complete activity is refused, null if it is accepted. */
export async function refusalOf(
  tx: Db,
  { verdict }: Judged,
  draft: Pick<Draft, 'dept_id'>,
  now: Date,
): Promise<Refusal | null> {
  if (verdict.late && !verdict.urgent)
    return tooLate(verdict.foreign ? '涉外活动' : '活动', verdict.lead_days, verdict.earliest);
  const { value: rule } = await readRules(tx, activityRules);
  const late = draft.dept_id === null ? 0 : await lateSummaries(tx, draft.dept_id, now);
  return late >= rule.late_max ? tooManyLate(late) : null;
}

/** The number of activities of a department whose summary is overdue. */
export const lateSummaries = (tx: Db, dept: number, now: Date): Promise<number> =>
  tx.$count(
    activityTable,
    and(
      eq(activityTable.dept_id, dept),
      eq(activityTable.activity_status, activityStatus.toSummarise),
      lt(activityTable.summary_due, dayOf(now)),
    ),
  );

/** Activities at the same time that share its place, leaders or audience; one sentence each. */
async function clashesOf(tx: Db, draft: Draft, visible: SQL = sql`false`): Promise<string[]> {
  const { start_time: start, end_time: end, room_id, location, audience } = draft;
  if (!start || !end || end <= start) return [];
  const attending = sql`from activity_leader l join app_user u on u.id = l.user_id
    where l.activity_id = activity.id and ${isAmong(sql`l.user_id`, draft.leaders)}`;
  const t = activityTable;
  const place = room_id !== null ? eq(t.room_id, room_id) : location ? eq(t.location, location) : sql`false`;
  const rows = await tx
    .select({
      title: t.title,
      seen: sql<boolean>`${visible}`,
      start: t.start_time,
      end: t.end_time,
      place: sql<boolean>`${place}`,
      leaders: sql<string[]>`array(select u.alias ${attending})`,
    })
    .from(t)
    .where(
      and(
        isOpen,
        gt(t.end_time, start),
        lt(t.start_time, end),
        ne(t.id, draft.id ?? 0),
        or(place, audience === null ? undefined : eq(t.audience, audience), sql`exists (select ${attending})`),
      ),
    )
    .orderBy(asc(t.start_time))
    .limit(20);
  return rows.map((row) => {
    const why = [row.place && '地点相同', row.leaders.length > 0 && `${row.leaders.join('、')}也出席`].filter(Boolean);
    const what = why.length > 0 ? why.join('，') : '面向对象相同';
    return `${row.start?.slice(5, 16)}–${row.end?.slice(11, 16)} 有${row.seen ? `《${row.title}》` : '另一场活动'}，${what}`;
  });
}
/** Other engagements of the invited leaders at that time. Activities are left out, because `clashesOf` has them. */
async function schedulesOf(tx: Db, { start_time: start, end_time: end, leaders }: Draft, person: number) {
  if (!start || !end || end <= start || leaders.length === 0) return [];
  return (await takenTimes(tx, leaders, { start, end, person, besides: 'activities' })).slice(0, 20);
}
/** Condition: it waits for approval, is to come or takes place. */
export const isOpen = sql`${activityTable.act_state} in (${inSql(actState.ongoing, actState.finished)}) and ${activityTable.activity_status} in (${inSql(activityStatus.coming, activityStatus.running)}) and not ${activityTable.is_deleted}`;

/** Speakers and attending leaders of the given activities. */
export async function peopleOf(tx: Db, ids: readonly number[]) {
  const guests = await tx
    .select()
    .from(activityGuestTable)
    .where(inArray(activityGuestTable.activity_id, [...ids]))
    .orderBy(asc(activityGuestTable.no));
  const leaders = await tx
    .select()
    .from(activityLeaderTable)
    .where(inArray(activityLeaderTable.activity_id, [...ids]))
    .orderBy(asc(activityLeaderTable.user_id));
  return { guests, leaders: leaders.map((row) => row.user_id) };
}
const told = ['name', 'org', 'title', 'nationality', 'topic', 'is_external', 'phone', 'background', 'note_of'] as const;
/** Guests and leaders of one activity, in the form of the input. */
export async function besideOf(tx: Db, id: number): Promise<{ guests: Guest[]; leaders: number[] }> {
  const { guests, leaders } = await peopleOf(tx, [id]);
  return {
    guests: guests.map((row) => picked(row, told)),
    leaders,
  };
}
export type { Verdict };
