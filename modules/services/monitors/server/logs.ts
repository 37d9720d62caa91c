import { and, eq, sql } from 'drizzle-orm';
import { dayMs, momentOf, momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context, Handler } from '#kernel/server/http/implement.ts';
import { asked } from '#kernel/server/list/asked.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { projectsWithin, requireProject, projectTable } from '#modules/services/customers/service.ts';
import { logCalls } from '../contract/logs.ts';
import { reasonWanted } from '../contract/refusals.ts';
import { monitorRules } from '../contract/rules.ts';
import { chartOf } from '../hours/chart.ts';
import { recomputeHours } from '../hours/hours.ts';
import { logTable } from '../log-table.ts';
import { monitorTable, nodeTable } from '../tables.ts';

const [l, p] = [logTable, projectTable];
const page = 'customer/log';
/** The measured size of a row with its indexes, in bytes. */
const rowBytes = 120;

const row = {
  id: l.id,
  project_id: l.project_id,
  project_name: p.name,
  time: l.time,
  status: l.status,
  ms: l.ms,
  http_code: l.http_code,
  msg: l.msg,
  important: l.important,
  remark: l.remark,
  ignored: l.ignored,
};

/** The id contains the second of writing, so that only one partition is read. */
const atId = (id: number) => {
  const second = Math.floor(id / 2 ** 20);
  return sql`${l.id} = ${id} and ${l.time} >= to_timestamp(${second}) and ${l.time} < to_timestamp(${second + 1})`;
};
async function requireLook(tx: Db, user: Viewer, id: number, code: 'Update' | 'Delete') {
  const [one] = await tx
    .select(row)
    .from(l)
    .innerJoin(p, eq(p.id, l.project_id))
    .where(and(atId(id), eq(l.is_deleted, false), projectsWithin(user, code, page)))
    .for('update', { of: l });
  if (!one) throw absent('该监测日志');
  return one;
}

type Note = { remark?: string | undefined; ignored?: boolean | undefined };
async function note(
  { params: { id }, body }: { params: { id: number }; body: Note },
  { tx, user, audit }: Context & { user: Viewer },
) {
  const before = await requireLook(tx, user, id, 'Update');
  const { ignored = before.ignored, remark = before.remark ?? '' } = body;
  if (ignored && remark.trim() === '') throw reasonWanted();
  await tx.update(l).set({ ignored, remark, changed_by: user.id }).where(atId(id));
  if (ignored !== before.ignored)
    await recomputeHours(tx.$client, { from: before.time, to: before.time, projects: [before.project_id] });
  const schema = logCalls.note.body!;
  audit({
    type: '监测日志',
    id,
    title: `${before.project_name} ${before.time}`,
    before: titled(schema, before),
    after: titled(schema, { ignored, remark }),
  });
  return {};
}

export const logHandlers: { [K in keyof typeof logCalls]: Handler<(typeof logCalls)[K]> } = {
  async logs({ query }, { tx, user, now }) {
    const to = query.to ?? momentText(now);
    const from = query.from ?? momentText(new Date(momentOf(to).getTime() - dayMs));
    const select = tx
      .select(row)
      .from(l)
      .innerJoin(p, eq(p.id, l.project_id))
      .where(
        and(
          sql`${l.time} >= ${from}::timestamptz and ${l.time} <= ${to}::timestamptz`,
          eq(l.is_deleted, false),
          eq(p.is_deleted, false),
          projectsWithin(user, 'Retrieve', page),
          asked(query.project_id, (id) => eq(l.project_id, id)),
          asked(query.status, (status) => eq(l.status, status)),
          asked(query.important, (important) => eq(l.important, important)),
          query.search_value ? matches(p.search, query.search_value) : undefined,
        ),
      )
      .$dynamic();
    const rows = await pageOf(tx, query, select, {
      by: { time: l.time },
      first: 'time',
      descending: true,
      tie: l.id,
    });
    const actions = [
      ...(holds(user, 'Update', page) ? ['update'] : []),
      ...(holds(user, 'Delete', page) ? ['delete'] : []),
    ];
    return { ...rows, value: rows.value.map((one) => ({ ...one, actions })) };
  },

  note,
  amendNote: note,

  async removeLog({ params: { id } }, { tx, user, audit }) {
    const one = await requireLook(tx, user, id, 'Delete');
    await tx.update(l).set({ is_deleted: true, changed_by: user.id }).where(atId(id));
    audit({ type: '监测日志', id, title: `${one.project_name} ${one.time}`, before: { 说明: one.msg ?? '' } });
    return {};
  },

  async chart({ query: { project_id: id, span } }, { tx, user, now }) {
    await requireProject(tx, user, id, { pages: ['customer/log', 'customer/project'] });
    return chartOf(tx, id, span, now);
  },

  async health(_input, { tx, services }) {
    const { keep_days } = await services.settings.of(monitorRules);
    const nodes = await tx
      .select()
      .from(nodeTable)
      .where(sql`seen_at > now() - interval '10 minutes'`)
      .limit(100);
    const { rows } = await tx.execute<{
      monitors: number;
      per_day: number;
      waiting: number;
      late_s: number;
      log_bytes: number;
    }>(sql`
      select (select count(*)::int from ${monitorTable} where enabled) monitors,
        (select coalesce(sum(86400.0 / interval_s), 0)::float8 from ${monitorTable} where enabled) per_day,
        count(*)::int waiting, coalesce(extract(epoch from now() - min(next_at)), 0)::int late_s,
        (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 from pg_inherits where inhparent = 'test_log'::regclass) log_bytes
      from monitor_due join monitor using (project_id) where enabled and next_at < now() and (lease_until is null or lease_until < now())`);
    const { per_day, ...found } = rows[0]!;
    return { nodes, ...found, expected_bytes: per_day * rowBytes * keep_days, keep_days };
  },
};
