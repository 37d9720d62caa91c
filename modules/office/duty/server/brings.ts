import { and, asc, eq, sql } from 'drizzle-orm';
import { dayAfter } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { mostEntries, type Feeds } from '#modules/platform/feeds/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { dutyStatistics, page } from '../contract.ts';
import { dutyDay, dutyPost, dutySource, swapState } from '../contract/codes.ts';
import { notYours } from '../contract/refusals.ts';
import { planTable } from '../tables.ts';
import { setPeople } from './roster.ts';
import { gapOf, lockRosters, reaches, requireFit, requireShift, standing } from './shifts.ts';
import { linkOf } from './told.ts';

/** The people a plan's gaps and swaps wait for: its keeper, or the office if the keeper has left. */
const keepers = sql`cross join lateral (select u.id from app_user u where u.id = keeper_id and u.is_active and not u.is_deleted
  union select h.user_id from held_role h join role r on r.id = h.role_id and r.code = 'office_admin'
  where not exists (select from app_user u where u.id = keeper_id and u.is_active and not u.is_deleted)) keeper (id)`;
const ahead = sql`from duty_shift join duty_plan on duty_plan.id = plan_id ${keepers}
  where ${standing} and duty_shift.start_time < now() + interval '31 days' and duty_shift.end_time > now() and ${gapOf} > 0`;
const agreed = sql`from duty_swap w join duty_shift on duty_shift.id = w.shift_id join duty_plan on duty_plan.id = plan_id ${keepers} where w.state = ${inSql(swapState.agreed)}`;
const titled = (words: string) => sql`${words}::text || to_char(day, 'MM-DD') || ' ' || duty_shift.name`;
const asked = sql`from duty_swap w join duty_shift on duty_shift.id = w.shift_id where w.state = ${inSql(swapState.asked)} and duty_shift.start_time > now()`;
const mine = sql`from duty_person d join duty_shift on duty_shift.id = d.shift_id where published_at is not null and (d.post = ${inSql(dutyPost.staff)} or needs[2] = 0)`;
const toTake = sql`${mine} and taken_at is null and duty_shift.start_time < now() + interval '30 minutes' and duty_shift.end_time > now()`;
const toHand = sql`${mine} and taken_at is not null and duty_shift.end_time < now() + interval '30 minutes'
  and not exists (select from duty_handover h where h.shift_id = duty_shift.id)`;
type Sql = ReturnType<typeof sql>;
/** `each` distinguishes two rows of one shift. */
const waits = (rows: { of: Sql; who: Sql; words: string; due?: Sql; since?: Sql; from?: Sql; each?: Sql }[]) => {
  const due = sql`duty_shift.start_time`;
  return {
    mine: (_tx: Db, { id }: { id: number }) =>
      Promise.resolve(
        sql.join(
          rows.map(
            (row) =>
              sql`select duty_shift.id, ${titled(row.words)}, ${row.due ?? due}, concat_ws(' ', ${row.words}::text, ${row.each ?? sql`null`}), ${row.since ?? sql`null::timestamptz`}, ${row.from ?? sql`null::int`} ${row.of} and ${row.who} = ${id}`,
          ),
          sql` union all `,
        ),
      ),
    everybodys: () =>
      Promise.resolve(
        sql.join(
          rows.map((row) => sql`select ${row.who}, ${row.due ?? due} ${row.of}`),
          sql` union all `,
        ),
      ),
    linkOf: ({ id }: { id: number }) => linkOf(id),
  };
};
/** Gaps and agreed swaps for those who manage a plan; requests for those on duty. */
export const dutyWaits: Waits[] = [
  {
    key: 'duty-plan',
    page,
    path: '/schedule/duty?tab=duty-plan',
    title: '值班缺人与换班确认',
    ...waits([
      { of: ahead, who: sql`keeper.id`, words: '缺人：' },
      {
        of: agreed,
        who: sql`keeper.id`,
        words: '换班待确认：',
        each: sql`w.id`,
        since: sql`w.gmt_modified`,
        from: sql`w.from_id`,
      },
    ]),
  },
  {
    key: 'duty',
    page,
    path: '/schedule/duty?tab=duty',
    title: '我的值班',
    ...waits([
      {
        of: asked,
        who: sql`w.with_id`,
        words: '换班待答复：',
        each: sql`w.id`,
        since: sql`w.gmt_created`,
        from: sql`w.from_id`,
      },
      { of: toTake, who: sql`d.user_id`, words: '待接班：' },
      { of: toHand, who: sql`d.user_id`, words: '待交班：', due: sql`duty_shift.end_time` },
    ]),
  },
];

const aheadOf = (tx: Db, person: number) =>
  namedRows<{ id: number; title: string; note: string; at: string; post: number }>(
    tx,
    sql`select s.id, day || ' ' || s.name title, (${sql.param(Object.values(dutyPost.names))}::text[])[d.post] note, left(s.start_time::text, 19) at, d.post
      from duty_person d join duty_shift s on s.id = d.shift_id where d.user_id = ${person} and s.start_time > now() order by s.start_time`,
  );
const keptBy = (tx: Db, person: number) =>
  tx
    .select({ id: planTable.id, title: planTable.name, note: sql<string>`'值班方案负责人'`, at: sql<null>`null` })
    .from(planTable)
    .where(and(eq(planTable.keeper_id, person), eq(planTable.is_deleted, false)))
    .orderBy(asc(planTable.id));
/** A leaver's future shifts, and the plans they manage. */
export const dutyLeaves: Leaves[] = [
  {
    key: 'duty',
    title: '值班班次',
    openOf: async (tx, person, limit) => heldOf(await aheadOf(tx, person), limit),
    async handOver(tx, from, to, { user }, only) {
      await lockRosters(tx);
      return eachHanded(await aheadOf(tx, from.id), only, async ({ id, post }) => {
        const shift = await requireShift({ tx, user }, id, true);
        if (!shift.manages) throw notYours('移交值班班次', '办公室');
        await requireFit(tx, [{ user_id: to.id, post, shift }], true);
        await setPeople({ tx, user }, shift, [from.id], [{ user_id: to.id, post }], 2, '离岗移交');
      });
    },
  },
  {
    key: 'duty_plans',
    title: '值班方案',
    openOf: async (tx, person, limit) => heldOf(await keptBy(tx, person), limit),
    handOver: async (tx, from, to, { user }, only) =>
      eachHanded(await keptBy(tx, from.id), only, async ({ id }) => {
        const done = await tx
          .update(planTable)
          .set({ keeper_id: to.id })
          .where(and(eq(planTable.id, id), reaches(user, 'Update')))
          .returning({ id: planTable.id });
        if (done.length === 0) throw notYours('移交值班方案', '办公室');
      }),
  },
];

/** A person's published shifts. */
export const dutyFeeds: Feeds = {
  duty: {
    name: '值班',
    async entries(tx, { id }, from, to) {
      const rows = await namedRows<{
        id: number;
        name: string;
        post: number;
        start: string;
        end: string;
        version: number;
        modified: string;
        phone: string;
      }>(
        tx,
        sql`select s.id, s.name, d.post, left(s.start_time::text, 19) start, left(s.end_time::text, 19) "end", s.version, left(s.gmt_modified::text, 19) modified, phone
          from duty_person d join duty_shift s on s.id = d.shift_id join duty_plan p on p.id = s.plan_id
          where d.user_id = ${id} and published_at is not null and s.end_time > ${from}::timestamptz and s.start_time < ${dayAfter(to, 1)}::timestamptz order by s.start_time limit ${mostEntries + 1}`,
      );
      return rows.map(({ name, post, phone, ...row }) => ({
        ...row,
        title: `值班：${name}（${dutyPost.label(post)}）`,
        description: phone && `值班电话 ${phone}`,
        path: linkOf(row.id),
      }));
    },
  },
};

const numbers = (lines: readonly { key: string }[]) => lines.map((line) => Number(line.key));
/** The number of shifts by person, in the plans the viewer reaches; points as the engine counts them. */
export const statistics = figuresHandler(dutyStatistics, {
  counted: (_tx, user, { plan_id }, { start, end }) =>
    Promise.resolve(
      sql`published_at is not null and ${standing} and day between ${start} and ${end} and ${reaches(user, 'Retrieve')} and (${plan_id ?? null}::int is null or plan_id = ${plan_id ?? null})`,
    ),
  cube: (of) => ({
    rows: sql`select user_id person, (select dept_id from app_user where id = user_id) dept, kind, (source = ${inSql(dutySource.swapped)})::int swapped
      from duty_person join duty_shift on duty_shift.id = shift_id join duty_plan on duty_plan.id = plan_id where ${of}`,
    dims: {
      person: {
        column: 'person',
        most: 'points',
        names: async (tx, lines) =>
          new Map([...(await peopleById(tx, numbers(lines)))].map(([id, card]) => [id, card.alias])),
      },
      dept: {
        column: 'dept',
        most: 'points',
        unknown: '未填',
        names: (tx, lines) => deptNamesById(tx, numbers(lines)),
      },
    },
    measures: {
      count: sql`count(*)`,
      points: sql`sum(kind)`,
      work: sql`count(*) filter (where kind = ${inSql(dutyDay.work)})`,
      rest: sql`count(*) filter (where kind = ${inSql(dutyDay.rest)})`,
      holiday: sql`count(*) filter (where kind = ${inSql(dutyDay.holiday)})`,
      swapped: sql`sum(swapped)`,
    },
  }),
  summary: async (tx, of) => {
    const [row] = await namedRows<{ gaps: number }>(
      tx,
      sql`select coalesce(sum(${gapOf}), 0)::int gaps from duty_shift join duty_plan on duty_plan.id = plan_id where ${of}`,
    );
    return { gaps: row!.gaps };
  },
});
