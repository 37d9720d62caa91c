import { asc, eq, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { recallTable } from '../tables/ledger.ts';

/** The sealed copies of an application that have not come back, after corrections of the ledger; several seals on one copy count once. */
export const copiesOutside = (application: SQL): SQL<number> => sql<number>`((
    select coalesce(max(coalesce(better.real_copies, used.real_copies)), 0) from stamp_use used
    left join stamp_use better on better.corrects_id = used.id
    where used.corrects_id is null and used.application_id = ${application})
  - (select coalesce(sum(recall.copies), 0) from stamp_recall recall where recall.application_id = ${application}))::int`;

/** The sealed copies of several applications that have not come back. */
export async function countOutside(tx: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await tx.execute<{ copies: number }>(
    sql`select coalesce(sum(${copiesOutside(sql`one.id`)}), 0)::int copies from unnest(${sql.param([...ids])}::int[]) one(id)`,
  );
  return rows[0]!.copies;
}

/** The copies of an application that came back, each with the keeper who took them. */
export async function recallsOf(tx: Db, application: number) {
  const { id, application_id, copies, remark, taken_by, gmt_created } = recallTable;
  const rows = await tx
    .select({ copies, remark, taken_by, at: gmt_created })
    .from(recallTable)
    .where(eq(application_id, application))
    .orderBy(asc(id));
  const people = await peopleById(
    tx,
    rows.map((row) => row.taken_by),
  );
  return rows.map(({ taken_by: by, ...row }) => ({ ...row, by: people.get(by)?.alias ?? '' }));
}
