import { eq, sql, type SQL } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { dayAfter, lastDayOf, momentOf } from '#kernel/contract/moment.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { calendarOf, dayKind } from '#modules/platform/calendars/service.ts';
import { awaySpans } from '#modules/workflow/tickets/service.ts';
import { tripSpans } from '#modules/office/leaders/service.ts';
import { wholeAbsences } from '#modules/workflow/delegations/service.ts';
import { everybodyIn } from '#modules/platform/people/service/audience.ts';
import { page, type Shift } from '../contract.ts';
import { cancelled, missed, postKeys, restingPost, shiftState } from '../contract/codes.ts';
import { unfit, type Unfit } from '../contract/refusals.ts';
import { restHours } from '../engine/rota.ts';
import { planTable, shiftTable } from '../tables.ts';

export type Asked = Omit<Context, 'user'> & { user: Viewer };
type Code = 'Create' | 'Retrieve' | 'Update' | 'Delete';
const p = planTable;

/** Plans that a permission code reaches: of the user's departments, their own, and those they manage. */
export const reaches = (user: Viewer, code: Code): SQL =>
  holds(user, code, page)
    ? within(scopeOf(user, code, page), p.dept_id, sql`${user.id} in (${p.creator_id}, ${p.keeper_id})`)
    : sql`false`;
/** Published shifts are visible to everybody; drafts to those who reach the plan. */
export const visible = (user: Viewer): SQL =>
  sql`(${shiftTable.published_at} is not null or ${reaches(user, 'Retrieve')})`;
/** Seats not filled by anybody active, as SQL for queries on `duty_shift`. */
export const gapOf = sql`(select coalesce(sum(greatest(n.need - (select count(*) from duty_person d join app_user u on u.id = d.user_id
  and u.is_active and not u.is_deleted where d.shift_id = duty_shift.id and d.post = n.post), 0)), 0)::int
  from unnest(duty_shift.needs) with ordinality n (need, post))`;

/** Condition: the shift is not cancelled. */
export const standing = sql`duty_shift.cancelled_at is null`;

export interface Found extends Shift {
  /** Permissions of the viewer: to change it, to delete it, to read its log. */
  manages: boolean;
  deletes: boolean;
  reads: boolean;
  confirms: boolean;
  keeper_id: number;
}
/** Shifts with their people that the user may see; one statement. */
export const shiftsFor = (tx: Db, user: Viewer, where: SQL, most = 800): Promise<Found[]> =>
  namedRows<Found>(
    tx,
    sql`select duty_shift.id, duty_shift.version, plan_id, duty_shift.name, day::text, kind, left(duty_shift.start_time::text, 19) start_time,
      left(duty_shift.end_time::text, 19) end_time, phone, needs, confirms, keeper_id, ${gapOf} gap, mine.it mine,
      case when cancelled_at is not null then ${cancelled} when published_at is null then 0 when h.shift_id is not null then 3 when taken_at is not null then 2
        when duty_shift.end_time <= now() then ${missed} else 1 end state,
      (${reaches(user, 'Update')} and taken_at is null and cancelled_at is null and duty_shift.start_time > now()) is true movable,
      ${reaches(user, 'Update')} manages, ${reaches(user, 'Delete')} deletes, mine.it or ${reaches(user, 'Retrieve')} reads,
      coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'username', username, 'alias', alias, 'dept_id', u.dept_id, 'dept_name',
        coalesce((select dept.name from dept where dept.id = u.dept_id), ''), 'post', d.post, 'why', d.why,
        'works', u.is_active and not u.is_deleted, 'away', false) order by d.post, u.sort, u.id)
        from duty_person d join app_user u on u.id = d.user_id where d.shift_id = duty_shift.id), '[]') people
    from duty_shift join duty_plan on duty_plan.id = plan_id left join duty_handover h on h.shift_id = duty_shift.id
    cross join lateral (select published_at is not null and exists (select from duty_person d where d.shift_id = duty_shift.id and d.user_id = ${user.id}) it) mine
    where ${visible(user)} and ${where} order by duty_shift.start_time, duty_shift.id limit ${most}`,
  );

/** A shift the user may see; locks its row for writing. */
export async function requireShift(
  { tx, user }: Pick<Asked, 'tx' | 'user'>,
  id: number,
  toWrite = false,
): Promise<Found> {
  if (toWrite) await tx.select({ id: shiftTable.id }).from(shiftTable).where(eq(shiftTable.id, id)).for('update');
  const [found] = await shiftsFor(tx, user, sql`duty_shift.id = ${id}`);
  if (!found) throw absent('班次');
  return found;
}
/** The state of a shift that is no longer open: its cancellation, else `why`. */
export const standsAs = ({ state }: Pick<Found, 'state'>, why: string): string =>
  state === cancelled ? shiftState.label(state) : why;
/** Serializes writers of rosters, so that what one checks of the others stays true until it commits. */
export const lockRosters = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('duty', 0))`);

/** Days with their kind, and the shifts that began on them. */
export async function daysOf(tx: Db, from: string, to: string, shifts: readonly Shift[]) {
  const calendar = await calendarOf(tx);
  const byDay = Map.groupBy(shifts, (one) => one.day);
  const days = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) {
    const { kind, name } = dayKind(calendar, day);
    days.push({ day, kind, holiday: name, shifts: byDay.get(day) ?? [] });
  }
  return days;
}
export async function roster(
  { tx, user }: Pick<Asked, 'tx' | 'user'>,
  { month, plan }: { month: string; plan?: number | undefined },
) {
  const [from, to] = [`${month}-01`, lastDayOf(month)];
  const of = sql`${standing} and day between ${from} and ${to} and (${plan ?? null}::int is null or plan_id = ${plan ?? null})`;
  const shifts = await withAway(tx, await shiftsFor(tx, user, of));
  const drafts = shifts.filter((one) => one.state === shiftState.draft && one.manages).length;
  return {
    days: await daysOf(tx, from, to, shifts),
    drafts,
    published: shifts.filter((one) => one.state > shiftState.draft).length,
  };
}

/** The people on duty now, those who are next within a day and a half, and my own shifts. */
export async function today({ tx, user, now }: Pick<Asked, 'tx' | 'user' | 'now'>) {
  const near = sql`published_at is not null and ${standing} and duty_shift.end_time > now() and (duty_shift.start_time < now() + interval '36 hours' or
    mine.it and duty_shift.start_time < now() + interval '31 days')`;
  const shifts = await shiftsFor(tx, user, near, 60);
  const began = (one: Shift) => momentOf(one.start_time) <= now;
  const soon = new Date(now.getTime() + 36 * 3_600_000);
  const next = shifts.filter((one) => !began(one) && momentOf(one.start_time) < soon);
  return { now: shifts.filter(began), next, mine: shifts.filter((one) => one.mine) };
}

/** Absences by approved leave, trip or outing, a leader's trip, or full delegation; rows `(person, from, to)`. */
export const absences = sql`(${tripSpans} union all ${wholeAbsences} union all ${awaySpans})`;

/** People absent during their shift, as `shift person`; only for shifts that the viewer manages and can still change. */
async function awayFrom(tx: Db, shifts: readonly Found[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.execute<{ shift_id: number; user_id: number }>(
    sql`select distinct d.shift_id, d.user_id from duty_person d join ${absences} a (person, start_time, end_time) on a.person = d.user_id
      and a.start_time < d.end_time and a.end_time > d.start_time where d.shift_id = any(${sql.param(shifts.map((one) => one.id))}::int[])`,
  );
  return new Set(rows.map((row) => `${row.shift_id} ${row.user_id}`));
}
/** The same shifts with absent people marked for those who may assign others; the reason of the absence is not shown. */
export async function withAway(tx: Db, shifts: Found[]): Promise<Found[]> {
  const asked = shifts.filter((one) => one.manages && one.state < shiftState.running);
  if (asked.length === 0) return shifts;
  const away = await awayFrom(tx, asked);
  return shifts.map((one) =>
    one.manages && one.state < shiftState.running
      ? { ...one, people: one.people.map((person) => ({ ...person, away: away.has(`${one.id} ${person.id}`) })) }
      : one,
  );
}

/** Audiences of plans by post, in the form of `everybodyIn`; each key is ten times the plan plus the post. */
export const poolsOf = (plans: SQL) =>
  sql.join(
    postKeys.map(
      (key, at) => sql`select id * 10 + ${at + 1}::int, ${sql.identifier(key)} from duty_plan where ${plans}`,
    ),
    sql` union all `,
  );

interface Placed {
  user_id: number;
  post: number;
  shift: Pick<Shift, 'plan_id' | 'start_time' | 'end_time'>;
  /** The shift they give up for it. */
  gives?: number | undefined;
}
/**
 * Refuses people who do not fit their shift, ignoring the shift each gives up. `force` admits people outside the pool; null does not offer
 * to force.
 */
export async function requireFit(tx: Db, placed: readonly Placed[], force: boolean | null): Promise<void> {
  if (placed.length === 0) return;
  const rows = JSON.stringify(
    placed.map(({ user_id, post, gives, shift: { plan_id, start_time, end_time } }) => ({
      user_id,
      post,
      gives,
      plan_id,
      start_time,
      end_time,
    })),
  );
  const near = (
    hours: number,
  ) => sql`exists (select from duty_person d where d.user_id = w.user_id and d.shift_id is distinct from w.gives
    and d.start_time < w.end_time + make_interval(hours => ${hours}) and d.end_time > w.start_time - make_interval(hours => ${hours})
    and (${hours}::int = 0 or d.post = ${restingPost} and w.post = ${restingPost}))`;
  const { rows: found } = await tx.execute<{
    alias: string;
    here: boolean;
    busy: boolean;
    tired: boolean;
    away: boolean;
    meant: boolean;
  }>(sql`
    with w as (select * from jsonb_to_recordset(${rows}::jsonb) w (user_id int, post int, gives int, plan_id int, start_time timestamptz, end_time timestamptz)),
    meant as materialized (select id, user_id from (${everybodyIn(poolsOf(sql`id in (select plan_id from w)`))}) m)
    select u.alias, u.is_active and not u.is_deleted here, ${near(0)} busy, ${near(restHours)} tired,
      exists (select from ${absences} a (person, start_time, end_time) where a.person = w.user_id and a.start_time < w.end_time and a.end_time > w.start_time) away,
      exists (select from meant where meant.id = w.plan_id * 10 + w.post and meant.user_id = w.user_id) meant
    from w join app_user u on u.id = w.user_id`);
  const faults = found.flatMap(({ alias: name, here, busy, tired, away, meant }): Unfit[] => {
    const no = (why: string, forcible = false): Unfit[] => [{ name, why, forcible }];
    if (!here) return no('已停用');
    if (busy) return no('同一时间已有值班');
    if (away) return no('当时请假、外出或已全部委托');
    if (tired) return no(`与其另一班间隔不足 ${restHours} 小时`);
    return meant ? [] : no('不在方案的人员范围内', force !== null);
  });
  if (faults.some((one) => !one.forcible || !force)) throw unfit(faults);
}
