import { and, asc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { numberOf } from '#kernel/server/db/numbering.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import type { Context, Handler } from '#kernel/server/http/implement.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { asked } from '#kernel/server/list/asked.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import {
  customersNamed,
  customerTable,
  projectsWithin,
  projectTable,
  requireProject,
} from '#modules/services/customers/service.ts';
import { ordersTaken, register as registerOrder } from '#modules/services/orders/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { falseAlarm, incidentState } from '../contract/codes.ts';
import { incidentCalls } from '../contract/incidents.ts';
import { noOrders, orderedBefore, stillDown } from '../contract/refusals.ts';
import { countIncident, recomputeHours } from '../hours/hours.ts';
import { logTable } from '../log-table.ts';
import { alertTable, incidentEventTable, incidentTable } from '../tables.ts';
import { claim, holdIncident, note, silence } from './claiming.ts';
import { quietUntil } from './monitors.ts';
import { claimByLink, claimPage } from './public.ts';

const [r, p, c] = [incidentTable, projectTable, customerTable];
const page = 'customer/record';
const alias = (column: typeof r.handler) => sql<string | null>`(select alias from app_user where id = ${column})`;
const duration = sql<number>`extract(epoch from coalesce(${r.end_time}, now()) - ${r.start_time})::int`;
const row = {
  ...getTableColumns(r),
  project_name: p.name,
  customer_id: c.id,
  customer_name: c.name,
  duration_s: duration,
  alerts: sql<number>`(select count(*)::int from ${alertTable} where record_id = ${r.id} and event = 'MONITOR_DOWN' and told_at is not null)`,
  handler_alias: alias(r.handler),
  quiet_until: sql<string | null>`(select ${quietUntil} from monitor_state where project_id = ${r.project_id})`,
};
const rows = (tx: Db) =>
  tx.select(row).from(r).innerJoin(p, eq(p.id, r.project_id)).innerJoin(c, eq(c.id, p.customer_id));
type Row = Awaited<ReturnType<typeof rows>>[number];

const shown = (one: Row, user: Viewer) => ({
  ...one,
  actions: [
    ...(one.state === incidentState.open && one.claimed_at === null && holds(user, 'chuli', page) ? ['claim'] : []),
    ...(one.state === incidentState.open && holds(user, 'chuli', page) ? ['silence'] : []),
    ...(one.state !== incidentState.open && holds(user, 'Update', page) ? ['handle'] : []),
    ...(one.order_id === null && holds(user, 'chuli', page) ? ['order'] : []),
    ...(one.state !== incidentState.open && holds(user, 'Delete', page) ? ['delete'] : []),
  ],
});

type Code = 'Retrieve' | 'Update' | 'Delete' | 'chuli';
const within = (user: Viewer, code: Code) => and(eq(r.is_deleted, false), projectsWithin(user, code, page));
async function requireIncident(tx: Db, user: Viewer, id: number, code: Code, forUpdate = false): Promise<Row> {
  if (forUpdate) await holdIncident(tx, id);
  const [one] = await rows(tx).where(and(eq(r.id, id), within(user, code)));
  if (!one) throw absent('该监测记录');
  return one;
}
type Handling = { cause?: number | undefined; measure?: string | undefined; version?: number | undefined };
async function handle(
  { params: { id }, body }: { params: { id: number }; body: Handling },
  { tx, user, audit }: Context & { user: Viewer },
) {
  const before = await requireIncident(tx, user, id, 'Update', true);
  checkVersion('监测记录', before, body.version, before);
  if (before.state === incidentState.open) throw stillDown();
  const { version: _version, ...sent } = body;
  const after = { ...before, ...sent };
  const set = {
    ...sent,
    ...(after.cause !== null ? { state: incidentState.handled, handler: user.id } : {}),
    ...touched(r),
  };
  await tx.update(r).set(set).where(eq(r.id, id));
  await note(tx, id, 'handled', user.id, after.measure);
  const when = { project: before.project_id, from: before.start_time, to: before.end_time! };
  const down = after.cause !== falseAlarm;
  // A change to or from a false alarm changes the hours; a handled one counts in the report at once.
  if ((before.cause !== falseAlarm) !== down) await countIncident(tx.$client, { ...when, down });
  else if (before.state !== incidentState.handled)
    await recomputeHours(tx.$client, { ...when, projects: [when.project] });
  const schema = incidentCalls.handle.body!;
  audit({
    type: '监测记录',
    id,
    title: before.project_name,
    before: titled(schema, before),
    after: titled(schema, after),
  });
  changed(tx, 'test', [user.id]);
  return { id };
}

export const incidentHandlers: { [K in keyof typeof incidentCalls]: Handler<(typeof incidentCalls)[K]> } = {
  async incidents({ query }, { tx, user }) {
    const select = rows(tx)
      .where(
        and(
          within(user, 'Retrieve'),
          asked(query.state, (state) => eq(r.state, state)),
          asked(query.cause, (cause) => eq(r.cause, cause)),
          asked(query.project_id, (id) => eq(r.project_id, id)),
          asked(query.customer_id, (id) => eq(p.customer_id, id)),
          saysOrShows(
            query.search_value,
            (word) =>
              or(matches(p.search, word), inArray(p.customer_id, customersNamed(word)), contains(r.claimed_name, word)),
            (ids) => sql`(${r.handler} in ${ids} or ${r.claimed_by} in ${ids})`,
          ),
        ),
      )
      .$dynamic();
    // Open incidents come first by default.
    const first = sql`(${r.state} = ${inSql(incidentState.open)}, ${r.start_time})`;
    const by = { start_time: r.start_time, state: r.state, duration_s: duration, open: first };
    const page = await pageOf(tx, query, select, { by, first: 'open', descending: true, tie: r.id });
    return { ...page, value: page.value.map((one) => shown(one, user)) };
  },

  async incident({ params: { id } }, { tx, user }) {
    const one = await requireIncident(tx, user, id, 'Retrieve');
    const events = await tx
      .select({
        at: incidentEventTable.at,
        type: incidentEventTable.type,
        text: incidentEventTable.text,
        alias: sql<string | null>`(select alias from app_user where id = ${incidentEventTable.user_id})`,
      })
      .from(incidentEventTable)
      .where(eq(incidentEventTable.record_id, id))
      .orderBy(asc(incidentEventTable.id))
      .limit(200);
    const looks = await tx
      .select({
        time: logTable.time,
        status: logTable.status,
        ms: logTable.ms,
        http_code: logTable.http_code,
        msg: logTable.msg,
      })
      .from(logTable)
      .where(
        sql`${logTable.project_id} = ${one.project_id} and ${logTable.time} between ${one.start_time}::timestamptz - interval '10 minutes'
          and coalesce(${one.end_time}::timestamptz, now()) + interval '10 minutes'`,
      )
      .orderBy(asc(logTable.time))
      .limit(100);
    return {
      value: { ...shown(one, user), events, looks, makes: (await ordersTaken(tx)) ? ['orders' as const] : [] },
    };
  },

  handle,
  amend: handle,

  async removeIncident({ params: { id } }, { tx, user, audit }) {
    const one = await requireIncident(tx, user, id, 'Delete', true);
    if (one.state === incidentState.open) throw stillDown();
    await tx
      .update(r)
      .set({ is_deleted: true, ...touched(r) })
      .where(eq(r.id, id));
    audit({ type: '监测记录', id, title: one.project_name, before: { 开始: one.start_time, 原因: one.reason } });
    return { id };
  },

  async claim({ params: { id } }, { tx, user, audit }) {
    const one = await requireIncident(tx, user, id, 'chuli', true);
    await claim(tx, id, { user_id: user.id, name: user.alias });
    audit({ type: '监测记录', id, title: one.project_name, after: { 认领人: user.alias } });
    changed(tx, 'test', [user.id]);
    return { id };
  },

  async silence({ params: { id }, body: { minutes } }, { tx, user, now, audit }) {
    const project = await requireProject(tx, user, id, { code: 'chuli', pages: [page] });
    const until = await silence(tx, project, { user_id: user.id, minutes, now });
    const shown = until && momentText(until);
    audit({ type: '监测设置', id, title: project.name, after: { 静默至: shown ?? '立即结束' } });
    changed(tx, 'test', [user.id]);
    return { until: shown };
  },

  async order({ params: { id } }, work) {
    const { tx, user, audit } = work;
    const one = await requireIncident(tx, user, id, 'chuli', true);
    if (one.order_id !== null) throw orderedBefore('报修单');
    if (!(await ordersTaken(tx))) throw noOrders();
    const made = await registerOrder(work, {
      incident: { module: 'monitors', id },
      title: `${one.project_name} 监测异常`,
      description: `${one.start_time} 起异常：${one.reason}`,
      place: one.project_name,
    });
    const says = `转报修 ${await numberOf(tx, made.sn)}`;
    await tx
      .update(r)
      .set({ order_module: 'orders', order_id: made.id, ...touched(r) })
      .where(eq(r.id, id));
    await note(tx, id, 'ordered', user.id, says);
    audit({ type: '监测记录', id, title: one.project_name, after: { 转办: says } });
    return { module: 'orders', id: made.id, page: `/order/detail/${made.id}` };
  },

  claimPage,
  claimByLink,
};
