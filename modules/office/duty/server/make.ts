import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { dayAfter, dayOf, momentOf, mondayOf } from '#kernel/contract/moment.ts';
import { onOff } from '#kernel/contract/titles.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { refuseOn, savepoint, type Db } from '#kernel/server/db/db.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import { calendarOf, dayKind } from '#modules/platform/calendars/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { everybodyIn } from '#modules/platform/people/service/audience.ts';
import type { dutyCalls } from '../contract.ts';
import { dutyDay, dutyPost, dutySource, postKeys, restingPost } from '../contract/codes.ts';
import { periodPast, planUnusable, tooLong } from '../contract/refusals.ts';
import { rota, weights, type Seat, type Span } from '../engine/rota.ts';
import { dutyPersonTable, planTable, shiftTable } from '../tables.ts';
import { absences, daysOf, lockRosters, poolsOf, reaches, shiftsFor, standing, type Asked } from './shifts.ts';

const mostDays = 92;
/** The limit of seats in one run, so that it blocks nobody. */
const mostSeats = 400;
/** The number of days for which points count. */
const pointDays = 180;
const ms = (text: string) => momentOf(text).getTime();
const undo = new Error('only tried');
type Plan = typeof planTable.$inferSelect;
type Making = BodyOf<typeof dutyCalls.make>;

const spanOf = (plan: Plan, day: string, kind: number) => {
  const [from, to] = kind === dutyDay.work ? [plan.work_from, plan.work_to] : [plan.rest_from, plan.rest_to];
  return { start_time: `${day} ${from}:00`, end_time: `${to > from ? day : dayAfter(day, 1)} ${to}:00` };
};

/** Makes the shifts of a plan between two days and assigns people; published shifts stay as they are. */
export async function make(context: Asked, body: Making) {
  const { tx, user, now } = context;
  const [plan] = await tx
    .select()
    .from(planTable)
    .where(and(eq(planTable.id, body.plan_id), eq(planTable.is_deleted, false), reaches(user, 'Create')));
  if (!plan) throw absent('值班方案');
  if (plan.status === onOff.off) throw planUnusable(plan.name, '已停用');
  if (body.from < dayOf(now)) throw periodPast(body.from, '已经过去，不能再排班');
  if (body.to < body.from) throw periodPast(body.to, `早于开始日期 ${body.from}`);
  if (body.to > dayAfter(body.from, mostDays - 1)) throw periodPast(body.to, `不在开始日期起 ${mostDays} 天之内`);
  await lockRosters(tx);
  let made: Awaited<ReturnType<typeof fill>> | undefined;
  await savepoint(tx, async () => {
    made = await fill(context, plan, body);
    if (body.dry_run) throw undo;
  }).catch((stop: unknown) => {
    if (stop !== undo) throw stop;
  });
  if (!body.dry_run) {
    context.audit({
      type: '值班表',
      id: plan.id,
      title: plan.name,
      after: { 开始日期: body.from, 结束日期: body.to, 缺人: made!.gaps.length },
    });
    changed(tx, 'leader', [everybody]);
  }
  return made!;
}

/** The same for callers that have checked the rights; also for past days. */
export async function fill(
  { tx, user }: Pick<Asked, 'tx' | 'user'>,
  plan: Plan,
  { from, to, keep }: Pick<Making, 'from' | 'to' | 'keep'>,
) {
  const needs = postKeys.map((key) => plan[`${key}_need`]);
  const within = sql`plan_id = ${plan.id} and day between ${from} and ${to} and name = ${plan.name}`;
  const { rows: kept } = await tx.execute<{ day: string; user_id: number; post: number; why: string }>(
    sql`select day::text, user_id, post, why from duty_person join duty_shift on duty_shift.id = shift_id
      where ${within} and published_at is null and ${keep} and source > ${inSql(dutySource.byHand)}`,
  );
  await tx.execute(sql`delete from duty_shift where ${within} and published_at is null`);
  const { rows: there } = await tx.execute<{ day: string; people: number[] }>(
    sql`select day::text, array(select user_id from duty_person d where d.shift_id = duty_shift.id and d.post = ${inSql(dutyPost.lead)} order by user_id) people
      from duty_shift where plan_id = ${plan.id} and ${standing} and day between ${mondayOf(from)} and ${dayAfter(mondayOf(to), 6)}`,
  );
  const calendar = await calendarOf(tx);
  const fresh: (typeof shiftTable.$inferInsert)[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) {
    const { kind } = dayKind(calendar, day);
    if (
      (kind === dutyDay.work && plan.on_work === 0) ||
      there.some((one) => one.day === day && day >= from && day <= to)
    )
      continue;
    fresh.push({ plan_id: plan.id, day, name: plan.name, kind, needs, ...spanOf(plan, day, kind) });
  }
  if (fresh.length * needs.reduce((sum, one) => sum + one, 0) > mostSeats)
    throw tooLong(fresh.length * needs.reduce((sum, one) => sum + one, 0), mostSeats);
  const shifts = fresh.length > 0 ? await tx.insert(shiftTable).values(fresh).returning() : [];
  const byDay = new Map(shifts.map((one) => [one.day, one]));
  const rows = kept.flatMap(({ day, ...row }) => {
    const shift = byDay.get(day);
    return shift
      ? [
          {
            ...row,
            source: dutySource.made,
            shift_id: shift.id,
            start_time: shift.start_time,
            end_time: shift.end_time,
          },
        ]
      : [];
  });
  const put = (values: (typeof dutyPersonTable.$inferInsert)[]) =>
    values.length === 0
      ? undefined
      : tx
          .insert(dutyPersonTable)
          .values(values)
          .catch(refuseOn('duty_person_free', () => planUnusable(plan.name, '的时间与手工安排的值班重叠')));
  await put(rows);

  const pools = await peopleOf(tx, plan);
  const known = await knownOf(tx, plan, [...new Set([...pools.values()].flat())], from, to);
  const seats = seatsOf(plan, shifts, rows, there, known.away);
  const { chosen, gaps, points } = rota({ seats: seats.map(({ of: _of, ...seat }) => seat), pools, ...known });
  await put(
    seats.flatMap(({ id, post, of, holder }) => {
      const found = holder === undefined ? chosen.get(id) : { person: holder, why: '本周带班' };
      if (!found) return [];
      return of.map(({ id: shift_id, start_time, end_time }) => ({
        shift_id,
        start_time,
        end_time,
        post,
        user_id: found.person,
        why: found.why,
      }));
    }),
  );
  const cards = await peopleById(tx, [...pools.values()].flat());
  const shares = [...pools].flatMap(([post, people]) =>
    people.map((id) => {
      const key = `${post}:${id}`;
      return { id, alias: cards.get(id)!.alias, post, before: known.points.get(key) ?? 0, after: points.get(key) ?? 0 };
    }),
  );
  const missing = seats
    .filter((seat) => gaps.includes(seat.id))
    .flatMap(({ of, post }) => of.map((one) => `${one.day} ${dutyPost.label(post)}`));
  const days = await daysOf(
    tx,
    from,
    to,
    await shiftsFor(tx, user, sql`plan_id = ${plan.id} and ${standing} and day between ${from} and ${to}`),
  );
  return { days, gaps: [...new Set(missing)].toSorted(), shares };
}

/** The vacant seats of the given shifts; a post that goes by weeks has one seat for the whole week. */
function seatsOf(
  plan: Plan,
  shifts: readonly (typeof shiftTable.$inferSelect)[],
  kept: readonly { shift_id: number; post: number }[],
  there: readonly { day: string; people: number[] }[],
  away: ReadonlyMap<number, readonly Span[]>,
) {
  const found = new Map<string, Seat & { of: (typeof shifts)[number][] }>();
  for (const shift of shifts)
    for (const [at, need] of shift.needs.entries()) {
      const post = at + 1;
      const free = need - kept.filter((one) => one.shift_id === shift.id && one.post === post).length;
      const week = mondayOf(shift.day);
      const weekly = post === dutyPost.lead && plan.lead_weekly;
      for (let place = 0; place < free; place++) {
        const id = `${post} ${weekly ? week : shift.day} ${place}`;
        const span = { from: ms(shift.start_time), to: ms(shift.end_time) };
        const before = found.get(id);
        const of = [...(before?.of ?? []), shift];
        const spans = [...(before?.spans ?? []), span];
        // The person who began the week keeps it.
        const begun = weekly
          ? there.find((one) => mondayOf(one.day) === week && one.people.length > place)?.people[place]
          : undefined;
        const holds =
          begun !== undefined &&
          !spans.some((one) => away.get(begun)?.some((other) => one.from < other.to && other.from < one.to));
        found.set(id, {
          id,
          post,
          of,
          spans,
          weight: (before?.weight ?? 0) + weights[shift.kind]!,
          rests: post === restingPost,
          ...(holds ? { holder: begun } : {}),
        });
      }
    }
  return [...found.values()];
}

async function peopleOf(tx: Db, plan: Plan): Promise<Map<number, number[]>> {
  const { rows } = await tx.execute<{ post: number; user_id: number }>(
    sql`select m.id - ${plan.id} * 10 post, m.user_id from (${everybodyIn(poolsOf(sql`id = ${plan.id}`))}) m join app_user u on u.id = m.user_id order by m.id, u.sort, u.id`,
  );
  return new Map([...Map.groupBy(rows, (row) => row.post)].map(([post, own]) => [post, own.map((row) => row.user_id)]));
}

/** Other engagements, absences and points of the pools' people; new people begin at the average. */
async function knownOf(tx: Db, plan: Plan, people: readonly number[], from: string, to: string) {
  const mine = sql`any(${sql.param([...people])}::int[])`;
  const days = (offset: number, day: string) => sql`${dayAfter(day, offset)}::date`;
  const { rows: spans } = await tx.execute<{ person: number; rests: boolean | null; from: string; to: string }>(
    sql`select user_id person, post = ${restingPost} rests, left(start_time::text, 19) "from", left(end_time::text, 19) "to" from duty_person
        where user_id = ${mine} and start_time < ${days(4, to)} and end_time > ${days(-3, from)}
      union all select person, null, left(start_time::text, 19), left(end_time::text, 19) from ${absences} a (person, start_time, end_time)
        where person = ${mine} and start_time < ${days(3, to)} and end_time > ${from}::date`,
  );
  const { rows: counted } = await tx.execute<{ person: number; post: number; points: number }>(
    sql`select user_id person, post, sum(kind)::int points from duty_person d join duty_shift s on s.id = d.shift_id
      where s.plan_id = ${plan.id} and s.day between ${days(-pointDays, from)} and ${to} and user_id = ${mine} group by 1, 2`,
  );
  const pick = (which: (row: (typeof spans)[number]) => boolean) =>
    Map.groupBy(
      spans
        .filter(which)
        .map((row) => ({ person: row.person, from: ms(row.from), to: ms(row.to), rests: row.rests === true })),
      (row) => row.person,
    );
  const points = new Map<string, number>();
  for (const post of Object.keys(dutyPost.names).map(Number)) {
    const own = counted.filter((row) => row.post === post);
    const average = own.length > 0 ? own.reduce((sum, row) => sum + row.points, 0) / own.length : 0;
    for (const person of people)
      points.set(`${post}:${person}`, own.find((row) => row.person === person)?.points ?? average);
  }
  return { taken: pick((row) => row.rests !== null), away: pick((row) => row.rests === null), points };
}
