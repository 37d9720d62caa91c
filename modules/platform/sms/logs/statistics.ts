import { and, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { tenths } from '#kernel/server/figures/cube.ts';
import { figuresHandler } from '#kernel/server/figures/handler.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { smsState } from '../contract/labels.ts';
import { smsFigures } from '../contract/statistics.ts';
import { logsWithin } from './logs.ts';
import { periodsOf, rulesOf, type SmsRules } from '../templates/rules.ts';
import { smsLogTable, smsQuotaTable } from '../tables.ts';

/** The remaining quotas, and the messages sent by month and by department within the viewer's scope. */
export const smsStatistics = figuresHandler(smsFigures, {
  counted: async (tx, user, _asked, { start, end }, now) => ({
    user,
    now,
    rules: await rulesOf(tx.services.settings),
    which: and(
      logsWithin(user, 'Retrieve'),
      sql`${smsLogTable.gmt_created} >= ${start}::date and ${smsLogTable.gmt_created} < ${end}::date + 1`,
    ),
  }),
  cube: ({ which, rules: { price } }) => ({
    // Only messages accepted by a provider cost anything.
    rows: sql`
        select to_char(gmt_created, 'YYYY-MM') as month, dept_id, state,
          case when state in (${inSql(smsState.sent, smsState.delivered)}) or (state = ${inSql(smsState.failed)} and sent_at is not null) then segments else 0 end as taken
        from sms_log where ${which}`,
    dims: {
      month: { column: 'month' },
      dept: {
        column: 'dept_id',
        most: 'total',
        unknown: '系统',
        names: (tx, lines) =>
          deptNamesById(
            tx,
            lines.map(({ key }) => Number(key)),
          ),
      },
    },
    measures: {
      total: sql`count(*)`,
      segments: sql`sum(taken)`,
      delivered: sql`count(*) filter (where state = ${inSql(smsState.delivered)})`,
      failed: sql`count(*) filter (where state = ${inSql(smsState.failed)})`,
      rate: tenths(
        sql`100.0 * count(*) filter (where state = ${inSql(smsState.delivered)}) / nullif(count(*) filter (where state in (${inSql(smsState.delivered, smsState.failed)})), 0)`,
      ),
      cost: price === 0 ? sql`null::numeric` : sql`round(sum(taken) * ${price}::numeric / 100, 2)`,
    },
  }),
  summary: (tx, of) => quotas(tx, of),
});

async function quotas(tx: Db, { user, rules, now }: { user: Viewer; rules: SmsRules; now: Date }) {
  const { day, month } = periodsOf(now);
  const reached = within(scopeOf(user, 'Retrieve', 'sms/logs'), smsQuotaTable.subject_id, sql`false`);
  const rows = await tx
    .select()
    .from(smsQuotaTable)
    .where(
      sql`(kind = 'sender' and since = ${day} and subject_id = ${user.id}) or (kind = 'dept' and since = ${month} and ${reached})`,
    );
  const own = rows.find((row) => row.kind === 'sender');
  const depts = rows.filter((row) => row.kind === 'dept');
  const names = await deptNamesById(
    tx,
    depts.map((row) => row.subject_id),
  );
  return {
    today: { used: own?.used ?? 0, limit: rules.dayQuota },
    depts: depts
      .map((row) => ({ dept_name: names.get(row.subject_id) ?? '', used: row.used, limit: rules.monthQuota }))
      .toSorted((a, b) => b.used - a.used),
  };
}
