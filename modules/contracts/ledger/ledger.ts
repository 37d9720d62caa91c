import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { ListOptions } from '#modules/records/service.ts';
import { countedTo, type contracts as calls, type Quick } from '../contract/contracts.ts';
import { rulesOf } from '../record/assess.ts';
import { factsOf, quickFilters, termEnd } from '../record/facts.ts';
import { contracts } from '../record/record.ts';
import { shownRow } from '../record/server.ts';
import { contractSideTable, contractTable } from '../tables.ts';

type Filters = Partial<Omit<QueryOf<typeof calls.list>, 'order_by'>>;
const given = <T>(value: T | undefined, condition: (value: T) => SQL) =>
  value === undefined ? undefined : condition(value);

/** What lists of contracts are narrowed to, the same for the drafters' list and the ledger. */
const narrowed = (query: Filters): SQL | undefined =>
  and(
    given(
      query.category_id,
      (one) =>
        sql`${contractTable.category_id} in (with recursive down as (select id from contract_category where id = ${one}
        union select c.id from contract_category c join down on c.parent_id = down.id) select id from down)`,
    ),
    given(query.stage, (one) => eq(contractTable.stage, one)),
    given(query.act_state, (one) => eq(contractTable.act_state, one)),
    given(query.pay_direction, (one) => eq(contractTable.pay_direction, one)),
    given(query.nature, (one) => eq(contractTable.nature, one)),
    given(query.dept_id, (one) => eq(contractTable.dept_id, one)),
    given(query.parent_id, (one) => eq(contractTable.parent_id, one)),
    given(
      query.party_id,
      (one) =>
        sql`exists (select from ${contractSideTable} s where s.contract_id = ${contractTable.id} and s.party_id = ${one})`,
    ),
    given(query.amount_min, (one) => sql`${contractTable.amount} >= ${one}`),
    given(query.amount_max, (one) => sql`${contractTable.amount} <= ${one}`),
    given(query.create_start, (one) => sql`${contractTable.gmt_created} >= ${one}::date`),
    given(query.create_end, (one) => sql`${contractTable.gmt_created} < ${one}::date + 1`),
  );
export const listOptions = (query: Filters): ListOptions => ({
  where: narrowed(query),
  sort: { amount: contractTable.amount, contract_no: contractTable.contract_no, name: contractTable.name },
});

/** 合同台账: contracts of the data scope, with how many each quick filter would show. */
export async function ledger(
  query: QueryOf<typeof calls.manage>,
  { tx, user, now }: { tx: Db; user: Viewer; now: Date },
) {
  const viewer = await contracts.viewerOf(tx, user);
  const { soon_days } = await rulesOf(tx);
  const quick = quickFilters(dayOf(now), soon_days);
  const { sort, where } = listOptions(query);
  const own = and(
    where,
    given(query.undertaker, (one) => eq(contractTable.undertaker, one)),
    query.quick ? quick[query.quick] : undefined,
  );
  const options = { where: own ?? sql`true`, sort: { ...sort, term_end: termEnd, sign_date: contractTable.sign_date } };
  const found = await contracts.list(tx, viewer, { ...query, category: 'all' }, options);
  const facts = await factsOf(
    tx,
    found.value.map(({ row }) => row),
    now,
  );
  const counts = query.export ? noCounts : await countsOf(tx, contracts.inCategory(tx, viewer, 'all'), quick);
  return {
    ...found,
    counts,
    value: found.value.map(({ row, approval }) => shownRow(row, approval, viewer, facts.get(row.id)!)),
  };
}
const noCounts: Record<Quick, number> = { to_sign: 0, expiring: 0, late: 0, to_archive: 0, suspended: 0, unpaid: 0 };

/**
 * How many contracts each quick filter shows, as far as a tag tells it: looking on would cost the more the more contracts there are. One
 * statement.
 */
async function countsOf(tx: Db, scope: SQL, quick: Record<Quick, SQL>): Promise<Record<Quick, number>> {
  const open = and(scope, ne(contractTable.act_state, 0));
  const each = Object.entries(quick).map(
    ([name, condition]) => sql`(select count(*)::int from (select 1 from ${contractTable}
      where ${open} and ${condition} limit ${countedTo}) found) ${sql.identifier(name)}`,
  );
  const { rows } = await tx.execute<Record<Quick, number>>(sql`select ${sql.join(each, sql`, `)}`);
  return rows[0]!;
}
