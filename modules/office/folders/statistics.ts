import { inArray, sql, type SQL } from 'drizzle-orm';
import type { RowOf } from '#kernel/contract/figures.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Cube, Line } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { paperStatus } from './contract/list.ts';
import { folderStatistics } from './contract/statistics.ts';
import { readingOf, unconfirmedOf } from './papers/audience.ts';
import { papers, viewerOf } from './papers/record.ts';
import { categoryTable } from './tables.ts';

type Found = Partial<RowOf<typeof folderStatistics>> & { key: string; name: string };
const idsOf = (lines: readonly { key: string }[]) => lines.map(({ key }) => Number(key));
const ask = async (tx: Db, select: SQL, most: number) =>
  (await tx.execute<Found>(sql`${select} limit ${most + 1}`)).rows;
const mustRead = (mine: SQL, which = sql`true`) => sql`
  select id::text key, title as name, read_deadline::text as day from folder_paper
  where ${mine} and status = ${inSql(paperStatus.inForce)} and must_read and ${which} order by read_deadline, id`;

async function categoryNames(tx: Db, lines: readonly Line[]) {
  const { id, name } = categoryTable;
  const rows = await tx
    .select({ id, name })
    .from(categoryTable)
    .where(inArray(id, idsOf(lines)));
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The number of papers. */
const counted = (mine: SQL): Cube => ({
  rows: sql`select category_id, dept_id, status from folder_paper where ${mine}`,
  dims: {
    category: { column: 'category_id', most: 'count', names: categoryNames },
    dept: { column: 'dept_id', most: 'count', names: (tx, lines) => deptNamesById(tx, idsOf(lines)) },
    status: { column: 'status', names: paperStatus.names },
  },
  measures: { count: sql`count(*)` },
});

/** Papers that must be read, with the share of their audience who confirmed them. */
async function rated(tx: Db, mine: SQL, most: number): Promise<Found[]> {
  const found = await ask(tx, mustRead(mine), most);
  const known = await readingOf(tx, idsOf(found));
  return found.map((paper) => {
    const { total = 0, confirmed: done = 0 } = known.get(Number(paper.key)) ?? {};
    return { ...paper, total, done, rate: total === 0 ? 0 : Math.floor((done * 100) / total) };
  });
}

/** The number of overdue confirmations, by main department. */
async function late(tx: Db, mine: SQL, most: number): Promise<Found[]> {
  const found = await ask(tx, mustRead(mine, sql`read_deadline < current_date`), most);
  const columns = sql`coalesce(d.id, 0)::text key, coalesce(d.name, '未分部门') as name, count(*)::int count`;
  const people = sql`join app_user u on u.id = a.person left join dept d on d.id = u.dept_id`;
  const select = sql`${unconfirmedOf(idsOf(found), columns, people)} group by d.id order by 3 desc, 1`;
  return found.length === 0 ? [] : ask(tx, select, most);
}

export const statistics = figuresHandler(folderStatistics, {
  counted: async (tx, user) => papers.reaches(await viewerOf(tx, user), 'Retrieve'),
  cube: counted,
  panels: {
    must_read: rated,
    overdue: late,
    expired: (tx, mine, most) =>
      ask(
        tx,
        sql`select id::text key, title as name, expire_date::text as day from folder_paper
          where ${mine} and status = ${inSql(paperStatus.inForce)} and expire_date < current_date order by expire_date, id`,
        most,
      ),
    miss: (tx, _mine, most) =>
      ask(
        tx,
        sql`select word key, word as name, sum(times)::int count, max(day)::text as day from folder_search_miss
          where day > current_date - 90 group by word order by 3 desc, word`,
        most,
      ),
  },
  summary: () => ({}),
});
