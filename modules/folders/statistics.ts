import { sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOfRead } from '#kernel/server/list/paging.ts';
import type { folders } from './contract.ts';
import { statusName } from './contract/list.ts';
import type { FigureRow, FiguresBy } from './contract/statistics.ts';
import { lateByDept, readingOf, type PaperViewer } from './papers/audience.ts';
import { papers } from './papers/record.ts';

type Asked = QueryOf<typeof folders.statistics>;
interface Found extends Partial<FigureRow> {
  [column: string]: unknown;
  key: string;
  name: string;
}
/** Most lines of one table. */
const max = 1000;

/** Figures of the papers a person manages, by one thing: a statement, two for what is about readers. */
export async function statistics(tx: Db, viewer: PaperViewer, asked: Asked) {
  const mine = papers.reaches(viewer, 'Retrieve');
  const none = { count: 0, total: 0, done: 0, rate: 0, day: null };
  const rows = (await found(tx, asked.by, mine)).map((row): FigureRow => ({ ...none, ...row }));
  const { order_by } = asked;
  const sorted = order_by
    ? rows.toSorted((a, b) => (asked.desc ? compare(b[order_by], a[order_by]) : compare(a[order_by], b[order_by])))
    : rows;
  return pageOfRead(asked, sorted, max);
}

const compare = (a: number | string | null, b: number | string | null) =>
  (a ?? '') < (b ?? '') ? -1 : a === b ? 0 : 1;

async function found(tx: Db, by: FiguresBy, mine: SQL): Promise<Found[]> {
  const ask = async (select: SQL) => (await tx.execute<Found>(sql`${select} limit ${max + 1}`)).rows;
  switch (by) {
    case 'category':
      return ask(sql`select c.id::text key, c.name, count(*)::int count from folder_paper
        join folder_category c on c.id = folder_paper.category_id where ${mine} group by c.id order by 3 desc, c.id`);
    case 'dept':
      return ask(sql`select d.id::text key, d.name, count(*)::int count from folder_paper
        join dept d on d.id = folder_paper.dept_id where ${mine} group by d.id order by 3 desc, d.id`);
    case 'status':
      return (
        await ask(sql`select status::text key, '' as name, count(*)::int count from folder_paper
          where ${mine} group by status order by status`)
      ).map((row) => ({ ...row, name: statusName(Number(row.key)) }));
    case 'must_read':
      return rated(tx, await ask(mustRead(mine, sql`true`)));
    case 'overdue': {
      const late = await ask(mustRead(mine, sql`folder_paper.read_deadline < current_date`));
      return late.length === 0 ? [] : ask(lateByDept(late.map((paper) => Number(paper.key))));
    }
    case 'expired':
      return ask(sql`select id::text key, title as name, expire_date::text as day, 1 as count from folder_paper
        where ${mine} and status = 1 and expire_date < current_date order by expire_date, id`);
    case 'miss':
      return ask(sql`select word key, word as name, sum(times)::int count, max(day)::text as day from folder_search_miss
        where day > current_date - 90 group by word order by 3 desc, word`);
  }
}

const mustRead = (mine: SQL, which: SQL) => sql`
  select folder_paper.id::text key, folder_paper.title as name, folder_paper.read_deadline::text as day from folder_paper
  where ${mine} and folder_paper.status = 1 and folder_paper.must_read and ${which} order by folder_paper.read_deadline, folder_paper.id`;

async function rated(tx: Db, found: readonly Found[]): Promise<Found[]> {
  const known = await readingOf(
    tx,
    found.map((paper) => Number(paper.key)),
  );
  return found.map((paper) => {
    const { total = 0, confirmed: done = 0 } = known.get(Number(paper.key)) ?? {};
    return { ...paper, total, done, rate: total === 0 ? 0 : Math.floor((done * 100) / total) };
  });
}
