import { and, desc, eq, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { deptNamesById } from '#modules/people/service.ts';
import { categoryTree } from '../categories/categories.ts';
import type { folders } from '../contract.ts';
import { paperStatus } from '../contract/rows.ts';
import { paperRows, selectPapers, toConfirm } from '../papers/paper-rows.ts';
import { visibleTo, type PaperViewer } from '../categories/visibility.ts';
import { collectTable, paperTable } from '../tables.ts';
import { fwhPrefix, fwhYear } from '../papers/papers.ts';

const fileStore = 10;
const mustReadShown = 50;

/** What a person is shown first; each section is one statement. */
export async function home(tx: Db, user: PaperViewer) {
  const inForce = and(eq(paperTable.status, paperStatus.inForce), visibleTo(user));
  const select = () => selectPapers(tx, user).$dynamic();
  const newest = desc(paperTable.publish_date);
  const latest = await select()
    .where(inForce)
    .orderBy(desc(paperTable.top), newest, desc(paperTable.id))
    .limit(fileStore);
  const hot = await select()
    .where(inForce)
    .orderBy(desc(paperTable.read_count), newest, desc(paperTable.id))
    .limit(fileStore);
  const toRead = await select()
    .where(and(inForce, toConfirm(user)))
    .orderBy(paperTable.read_deadline, newest, desc(paperTable.id))
    .limit(mustReadShown);
  const collected = await select()
    .where(and(visibleTo(user), sql`${collectTable.id} is not null`))
    .orderBy(desc(collectTable.id))
    .limit(fileStore);
  return {
    categories: await categoryTree(tx, user),
    latest: await paperRows(tx, user, latest),
    hot: await paperRows(tx, user, hot),
    must_read: await paperRows(tx, user, toRead),
    my_collect: await paperRows(tx, user, collected),
  };
}

/** Departments with papers in force that the person sees, those with most first. */
export async function publishers(tx: Db, user: PaperViewer) {
  const rows = await tx
    .select({ id: paperTable.dept_id, count: sql<number>`count(*)::int` })
    .from(paperTable)
    .where(and(eq(paperTable.status, paperStatus.inForce), visibleTo(user)))
    .groupBy(paperTable.dept_id)
    .orderBy(sql`2 desc`, paperTable.dept_id);
  const names = await deptNamesById(
    tx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ ...row, name: names.get(row.id) ?? '' }));
}

/** Beginnings of the issue numbers of papers the person sees, with their years. */
export async function numbers(tx: Db, user: PaperViewer, query: QueryOf<typeof folders.numbers>) {
  if (query.type) return { value: [] };
  const value = await tx
    .select({
      prefix: fwhPrefix,
      years: sql<number[]>`array_remove(array_agg(distinct ${fwhYear}), null)`,
      count: sql<number>`count(*)::int`,
    })
    .from(paperTable)
    .where(
      and(
        sql`${paperTable.fwh} <> '' and ${paperTable.status} <> 0`,
        query.search_value === '' ? undefined : sql`starts_with(${paperTable.fwh}, ${query.search_value})`,
        visibleTo(user),
      ),
    )
    .groupBy(sql`1`)
    .orderBy(sql`3 desc, 1`)
    .limit(200);
  return { value: value.map((row) => ({ ...row, years: row.years.toSorted((a, b) => b - a) })) };
}
