import { and, eq, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { deptNamesById } from '#modules/people/service.ts';
import type { statistics } from '../contract/statistics.ts';
import { logsWithin } from './logs.ts';
import { periodsOf, rulesOf } from '../templates/rules.ts';
import type { SmsServices } from '../service.ts';
import { smsLogTable, smsQuotaTable } from '../tables.ts';

const monthsShown = 6;

/** What is left of the quotas, and what was sent by month and by department within the viewer's scope. */
export async function statisticsOf(
  tx: Db,
  user: Viewer,
  query: QueryOf<typeof statistics.statistics>,
  { settings }: SmsServices,
  now: Date,
) {
  const rules = await rulesOf(settings);
  const { day, month } = periodsOf(now);
  const quotas = await tx
    .select()
    .from(smsQuotaTable)
    .where(
      sql`(kind = 'sender' and since = ${day} and subject_id = ${user.id}) or (kind = 'dept' and since = ${month} and ${within(
        scopeOf(user, 'Retrieve', 'sms/logs'),
        smsQuotaTable.subject_id,
        sql`false`,
      )})`,
    );
  const { gmt_created: created, dept_id: deptId } = smsLogTable;
  const start = query.start
    ? sql`${query.start}::date`
    : sql`${month}::date - make_interval(months => ${monthsShown - 1})`;
  const where = and(
    logsWithin(user, 'Retrieve'),
    sql`${created} >= ${start}`,
    query.end ? sql`${created} < ${query.end}::date + 1` : undefined,
  );
  const monthOf = sql<string>`to_char(${created}, 'YYYY-MM')`;
  const months = await tx
    .select({ month: monthOf, ...sums })
    .from(smsLogTable)
    .where(where)
    .groupBy(sql`1`)
    .orderBy(sql`1 desc`);
  const depts = await tx
    .select({ deptId, ...sums })
    .from(smsLogTable)
    .where(where)
    .groupBy(deptId)
    .orderBy(sql`3 desc`);
  const names = await deptNamesById(tx, [
    ...depts.flatMap((row) => row.deptId ?? []),
    ...quotas.filter((row) => row.kind === 'dept').map((row) => row.subject_id),
  ]);
  const costOf = (segments: number) => (rules.price === 0 ? null : ((segments * rules.price) / 100).toFixed(2));
  return {
    today: { used: quotas.find((row) => row.kind === 'sender')?.used ?? 0, limit: rules.dayQuota },
    depts: quotas
      .filter((row) => row.kind === 'dept')
      .map((row) => ({ dept_name: names.get(row.subject_id) ?? '', used: row.used, limit: rules.monthQuota }))
      .toSorted((a, b) => b.used - a.used),
    by_month: months.map((row) => ({ ...row, cost: costOf(row.segments) })),
    by_dept: depts.map(({ deptId: dept, ...row }) => ({
      ...row,
      dept_name: dept === null ? '系统' : (names.get(dept) ?? ''),
      cost: costOf(row.segments),
    })),
  };
}

const { state } = smsLogTable;
const counted = (of: ReturnType<typeof eq>) => sql<number>`(count(*) filter (where ${of}))::int`;
// Only what a provider took is paid for.
const taken = sql`${state} in (1, 2) or (${state} = 3 and ${smsLogTable.sent_at} is not null)`;
const sums = {
  total: sql<number>`count(*)::int`,
  segments: sql<number>`coalesce(sum(${smsLogTable.segments}) filter (where ${taken}), 0)::int`,
  delivered: counted(eq(state, 2)),
  failed: counted(eq(state, 3)),
};
