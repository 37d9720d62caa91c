import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import type { RuleValue } from '#kernel/contract/rules.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { holdersOf, peopleById } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { lineState, paperKind } from '../contract/codes.ts';
import { stampStatistics, type oversightCalls, type stampRules } from '../contract/oversight.ts';
import { alertResult } from '../contract/seal-codes.ts';
import { handledBefore } from '../contract/seal-refusals.ts';
import { alertPath, sealNews } from '../notify.ts';
import { alertTable, stampTable } from '../tables/seals.ts';

const { page } = stampStatistics;
/** The period of alerts; older facts are ignored. */
const lately = sql`now() - interval '31 days'`;

/** Queries for alerts, by kind: rows `(about, title, stamp_id, application_id)`. `about` identifies the fact, so that it is reported once. */
const findings = (rule: RuleValue<typeof stampRules>): Readonly<Record<number, SQL>> => ({
  1: sql`select receiver || ' ' || to_char(max(sealed_at), 'YYYY-MM'), '与“' || receiver || '”30 天内用印 ' || count(*) || ' 次',
      (array_agg(stamp_id order by id desc))[1], (array_agg(application_id order by id desc))[1]
    from stamp_use where corrects_id is null and receiver <> '' and sealed_at > now() - interval '30 days'
    group by receiver having count(*) >= ${rule.alert_receiver_times}`,
  2: sql`select u.id::text, '《' || u.file_name || '》用印 ' || u.real_copies || ' 份，同类通常 ' || round(m.usual) || ' 份',
      u.stamp_id, u.application_id
    from stamp_use u cross join lateral (
      select percentile_cont(0.5) within group (order by o.real_copies) usual, count(*) known from stamp_use o
      where o.dept_id = u.dept_id and o.file_kind = u.file_kind and o.corrects_id is null and o.id <> u.id
        and o.sealed_at > u.sealed_at - interval '1 year') m
    where u.corrects_id is null and u.sealed_at > ${lately} and m.known >= 5
      and u.real_copies > m.usual * ${rule.alert_copies_times}`,
  3: sql`select id::text, '《' || file_name || '》在用印时段之外用印：' || to_char(sealed_at, 'YYYY-MM-DD HH24:MI'), stamp_id, application_id
    from stamp_use where corrects_id is null and after_hours and sealed_at > ${lately}`,
  4: sql`select l.application_id || ' ' || n.id, '《' || n.title || '》被拒绝用印后又以同一文件申请另一枚印章', o.stamp_id, n.id
    from stamp_line l join stamp_file f on f.application_id = l.application_id and f.kind = ${inSql(paperKind.toSeal)}
    join stamp_file g on g.sha256 = f.sha256 and g.kind = ${inSql(paperKind.toSeal)} and g.application_id > l.application_id
    join stamp_application n on n.id = g.application_id and n.act_state in (${inSql(actState.ongoing, actState.finished)})
    join stamp_line o on o.application_id = n.id and o.stamp_id <> l.stamp_id
    where l.state = ${inSql(lineState.refused)} and n.gmt_created > ${lately}`,
  5: sql`select f.sha256 || ' ' || u.stamp_id, '《' || min(u.file_name) || '》同一文件用同一枚印章盖了 ' || count(distinct u.application_id) || ' 次',
      u.stamp_id, max(u.application_id)
    from stamp_use u join stamp_file f on f.application_id = u.application_id and f.kind = ${inSql(paperKind.toSeal)}
    where u.corrects_id is null group by f.sha256, u.stamp_id
    having count(distinct u.application_id) > 1 and max(u.sealed_at) > ${lately}`,
  6: sql`select u.id::text, '《' || u.file_name || '》的保管人是唯一审批人', u.stamp_id, u.application_id
    from stamp_use u join stamp_application a on a.id = u.application_id
    join ticket_log l on l.ticket_id = a.ticket_id and l.action = 'handle' and l.actor_id <> a.creator_id
    where u.corrects_id is null and u.sealed_at > ${lately}
    group by u.id having count(distinct l.actor_id) = 1 and min(l.actor_id) = u.keeper_id`,
  7: sql`select o.id::text, '《' || a.title || '》外借的印章应于 ' || to_char(o.due_at, 'YYYY-MM-DD HH24:MI') || ' 归还', o.stamp_id, a.id
    from stamp_loan o join stamp_line l on l.id = o.line_id join stamp_application a on a.id = l.application_id
    where coalesce(o.returned_at, now()) > o.due_at and o.due_at > ${lately}`,
});

/** Stores new alerts and notifies the auditors. Returns how many. */
export async function findAlerts(tx: Db, rule: RuleValue<typeof stampRules>): Promise<number> {
  const selects = Object.entries(findings(rule)).map(
    ([kind, select]) =>
      sql`select ${Number(kind)}::int kind, * from (${select}) f (about, title, stamp_id, application_id)`,
  );
  const { rows } = await tx.execute<{ id: number; title: string }>(sql`
    insert into stamp_alert (kind, about, title, stamp_id, application_id)
    select distinct on (kind, about) kind, left(about, 120), left(title, 200), stamp_id, application_id
    from (${sql.join(selects, sql` union all `)}) found order by kind, about on conflict do nothing returning id, title`);
  const [first] = rows;
  if (first) {
    const said = {
      title: `发现 ${rows.length} 件用印异常`,
      content: `${first.title}${rows.length > 1 ? '，等' : ''}。请核实处理。`,
      occasion: 'found',
      by: null,
    };
    await announce(tx, sealNews.STAMP_ALERT, { id: first.id }, said, [{ role: 'seal_auditor' }]);
  }
  return rows.length;
}

const scope = (viewer: Viewer, code: 'Retrieve' | 'chuli') =>
  within(scopeOf(viewer, code, page), stampTable.dept_id, sql`false`);

export async function listAlerts(tx: Db, viewer: Viewer, asked: QueryOf<typeof oversightCalls.alerts>) {
  const select = tx
    .select({ alert: alertTable, stamp_name: stampTable.name })
    .from(alertTable)
    .innerJoin(stampTable, eq(stampTable.id, alertTable.stamp_id))
    .where(
      and(
        scope(viewer, 'Retrieve'),
        saysOrShows(
          asked.search_value,
          (word) => contains(sql`${alertTable.title} || ' ' || ${stampTable.name}`, word),
          (ids) => sql`${alertTable.handled_by} in ${ids}`,
        ),
        asked.kind ? eq(alertTable.kind, asked.kind) : undefined,
        asked.handled === undefined ? undefined : eq(alertTable.handled, asked.handled),
      ),
    );
  const { gmt_created, id } = alertTable;
  const order = { by: { gmt_created, id }, first: 'gmt_created', descending: true, tie: id };
  const found = await pageOf(tx, asked, select.$dynamic(), order);
  const people = await peopleById(
    tx,
    found.value.flatMap(({ alert }) => alert.handled_by ?? []),
  );
  const may = holds(viewer, 'chuli', page);
  return {
    ...found,
    value: found.value.map(({ alert, stamp_name }) => ({
      ...alert,
      stamp_name,
      handled_by: people.get(alert.handled_by ?? 0)?.alias ?? '',
      actions: may && !alert.handled ? ['handle'] : [],
    })),
  };
}

/** Stores the result of an alert; once. */
export async function handleAlert(
  { tx, user, audit }: Pick<Context, 'tx' | 'audit'> & { user: Viewer },
  id: number,
  { result, note }: BodyOf<typeof oversightCalls.handleAlert>,
) {
  const [row] = await tx
    .select({ alert: alertTable })
    .from(alertTable)
    .innerJoin(stampTable, eq(stampTable.id, alertTable.stamp_id))
    .where(and(eq(alertTable.id, id), scope(user, 'chuli')))
    .for('update', { of: alertTable });
  if (!row) throw absent('用印异常');
  if (row.alert.handled)
    throw handledBefore((await peopleById(tx, [row.alert.handled_by!])).get(row.alert.handled_by!)?.alias ?? '');
  const done = { handled: true, result, note, handled_by: user.id, handled_at: sql`now()` };
  await tx.update(alertTable).set(done).where(eq(alertTable.id, id));
  audit({ type: '用印异常', id, title: row.alert.title, after: { 结果: alertResult.label(result), 说明: note } });
  return { id };
}

/** Alerts that nobody has handled. */
export const alertWaits: Waits = {
  key: 'seal-alert',
  page,
  path: `${alertPath}&handled=false`,
  title: '用印异常',
  mine: async (_tx, viewer) => sql`
    select a.id, a.title, null::timestamptz, null::text, a.gmt_created, null::int from stamp_alert a join stamp on stamp.id = a.stamp_id
    where not a.handled and ${holds(viewer, 'chuli', page) ? scope(viewer, 'chuli') : sql`false`}`,
  async everybodys(tx) {
    const auditors = (await holdersOf(tx, 'seal_auditor')).map((one) => one.id);
    return sql`select u.id, null::timestamptz from stamp_alert a cross join unnest(${sql.param(auditors)}::int[]) u(id) where not a.handled`;
  },
  linkOf: () => alertPath,
};
