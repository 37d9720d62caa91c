import { sql, type SQL } from 'drizzle-orm';
import type { RowOf } from '#kernel/contract/figures.ts';
import { lastDayOf } from '#kernel/contract/moment.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Services } from '#kernel/server/services.ts';
import { implement } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { tenths, type Cube, type Line } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { sheetColour, subState, superviseSource } from '../contract/codes.ts';
import { superviseImport } from '../contract/import.ts';
import { noDocuments } from '../contract/refusals.ts';
import { bulletinCalls, superviseStatistics, type Bulletin } from '../contract/statistics.ts';
import { clockOf } from '../record/lights.ts';
import { runningSub, subLitAs } from '../record/columns.ts';
import { cameOut } from '../record/sub-rows.ts';
import { module } from '../record/visibility.ts';
import { sheetTable, subTable as s, superviseTable as t } from '../tables.ts';
import { superviseImports } from './import.ts';

const idsOf = (lines: readonly Line[]) => lines.map((line) => Number(line.key));
/** Parts that were issued, not cancelled and due in the period: the base of all statistics and the bulletin. */
const parts = (where: SQL, more = sql``) =>
  sql`from ${s} join ${t} on ${t.id} = ${s.supervise_id} ${more} where ${cameOut.count} and ${where}`;
const redSheets = sql`(select count(*)::int from ${sheetTable} where ${sheetTable.sub_id} = ${s.id} and ${sheetTable.colour} = ${inSql(sheetColour.red)})`;
const dueWithin = (start: string, end: string) => sql`${s.due_at} >= ${start}::date and ${s.due_at} < ${end}::date + 1`;
const reached = (user: Viewer) => within(scopeOf(user, 'Retrieve', superviseStatistics.page), s.dept, sql`false`);

type Asked = { where: SQL; user: Viewer; start: string; end: string };
const cube = ({ where }: Asked): Cube => ({
  rows: sql`select ${s.dept} dept, ${t.source} source, to_char(${s.due_at}, 'YYYY-MM') as month, ${t.leader} leader, ${s.status} = ${inSql(subState.finished)} done, ${cameOut.on_time} on_time, ${cameOut.late} late,
    extract(epoch from ${s.done_at} - ${s.issued_at}) / 86400 as days, ${t.score} score, ${redSheets} reds ${parts(where)}`,
  dims: {
    dept: { column: 'dept', most: 'ranked', names: (tx, lines) => deptNamesById(tx, idsOf(lines)) },
    source: { column: 'source', most: 'count', names: superviseSource.names },
    month: { column: 'month' },
    leader: {
      column: 'leader',
      most: 'count',
      names: async (tx, lines) =>
        new Map([...(await peopleById(tx, idsOf(lines)))].map(([id, card]) => [id, card.alias])),
    },
  },
  measures: {
    count: sql`count(*)::int`,
    done: sql`(count(*) filter (where done))::int`,
    on_time: sql`(count(*) filter (where on_time))::int`,
    late: sql`(count(*) filter (where late))::int`,
    rate: tenths(sql`100.0 * count(*) filter (where on_time) / nullif(count(*) filter (where done or late), 0)`),
    avg_days: tenths(sql`avg(days)`),
    score: tenths(sql`avg(score)`),
    reds: sql`coalesce(sum(reds), 0)::int`,
    ranked: sql`coalesce(100.0 * count(*) filter (where on_time) / nullif(count(*) filter (where done or late), 0), -1) * 1000 + count(*) filter (where done)`,
  },
});

type Row = RowOf<typeof superviseStatistics>;
const statistics = figuresHandler(superviseStatistics, {
  counted: async (_tx, user, asked, { start, end }): Promise<Asked> => ({
    where: sql`${reached(user)} and ${dueWithin(start, end)} and ${asked.dept ? sql`${s.dept} = ${asked.dept}` : sql`true`}`,
    user,
    start,
    end,
  }),
  cube,
  panels: {
    async checker(tx, { user, start, end }, most) {
      const { rows } = await tx.execute<Partial<Row> & { key: string; name: string }>(sql`
        select u.id::text "key", u.alias "name", count(*)::int checks, (count(*) filter (where coalesce(p.check_time, now()) > p.check_due))::int late_checks,
          ${tenths(sql`avg(extract(epoch from coalesce(p.check_time, now()) - p.gmt_created)) / 3600`)}::float8 avg_hours
        from supervise_progress p join ${s} on ${s.id} = p.sub_id join ${t} on ${t.id} = p.supervise_id join app_user u on u.id = coalesce(p.checker, ${t.supervisor})
        where ${reached(user)} and p.gmt_created >= ${start}::date and p.gmt_created < ${end}::date + 1 group by u.id order by late_checks desc, checks desc limit ${most + 1}`);
      return rows;
    },
    async red(tx, { where }, most) {
      const { rows } = await tx.execute<Partial<Row> & { key: string; name: string }>(sql`
        select ${t.id}::text "key", ${s.title} "name", d.name dept, extract(day from now() - ${s.due_at})::int days_late, ${redSheets} reds
        ${parts(sql`${where} and ${runningSub} and ${subLitAs(4)}`, sql`join dept d on d.id = ${s.dept}`)} order by ${s.due_at} limit ${most + 1}`);
      return rows;
    },
  },
  summary: (_tx, _of, { count = 0, done = 0, on_time = 0, late = 0, reds = 0 }) => ({
    count,
    done,
    on_time,
    late,
    reds,
  }),
});

/** The bulletin of a month: statistics of the parts due in it, late parts, and parts done in time. */
async function bulletinOf(tx: Db, user: Viewer, month: string): Promise<Bulletin> {
  const where = sql`${reached(user)} and ${dueWithin(`${month}-01`, lastDayOf(month))}`;
  const { rows } = await tx.execute<
    Bulletin['red'][number] & { done: boolean; on_time: boolean; late: boolean; reds: number }
  >(sql`
    select ${s.id} id, ${t.id} supervise_id, ${s.title} title, ${s.dept} dept_id, (select name from dept where dept.id = ${s.dept}) dept, (select alias from app_user where app_user.id = ${s.owner}) owner,
      to_char(${s.due_at}, 'YYYY-MM-DD') due_at, to_char(${s.first_due_at}, 'YYYY-MM-DD') first_due_at, ${s.status} = ${inSql(subState.finished)} done, ${cameOut.on_time} on_time, ${cameOut.late} late, ${redSheets} reds
    ${parts(where)} order by ${s.due_at}, ${s.id}`);
  const n = (of: readonly (typeof rows)[number][], key: 'done' | 'on_time' | 'late') =>
    of.filter((row) => row[key]).length;
  const depts = [...Map.groupBy(rows, (row) => row.dept_id)].map(([id, of]) => ({
    id,
    name: of[0]!.dept,
    count: of.length,
    done: n(of, 'done'),
    late: n(of, 'late'),
    reds: of.reduce((sum, row) => sum + row.reds, 0),
  }));
  const { escalate_red } = await clockOf(tx);
  const found = {
    month,
    count: rows.length,
    done: n(rows, 'done'),
    on_time: n(rows, 'on_time'),
    late: n(rows, 'late'),
    depts: depts.toSorted((a, b) => a.late - b.late || b.done - a.done),
    red: rows.filter((row) => row.late && !row.done),
    good: rows.filter((row) => row.on_time),
    named: depts.filter((dept) => dept.reds >= escalate_red).map((dept) => dept.name),
  };
  return { ...found, html: wordsOf(found) };
}
function wordsOf({ month, count, done, on_time, late, depts, red, good, named }: Omit<Bulletin, 'html'>): string {
  const p = (words: string) => `<p>${asMarkup(words)}</p>`;
  const list = (rows: Bulletin['red']) =>
    rows
      .map((row) =>
        p(
          `${row.title}（${row.dept}，${row.owner}，时限 ${row.due_at}${row.first_due_at && row.first_due_at !== row.due_at ? `，原定 ${row.first_due_at}` : ''}）`,
        ),
      )
      .join('');
  return [
    p(
      `${Number(month.slice(0, 4))} 年 ${Number(month.slice(5))} 月应办督办任务 ${count} 项，办结 ${done} 项，其中按时办结 ${on_time} 项；逾期 ${late} 项。`,
    ),
    p('一、各部门办理情况'),
    ...depts.map((dept) => p(`${dept.name}：应办 ${dept.count} 项，办结 ${dept.done} 项，逾期 ${dept.late} 项。`)),
    ...(good.length > 0 ? [p('二、按时办结'), list(good)] : []),
    ...(red.length > 0 ? [p(`${good.length > 0 ? '三' : '二'}、逾期未办结`), list(red)] : []),
    ...(named.length > 0 ? [p(`收到多张红色督办单、予以通报的部门：${named.join('、')}。`)] : []),
  ].join('');
}

/** Writes the bulletin of a month into a draft document, which fixes its figures. */
export async function draftBulletin(
  by: Parameters<DraftDocument>[0],
  { month, title }: BodyOf<typeof bulletinCalls.draft>,
) {
  const make = by.tx.services.product.draftDocument;
  if (!make) throw noDocuments();
  const { html } = await bulletinOf(by.tx, by.user, month);
  const called = `关于 ${Number(month.slice(0, 4))} 年 ${Number(month.slice(5))} 月督办工作情况的通报`;
  return make(by, { type: 9, title: title ?? called, html });
}
type DraftDocument = NonNullable<Services['product']['draftDocument']>;

export const moreModules = [
  implement(module, { statistics: superviseStatistics.call }, { statistics }),
  implement(module, superviseImport.calls, superviseImports),
  implement(module, bulletinCalls, {
    bulletin: async ({ query }, { tx, user }) => ({ value: await bulletinOf(tx, user, query.month) }),
    draft: ({ body }, context) => draftBulletin(context, body),
  }),
];
