import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { RowOf, SummaryOf } from '#kernel/contract/figures.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { tenths, type Cube, type Line } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { direction, stage } from '../contract/codes.ts';
import { contractStatistics } from '../contract/statistics.ts';
import { counted, due, expiring, moves, toArchive, toSign, unpaid } from '../performing/figures.ts';
import { isLate } from '../performing/state.ts';
import { contracts } from '../record/record.ts';
import { contractCategoryTable, contractTable } from '../tables.ts';

type Found = Partial<RowOf<typeof contractStatistics>> & { key: string; name: string };
interface Counted {
  /** Contracts I see, of any day. */
  mine: SQL;
  /** Those of them that were approved in the period. */
  chosen: SQL;
  today: string;
}
const { running, terminated, expired } = stage;
const idsOf = (lines: readonly { key: string }[]) => lines.map(({ key }) => Number(key));
const ask = async (tx: Db, select: SQL, most: number) =>
  (await tx.execute<Found>(sql`${select} limit ${most + 1}`)).rows;

async function categoryNames(tx: Db, lines: readonly Line[]) {
  const { id, name } = contractCategoryTable;
  const rows = await tx
    .select({ id, name })
    .from(contractCategoryTable)
    .where(inArray(id, idsOf(lines)));
  return new Map(rows.map((row) => [row.id, row.name]));
}

const since = sql`coalesce(approved_at, sign_date)`;
const paid = (way: 1 | 2) => sql`coalesce(sum(amount) filter (where pay_direction = ${way}), 0)::float8`;
const cube = ({ chosen }: Counted): Cube => ({
  rows: sql`select to_char(${since}, 'YYYY-MM') "month", category_id, dept_id, pay_direction, amount, is_standard_text,
    extract(epoch from approved_at - gmt_created) / 86400 days from contract where ${chosen}`,
  dims: {
    month: { column: 'month' },
    category: { column: 'category_id', most: 'count', names: categoryNames },
    dept: { column: 'dept_id', most: 'count', names: (tx, lines) => deptNamesById(tx, idsOf(lines)) },
  },
  measures: {
    count: sql`count(*)`,
    amount_out: paid(1),
    amount_in: paid(2),
    standard_rate: tenths(sql`100.0 * count(*) filter (where is_standard_text) / nullif(count(*), 0)`),
    approval_days: tenths(sql`avg(days)`),
  },
});

const byParty = ({ chosen }: Counted) => sql`
  select s.party_id::text key, p.name, count(*)::int count, ${paid(1)} amount_out, ${paid(2)} amount_in
  from contract join contract_side s on s.contract_id = contract.id join contract_party p on p.id = s.party_id
  where ${chosen} group by s.party_id, p.name order by 3 desc, s.party_id`;

/** Amounts still to be paid and received, by month of the due day; late ones stay until they are done. */
const forecast = ({ mine, today }: Counted) => sql`
  select to_char(plan_date, 'YYYY-MM') key, to_char(plan_date, 'YYYY-MM') as name,
    coalesce(sum(${due}) filter (where direction = ${inSql(direction.out)}), 0)::float8 as out,
    coalesce(sum(${due}) filter (where direction = ${inSql(direction.in)}), 0)::float8 as in,
    coalesce(sum(${due}) filter (where plan_date < ${today}::date), 0)::float8 as late
  from contract_performance join contract on contract.id = contract_performance.contract_id
  where ${mine} and contract.stage in (${running}, ${expired}, ${terminated}) and is_open and ${moves}
    and plan_date < date_trunc('month', ${today}::date) + interval '12 months'
  group by 1, 2 order by 1`;

const listed = (which: SQL, day: SQL) => sql`
  select id::text key, contract.name, contract_no number, ${day}::text as day from contract where ${which} order by 4, id`;

export const statistics = figuresHandler(contractStatistics, {
  async counted(tx, user, asked, period, now): Promise<Counted> {
    const mine = and(
      contracts.visible(tx, await contracts.viewerOf(tx, user)),
      asked.category_id ? eq(contractTable.category_id, asked.category_id) : undefined,
      asked.dept_id ? eq(contractTable.dept_id, asked.dept_id) : undefined,
    )!;
    const days = sql`${since} >= ${period.start}::date and ${since} < ${period.end}::date + 1`;
    return { mine, chosen: sql`${mine} and ${counted} and ${days}`, today: dayOf(now) };
  },
  cube,
  panels: {
    party: (tx, of, most) => ask(tx, byParty(of), most),
    forecast: (tx, of, most) => ask(tx, forecast(of), most),
    expiring: (tx, { mine, today }, most) => {
      return ask(tx, listed(sql`${mine} and ${expiring(today, 90)}`, sql`term_end`), most);
    },
    backdated: (tx, { chosen }, most) => ask(tx, listed(sql`${chosen} and backdated`, sql`sign_date`), most),
  },
  async summary(tx, { mine, today }, sum) {
    const many = (which: SQL) => sql`(select count(*)::int from contract where ${mine} and ${which})`;
    const { rows } = await tx.execute<Record<string, number>>(sql`
      with seen as materialized (select contract.id, pay_direction, paid, refunded, ${unpaid} unpaid from contract where ${mine} and ${counted})
      select coalesce(sum(paid) filter (where pay_direction = ${inSql(direction.out)}), 0)::float8 paid,
        coalesce(sum(paid) filter (where pay_direction = ${inSql(direction.in)}), 0)::float8 received, coalesce(sum(refunded), 0)::float8 refunded,
        coalesce(sum(unpaid) filter (where pay_direction = ${inSql(direction.out)}), 0)::float8 unpaid,
        (select count(*)::int from contract_performance join contract on contract.id = contract_performance.contract_id
          where contract.id in (select id from seen) and ${isLate(today)}) overdue_nodes,
        ${many(expiring(today, 30))} d30, ${many(expiring(today, 60))} d60, ${many(expiring(today, 90))} d90,
        ${many(toSign)} to_sign, ${many(toArchive)} to_archive from seen`);
    const told = Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)]));
    const { count = 0, amount_out = 0, amount_in = 0, approval_days = 0, standard_rate = 0 } = sum;
    const period = {
      count,
      amount_out,
      amount_in,
      avg_approval_days: approval_days,
      standard_text_rate: standard_rate,
    };
    return { ...told, ...period } as SummaryOf<typeof contractStatistics>;
  },
});
