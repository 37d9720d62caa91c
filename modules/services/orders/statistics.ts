import { sql, type SQL } from 'drizzle-orm';
import type { RowOf } from '#kernel/contract/figures.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { tenths, type Cube } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { orderStage } from './contract/codes.ts';
import { orderStatistics } from './contract/statistics.ts';
import { isLate } from './record/reading.ts';
import { orderCategoryTable as c, orderMaterialTable as m, orderTable as t } from './tables.ts';

interface Asked {
  where: SQL;
  scope: SQL;
  start: string;
  end: string;
}
const share = (of: SQL, among: SQL) =>
  tenths(sql`100.0 * count(*) filter (where ${of}) / nullif(count(*) filter (where ${among}), 0)`);
const between = (column: unknown, start: string, end: string) =>
  sql`${column} >= ${start}::date and ${column} < ${end}::date + 1`;
const over = sql`(select max(e.at) from order_event e where e.order_id = ${t.id} and e.kind in ('close', 'withdraw'))`;
/** SQL: accepted in time; an order that was not accepted is late once its time is past, unless it ended before. */
const answered = sql`case when ${t.accept_at} is not null then ${t.accept_at} <= ${t.response_due}
  when least(${over}, now()) > ${t.response_due} then false end`;
/** SQL: repaired in time; an open order is late once its time is past. */
const met = sql`coalesce(${t.finish_met}, case when ${t.stage} between ${inSql(orderStage.reported)} and ${inSql(orderStage.working)} and ${t.finish_due} < now() then false end)`;

/** Orders confirmed by silence count as five, and are also counted separately. */
const cube = ({ where }: Asked): Cube => ({
  rows: sql`select to_char(${t.gmt_created}, 'YYYY-MM') as month, ${t.category_id} category, ${t.handler_id} handler, ${t.stage} between ${inSql(orderStage.reported)} and ${inSql(orderStage.finished)} as open, ${isLate} late,
    ${answered} as answered, ${met} met, ${t.reopen_count} > 0 as reworked, ${t.finish_at} is not null as finished,
    ${t.score} score, case when ${t.auto_confirmed} and ${t.score} is null then 5 else ${t.score} end score_auto, ${t.auto_confirmed} and ${t.score} is null as auto,
    ${t.used_minutes} / 60.0 as hours from ${t} where ${where}`,
  dims: {
    month: { column: 'month' },
    category: {
      column: 'category',
      most: 'count',
      names: async (tx, lines) =>
        new Map(
          (await tx.select({ id: c.id, name: c.name }).from(c))
            .filter((row) => lines.some((line) => Number(line.key) === row.id))
            .map((row) => [row.id, row.name]),
        ),
    },
    handler: {
      column: 'handler',
      most: 'count',
      names: async (tx, lines) =>
        new Map(
          [
            ...(await peopleById(
              tx,
              lines.map((line) => Number(line.key)),
            )),
          ].map(([id, card]) => [id, card.alias]),
        ),
    },
  },
  measures: {
    count: sql`count(*)::int`,
    open: sql`(count(*) filter (where open))::int`,
    late: sql`(count(*) filter (where late))::int`,
    response_rate: share(sql`answered`, sql`answered is not null`),
    finish_rate: share(sql`met`, sql`met is not null`),
    rework_rate: share(sql`reworked`, sql`finished`),
    first_rate: share(sql`finished and not reworked`, sql`finished`),
    score: tenths(sql`avg(score)`),
    score_auto: tenths(sql`avg(score_auto)`),
    unrated: sql`(count(*) filter (where auto))::int`,
    hours: tenths(sql`avg(hours) filter (where finished)`),
  },
});
type Row = RowOf<typeof orderStatistics>;
type Line = Partial<Row> & { key: string; name: string };
const used = ({ where, start, end }: Asked) =>
  sql`from ${m} left join ${t} on ${t.id} = ${m.order_id} where ${between(m.gmt_created, start, end)} and (${m.order_id} is null or ${where})`;

export const statistics = figuresHandler(orderStatistics, {
  async counted(_tx, user, asked, { start, end }): Promise<Asked> {
    const scope = sql`not ${t.is_deleted} and ${t.act_state} <> ${inSql(actState.draft)} and ${within(scopeOf(user, 'Retrieve', orderStatistics.page), t.dept_id, sql`false`)}
      and ${asked.category_id ? sql`${t.category_id} = ${asked.category_id}` : sql`true`} and ${asked.team_id ? sql`${t.team_id} = ${asked.team_id}` : sql`true`}`;
    return { where: sql`${scope} and ${between(t.gmt_created, start, end)}`, scope, start, end };
  },
  cube,
  panels: {
    place: (tx, { scope }, most) =>
      namedRows<Line>(
        tx,
        sql`select concat(${t.building}, '|', ${t.room}) "key", concat_ws(' ', ${t.building}, ${t.room}) "name", count(*)::int count, (count(*) filter (where ${t.stage} between ${inSql(orderStage.reported)} and ${inSql(orderStage.finished)}))::int open,
          to_char(max(${t.gmt_created}), 'YYYY-MM-DD') last from ${t} where ${scope} and ${t.room} <> '' and ${t.gmt_created} > now() - interval '90 days'
        group by ${t.building}, ${t.room} having count(*) >= 3 order by count desc limit ${most + 1}`,
      ),
    material: (tx, of, most) =>
      namedRows<Line>(
        tx,
        sql`select concat(${m.name}, '|', ${m.spec}) "key", concat_ws(' ', ${m.name}, nullif(${m.spec}, '')) "name", sum(${m.qty})::float8 qty, sum(${m.amount})::float8 cost
        ${used(of)} group by ${m.name}, ${m.spec} order by cost desc limit ${most + 1}`,
      ),
  },
  async summary(tx, of, { count = 0, open = 0, late = 0, score = null, score_auto = null, unrated = 0 }) {
    const [spent] = await namedRows<{ cost: number }>(
      tx,
      sql`select coalesce(sum(${m.amount}), 0)::float8 cost ${used(of)}`,
    );
    return { count, open, late, score, score_auto, unrated, cost: spent?.cost ?? 0 };
  },
});
