import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { asked } from '#kernel/server/list/asked.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { quick as quickNames, type contracts as calls, type Quick } from '../contract/contracts.ts';
import { countedMost, factsOf, quickFilters } from '../record/facts.ts';
import { listOptions } from '../record/filters.ts';
import { contracts } from '../record/record.ts';
import { shownRow } from '../record/server.ts';
import { contractTable } from '../tables.ts';

/** 合同台账: contracts in the user's scope, with the counts of the quick filters. */
export async function ledger(
  query: QueryOf<typeof calls.manage>,
  { tx, user, now }: { tx: Db; user: Viewer; now: Date },
) {
  const viewer = await contracts.viewerOf(tx, user);
  const quick = quickFilters(dayOf(now));
  const { sort, where } = listOptions(query, user);
  const own = and(
    where,
    asked(query.undertaker, (one) => eq(contractTable.undertaker, one)),
    query.quick ? quick[query.quick] : undefined,
  );
  const options = {
    where: own,
    sort: { ...sort, term_end: contractTable.term_end, sign_date: contractTable.sign_date },
  };
  // In parallel, because reading calls use a pool of connections.
  const [{ found, more }, counts] = await Promise.all([
    contracts.list(tx, viewer, { ...query, category: 'scope' }, options, (rows) => factsOf(tx, rows, now)),
    query.export ? noCounts : countsOf(tx, contracts.inCategory(tx, viewer, 'scope'), quick),
  ]);
  return {
    ...found,
    counts,
    value: found.value.map(({ row, approval }) => shownRow(row, approval, viewer, more!.get(row.id)!)),
  };
}
const noCounts = Object.fromEntries(Object.keys(quickNames).map((name) => [name, 0])) as Record<Quick, number>;

/**
 * The counts of the quick filters, up to the limit a tag shows, because exact counts grow expensive with the number of contracts. One
 * statement.
 */
async function countsOf(tx: Db, scope: SQL, quick: Record<Quick, SQL>): Promise<Record<Quick, number>> {
  const each = Object.entries(quick).map(
    ([name, condition]) => sql`(select count(*)::int from (select 1 from ${contractTable}
      where ${scope} and ${condition} limit ${countedMost}) found) ${sql.identifier(name)}`,
  );
  const [counts] = await namedRows<Record<Quick, number>>(tx, sql`select ${sql.join(each, sql`, `)}`);
  return counts!;
}
