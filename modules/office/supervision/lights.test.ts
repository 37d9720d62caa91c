import { afterAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { dayMs, momentText } from '#kernel/contract/moment.ts';
import { openTestApp } from '#apps/server/testing.ts';
import { workingMinutesBetween, type Calendar } from '#modules/platform/calendars/service.ts';
import { lightOf, litAs, marksOf, nextFeedback, type Clock, type Plan } from './record/lights.ts';

const app = await openTestApp();
afterAll(app.close);

const dayOf = (at: number) => new Date(at + 8 * 36e5).toISOString().slice(0, 10);

/** The light at one second, computed by the written rules straight from the plan. */
function lightAt(plan: Plan, clock: Clock, asked: number): number {
  const at = plan.rested ? Math.min(asked, plan.rested.getTime()) : asked;
  const now = new Date(at);
  if (plan.due < now) return 4;
  if (plan.feedback && plan.feedback < now) return 3;
  const minutes = (until: Date) => Math.round(workingMinutesBetween(plan.start, until, clock.calendar) * 60_000);
  const share = plan.progress + clock.behind;
  if (plan.stages.length > 0) {
    const past = plan.stages.filter(({ day }) => dayOf(at) > day).reduce((sum, { weight }) => sum + weight, 0);
    if (past > share) return 3;
  } else if (now > plan.start && minutes(now) * 100 > share * minutes(plan.due)) return 3;
  let left = 0;
  const last = Date.parse(dayOf(plan.due.getTime()));
  for (let day = Date.parse(dayOf(at)) + dayMs; day <= last; day += dayMs)
    left += clock.calendar.works(new Date(day).toISOString().slice(0, 10)) ? 1 : 0;
  return left <= clock.near_days ? 2 : 1;
}

const chance = chanceOf(38).draw;
const below = (most: number) => Math.floor(chance() * most);
const first = Date.parse('2026-01-01T00:00:00+08:00');
const second = (days: number) => new Date(first + Math.floor(chance() * days * 86_400) * 1000);

function someClock(): Clock {
  const rest = new Set(Array.from({ length: 40 }, () => dayOf(first + below(500) * dayMs)));
  const five = chance() < 0.8;
  const works = (day: string) =>
    !rest.has(day) && (!five || ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()));
  const hours = [
    [
      { from: 480, to: 720 },
      { from: 840, to: 1050 },
    ],
    [{ from: 0, to: 1440 }],
    [{ from: 540, to: 1020 }],
  ][below(3)]!;
  return { calendar: { works, hours } as Calendar, near_days: below(8), behind: 1 + below(50), feedback_hour: '17:00' };
}
function somePlan(): Plan {
  const start = second(300);
  const due = new Date(start.getTime() + (1 + below(120 * 86_400)) * 1000);
  const count = chance() < 0.5 ? 0 : 1 + below(4);
  const weights = Array.from({ length: count }, (_none, at) =>
    at < count - 1 ? Math.floor(100 / count) : 100 - Math.floor(100 / count) * (count - 1),
  );
  const stages = weights.map((weight) => ({ weight, day: dayOf(start.getTime() + below(130) * dayMs) }));
  const between = () => new Date(start.getTime() + below(130 * 86_400) * 1000);
  return {
    start,
    due,
    progress: below(100),
    stages,
    feedback: chance() < 0.5 ? between() : null,
    rested: chance() < 0.2 ? between() : null,
  };
}

test('the light is the same in SQL and in the rules at every second of a year, for any calendar, stages and reports', async () => {
  const rows: object[] = [];
  const wanted: number[] = [];
  for (let at = 0; at < 10_000; at++) {
    const [clock, plan] = [someClock(), somePlan()];
    const marks = marksOf(plan, clock);
    const near = [marks.red_at, marks.yellow_at, marks.blue_at, plan.rested].filter((one) => one !== null);
    const edge = near[below(near.length)];
    const asked =
      edge && chance() < 0.6
        ? edge.getTime() + (below(3) - 1) * 1000
        : plan.start.getTime() + below(140 * 86_400) * 1000;
    const text = (one: Date | null) => one && momentText(one);
    rows.push({
      n: at,
      asked: momentText(new Date(asked)),
      status: 1,
      red_at: text(marks.red_at),
      yellow_at: text(marks.yellow_at),
      blue_at: text(marks.blue_at),
    });
    wanted.push(lightAt(plan, clock, asked));
  }
  const column = (name: string) => sql`m.${sql.identifier(name)}` as never;
  const marked = {
    status: column('status'),
    red_at: column('red_at'),
    yellow_at: column('yellow_at'),
    blue_at: column('blue_at'),
  };
  // Evaluates each light's own condition, as the filter of lists does.
  const litAll = [0, 1, 2, 3, 4].map((light) => sql`(${light}::int, ${litAs(marked, [3, 5], light, sql`m.asked`)})`);
  const { rows: found } = await app.services.databases.write((tx) =>
    tx.execute<{ light: number; lit: number[] }>(sql`select ${lightOf(marked, [3, 5], sql`m.asked`)} light,
        array(select n from (values ${sql.join(litAll, sql`, `)}) one (n, lit) where lit) lit
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) m (n int, asked timestamptz, status int, red_at timestamptz, yellow_at timestamptz, blue_at timestamptz) order by n`),
  );
  const wrong = found.flatMap(({ light, lit }, at) =>
    light === wanted[at] && lit.join() === `${light}` ? [] : [{ at, light, lit, wanted: wanted[at] }],
  );
  expect(wrong).toEqual([]);
  const kinds = Map.groupBy(wanted, (light) => light);
  for (const light of [1, 2, 3, 4]) expect(kinds.get(light)!.length).toBeGreaterThan(300);
}, 180_000);

test('a report is due one cycle later at the set hour, on a working day', () => {
  const clock: Clock = {
    calendar: { works: (day) => day !== '2026-03-31', hours: [] },
    near_days: 3,
    behind: 20,
    feedback_hour: '17:00',
  };
  const from = new Date('2026-01-31T23:30:00+08:00');
  const on = (cycle: number) => nextFeedback(cycle, from, clock) && momentText(nextFeedback(cycle, from, clock)!);
  expect([0, 1, 2, 3, 4].map(on)).toEqual([
    null,
    '2026-02-07 17:00:00',
    '2026-02-14 17:00:00',
    '2026-02-28 17:00:00',
    '2026-04-30 17:00:00',
  ]);
  expect(
    momentText(
      nextFeedback(3, new Date('2026-02-28T10:00:00+08:00'), {
        ...clock,
        calendar: { ...clock.calendar, works: (day) => day !== '2026-03-28' },
      })!,
    ),
  ).toBe('2026-03-29 17:00:00');
});
