import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { categoryTree } from '../categories.ts';
import type { folders } from '../contract.ts';
import { paperStatus } from '../contract/list.ts';
import type { PaperViewer } from '../papers/audience.ts';
import { fwhPrefix, fwhYear, paperRows, selectPapers, unconfirmedBy } from '../papers/list.ts';
import { papers } from '../papers/record.ts';
import { collectTable, paperTable } from '../tables.ts';

const shown = 10;
const mustReadShown = 50;
const { status, top, publish_date, read_count, read_deadline, id } = paperTable;

/** The sections of the home page; one statement each. */
export async function home(tx: Db, viewer: PaperViewer) {
  const visible = papers.visible(tx, viewer);
  const inForce = and(eq(status, paperStatus.inForce), visible);
  const section = async (which: SQL | undefined, order: readonly SQL[], limit = shown) => {
    const found = await selectPapers(tx, viewer)
      .where(which)
      .orderBy(...order)
      .limit(limit);
    return paperRows(tx, viewer, found);
  };
  const newest = [desc(publish_date), desc(id)];
  return {
    categories: await categoryTree(tx, viewer),
    latest: await section(inForce, [desc(top), ...newest]),
    hot: await section(inForce, [desc(read_count), ...newest]),
    must_read: await section(and(inForce, unconfirmedBy(viewer)), [sql`${read_deadline}`, ...newest], mustReadShown),
    my_collect: await section(and(visible, sql`${collectTable.id} is not null`), [desc(collectTable.id)]),
  };
}

/** Departments with papers in force that the viewer sees, those with the most first. */
export async function publishers(tx: Db, viewer: PaperViewer) {
  const { rows } = await tx.execute<{ id: number; name: string; count: number }>(sql`
    select d.id, d.name, count(*)::int count from ${paperTable} join dept d on d.id = ${paperTable.dept_id}
    where ${status} = ${paperStatus.inForce} and ${papers.visible(tx, viewer)} group by d.id order by 3 desc, d.id`);
  return rows;
}

/** Prefixes of the issue numbers of papers the viewer sees, with their years. */
export async function numbers(tx: Db, viewer: PaperViewer, query: QueryOf<typeof folders.numbers>) {
  if (query.type) return { value: [] };
  const { fwh } = paperTable;
  const starts = query.search_value === '' ? undefined : sql`starts_with(${fwh}, ${query.search_value})`;
  const value = await tx
    .select({
      prefix: fwhPrefix,
      years: sql<number[]>`array_remove(array_agg(distinct ${fwhYear}), null)`,
      count: sql<number>`count(*)::int`,
    })
    .from(paperTable)
    .where(and(sql`${fwh} <> '' and ${status} <> ${inSql(paperStatus.draft)}`, starts, papers.visible(tx, viewer)))
    .groupBy(sql`1`)
    .orderBy(sql`3 desc, 1`)
    .limit(200);
  return { value: value.map((row) => ({ ...row, years: row.years.toSorted((a, b) => b - a) })) };
}
