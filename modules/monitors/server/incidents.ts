import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import type { Context, Handler } from '#kernel/server/http/implement.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { asked } from '#kernel/server/list/asked.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { projectsWithin } from '#modules/customers/service.ts';
import { customerTable, projectTable } from '#modules/customers/tables.ts';
import { callBackTexts } from '#modules/sms/service.ts';
import { incidentCalls } from '../contract/incidents.ts';
import { claimedBefore, noOrders, orderedBefore, overBefore, stillDown } from '../contract/refusals.ts';
import { recomputeHours } from '../hours/hours.ts';
import { logTable } from '../log-table.ts';
import { alertTable, dueTable, incidentEventTable, incidentTable } from '../tables.ts';
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
};
const rows = (tx: Db) =>
  tx.select(row).from(r).innerJoin(p, eq(p.id, r.project_id)).innerJoin(c, eq(c.id, p.customer_id));
type Row = Awaited<ReturnType<typeof rows>>[number];

const shown = (one: Row, user: Viewer) => ({
  ...one,
  actions: [
    ...(one.state === 0 && one.claimed_at === null && holds(user, 'chuli', page) ? ['claim'] : []),
    ...(one.state !== 0 && holds(user, 'Update', page) ? ['handle'] : []),
    ...(one.order_id === null && holds(user, 'chuli', page) ? ['order'] : []),
    ...(one.state !== 0 && holds(user, 'Delete', page) ? ['delete'] : []),
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
/** Results of looks and what is done with an incident come one after the other: its monitor's row is held before its own. */
export async function holdIncident(tx: Db, id: number): Promise<void> {
  const of = sql`(select project_id from test_record where id = ${id})`;
  await tx
    .select({ id: dueTable.project_id })
    .from(dueTable)
    .where(sql`${dueTable.project_id} = ${of}`)
    .for('update');
  await tx.select({ id: r.id }).from(r).where(eq(r.id, id)).for('update');
}
const note = (tx: Db, record_id: number, type: string, user_id: number | null, text: string) =>
  tx.insert(incidentEventTable).values({ record_id, type, user_id, text: text.slice(0, 300) });

/** One takes it over, whoever comes first; what was still to be said of it is not said any more. Whoever comes late is told who it was. */
export async function claim(tx: Db, id: number, by: { user_id: number | null; name: string }): Promise<void> {
  const [done] = await tx
    .update(r)
    .set({ claimed_by: by.user_id, claimed_name: by.name, claimed_at: sql`now()`, ...touched(r) })
    .where(and(eq(r.id, id), isNull(r.claimed_at), isNull(r.end_time)))
    .returning({ id: r.id });
  if (!done) {
    const [one] = await tx.select().from(r).where(eq(r.id, id));
    throw one!.claimed_at ? claimedBefore(one!.claimed_name, one!.claimed_at) : overBefore(one!.end_time!);
  }
  await note(tx, id, 'claimed', by.user_id, `${by.name}认领`);
  await tx
    .update(alertTable)
    .set({ sent_at: sql`now()`, told_at: sql`coalesce(told_at, now())` })
    .where(and(eq(alertTable.record_id, id), eq(alertTable.event, 'MONITOR_DOWN'), isNull(alertTable.sent_at)));
  await callBackTexts(tx, { module: 'monitors', objectIds: [id] });
}

/** What was made of an incident has ended; called by whoever ends it. */
export async function noteOrderEnded(tx: Db, id: number, says: string): Promise<void> {
  await note(tx, id, 'ordered', null, says);
}

type Handling = { cause?: number | undefined; measure?: string | undefined; version?: number | undefined };
async function handle(
  { params: { id }, body }: { params: { id: number }; body: Handling },
  { tx, user, audit }: Context & { user: Viewer },
) {
  const before = await requireIncident(tx, user, id, 'Update', true);
  checkVersion('监测记录', before, body.version, before);
  if (before.state === 0) throw stillDown();
  const { version: _version, ...sent } = body;
  const after = { ...before, ...sent };
  const set = { ...sent, ...(after.cause !== null ? { state: 2, handler: user.id } : {}), ...touched(r) };
  await tx.update(r).set(set).where(eq(r.id, id));
  await note(tx, id, 'handled', user.id, after.measure);
  // What counts as no failure is taken out of the figures at once, or comes back.
  if ((before.cause === 6) !== (after.cause === 6))
    await recomputeHours(tx.$client, { from: before.start_time, to: before.end_time!, projects: [before.project_id] });
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
          query.search_value ? matches(p.search, query.search_value) : undefined,
        ),
      )
      .$dynamic();
    // What is not over comes first, unless another order is asked for.
    const first = sql`(${r.state} = 0, ${r.start_time})`;
    const by = { start_time: r.start_time, state: r.state, duration_s: duration, open: first };
    const page = await pageOf(tx, query, select as never, { by, first: 'open', descending: true, tie: r.id });
    return { ...page, value: (page.value as never as Row[]).map((one) => shown(one, user)) };
  },

  async incident({ params: { id } }, { tx, user, services }) {
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
      value: { ...shown(one, user), events, looks, makes: services.product.raiseOrder ? ['orders' as const] : [] },
    };
  },

  handle,
  amend: handle,

  async removeIncident({ params: { id } }, { tx, user, audit }) {
    const one = await requireIncident(tx, user, id, 'Delete', true);
    if (one.state === 0) throw stillDown();
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

  async order({ params: { id }, body: { to } }, { tx, user, services, audit }) {
    const one = await requireIncident(tx, user, id, 'chuli', true);
    if (one.order_id !== null) throw orderedBefore(one.order_module === 'tickets' ? '工单' : '报修单');
    const raise = to === 'orders' ? services.product.raiseOrder : undefined;
    if (!raise) throw noOrders();
    const made = await raise(tx, {
      by: user,
      title: `${one.project_name} 监测异常`,
      description: `${one.start_time} 起异常：${one.reason}`,
      place: one.project_name,
      from: { module: 'monitors', id },
    });
    await tx
      .update(r)
      .set({ order_module: made.module, order_id: made.id, ...touched(r) })
      .where(eq(r.id, id));
    await note(tx, id, 'ordered', user.id, made.says);
    audit({ type: '监测记录', id, title: one.project_name, after: { 转办: made.says } });
    return { module: made.module, id: made.id, page: made.page };
  },

  claimPage,
  claimByLink,
};
