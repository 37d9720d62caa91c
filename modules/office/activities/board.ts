import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activityStatistics, type boardCalls, type Entry } from './contract/board.ts';
import { activityStatus, activityType } from './contract/codes.ts';
import { clashesAmong } from './engine/clashes.ts';
import { activities } from './record/record.ts';
import { activityTable } from './tables.ts';

const t = activityTable;
/** True if the activity takes place, took place or waits for approval. */
const counts = sql`${t.act_state} in (${inSql(actState.ongoing, actState.finished)}) and ${t.activity_status} <> ${inSql(activityStatus.cancelled)}`;
const mostEntries = 500;

/** The activities of a span of days that the viewer sees, with those that clash with each other. */
export async function board(tx: Db, user: Viewer, { start, end, dept }: QueryOf<typeof boardCalls.data>) {
  const viewer = await activities.viewerOf(tx, user);
  const rows = await tx
    .select({
      id: t.id,
      title: t.title,
      type_id: t.type_id,
      start_time: sql<string>`${t.start_time}`.mapWith(t.start_time),
      end_time: sql<string>`${t.end_time}`.mapWith(t.end_time),
      place: t.location,
      leaders: sql<
        string[]
      >`array(select u.alias from activity_leader l join app_user u on u.id = l.user_id where l.activity_id = activity.id order by u.sort, u.id)`,
      held: sql<boolean>`${t.act_state} = ${inSql(actState.ongoing)}`,
      activity_status: t.activity_status,
    })
    .from(t)
    .where(
      and(
        counts,
        sql`${t.start_time} < ${end}::date + 1 and ${t.end_time} >= ${start}::date`,
        dept === undefined ? undefined : eq(t.dept_id, dept),
        activities.visible(tx, viewer),
      ),
    )
    .orderBy(asc(t.start_time), asc(t.id))
    .limit(mostEntries);
  return { calendar: rows as Entry[], clashes: clashesAmong(rows) };
}

const percent = (part: SQL, of: SQL) =>
  sql`round(100.0 * count(*) filter (where ${part}) / nullif(count(*) filter (where ${of}), 0), 1)::float8`;
export const statistics = figuresHandler(activityStatistics, {
  async counted(tx, user, asked, { start, end }): Promise<SQL> {
    const seen = activities.reaches(await activities.viewerOf(tx, user), 'Retrieve');
    return and(
      sql`${t.act_state} = ${inSql(actState.finished)} and ${t.activity_status} <> ${inSql(activityStatus.cancelled)}`,
      seen,
      sql`${t.start_time} >= ${start}::date and ${t.start_time} < ${end}::date + 1`,
      asked.dept ? eq(t.dept_id, asked.dept) : undefined,
      asked.type ? eq(t.type_id, asked.type) : undefined,
    )!;
  },
  cube: (counted) => ({
    rows: sql`select ${t.type_id} as type_id, ${t.dept_id} as dept_id, to_char(${t.start_time}, 'YYYY-MM') as month, ${t.urgent} as urgent,
      ${t.has_external} as external, ${t.activity_status} as at, coalesce(${t.actual_in}, ${t.in_count}) as inside,
      coalesce(${t.actual_out}, ${t.out_count}) as outside from ${t} where ${counted}`,
    dims: {
      type: { column: 'type_id', most: 'count', names: activityType.names },
      dept: {
        column: 'dept_id',
        most: 'count',
        unknown: '未定部门',
        names: (tx, lines) =>
          deptNamesById(
            tx,
            lines.map((line) => Number(line.key)),
          ),
      },
      month: { column: 'month' },
    },
    measures: {
      count: sql`count(*)::int`,
      in_people: sql`coalesce(sum(inside), 0)::int`,
      out_people: sql`coalesce(sum(outside), 0)::int`,
      urgent: sql`(count(*) filter (where urgent))::int`,
      external: sql`(count(*) filter (where external))::int`,
      on_time: percent(sql`not urgent`, sql`true`),
      summarised: percent(sql`at = 3`, sql`at in (2, 3)`),
    },
  }),
  summary: (_tx, _of, { count = 0, in_people = 0, out_people = 0, urgent = 0, external = 0 }) => ({
    count,
    in_people,
    out_people,
    urgent,
    external,
  }),
});

/** Counts the reviews that other thresholds would have required over the last twelve months, beside those that were required. */
export async function effectOf(tx: Db, { in_max, out_max, publicity_types }: QueryOf<typeof boardCalls.effect>) {
  const types = sql.param(publicity_types.split(',').filter(Boolean).map(Number));
  const n = (where: SQL) => sql<number>`(count(*) filter (where ${where}))::int`;
  const [row] = await tx
    .select({
      total: sql<number>`count(*)::int`,
      safety: n(sql`${t.in_count} > ${in_max} or ${t.out_count} > ${out_max}`),
      publicity: n(sql`${t.is_social_science} or ${t.type_id} = any(${types}::int[])`),
      was_safety: n(sql`(${t.judged} #>> '{verdict,need_safety}')::boolean`),
      was_publicity: n(sql`(${t.judged} #>> '{verdict,need_publicity}')::boolean`),
    })
    .from(t)
    .where(
      and(eq(t.act_state, actState.finished), sql`${t.start_time} between now() - interval '12 months' and now()`),
    );
  return row!;
}
