import { and, asc, eq, inArray, isNull, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { SelectedFields } from 'drizzle-orm/pg-core';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { daysLater, momentText } from '#kernel/contract/moment.ts';
import { tooMany } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { withRows } from '#kernel/server/generic.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { staged, type Context, type Handler } from '#kernel/server/http/implement.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { asked } from '#kernel/server/list/asked.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { projectStatus } from '#modules/services/customers/contract/codes.ts';
import {
  alertTargets,
  customersNamed,
  projectsWithin,
  requireProject,
  customerTable,
  projectTable,
} from '#modules/services/customers/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { wordsOf } from '../alerts/words.ts';
import { monitorType, pushType } from '../contract/codes.ts';
import { monitorCalls as calls, type MonitorSettings } from '../contract/monitors.ts';
import { noPing, noSuchPort, notWatched, wrongPort, wrongSetting, wrongTarget } from '../contract/refusals.ts';
import { spansOf } from '../engine/windows.ts';
import { probeOf } from '../probing/node.ts';
import { dueTable, incidentTable, monitorTable, nodeTable, stateTable, windowTable } from '../tables.ts';

const [m, p, c, s, r] = [monitorTable, projectTable, customerTable, stateTable, incidentTable];
const page = 'customer/project';
const percent = (column: AnyColumn) => sql<number | null>`(${column} / 100.0)::float8`;
const certEnds = sql<
  string | null
>`to_char(to_timestamp((${s.cert} ->> 'ends')::float8 / 1000), 'YYYY-MM-DD HH24:MI:SS')`;
/** The end of its silence; for statements over `monitor_state`. */
export const quietUntil = sql<
  string | null
>`case when ("monitor_state".kept ->> 'quiet_until')::float8 > extract(epoch from now()) * 1000
  then to_char(to_timestamp(("monitor_state".kept ->> 'quiet_until')::float8 / 1000), 'YYYY-MM-DD HH24:MI:SS') end`;
const row = {
  id: p.id,
  name: p.name,
  customer_id: c.id,
  customer_name: c.name,
  manager_alias: sql<string>`(select alias from app_user where id = ${p.manager})`,
  sms_switch: p.sms_switch,
  enabled: m.enabled,
  type: m.type,
  interval_s: m.interval_s,
  status: s.status,
  since: s.since,
  last_check: s.last_check,
  last_ms: s.last_ms,
  last_msg: s.last_msg,
  recent: s.recent,
  uptime_24h: percent(s.uptime_24h),
  uptime_30d: percent(s.uptime_30d),
  cert_ends: certEnds,
  quiet_until: quietUntil,
  record_id: r.id,
  claimed_name: r.claimed_name,
};
const selectRows = <F extends SelectedFields>(tx: Db, fields: F) =>
  withRows<SelectResultFields<F>>(
    tx
      .select(fields as SelectedFields)
      .from(m)
      .innerJoin(p, eq(p.id, m.project_id))
      .innerJoin(c, eq(c.id, p.customer_id))
      .innerJoin(s, eq(s.project_id, m.project_id))
      .leftJoin(r, and(eq(r.project_id, m.project_id), isNull(r.end_time))),
  );
const mayChange = (user: Viewer) => (holds(user, 'Update', page) ? ['update'] : []);

type Others = Omit<typeof calls, 'pushAddress' | 'renewPush' | 'push' | 'pushBody'>;
type Handlers = { [K in keyof Others]: Handler<Others[K]> };
const probing: Limit = { kind: 'probe', limit: 6, seconds: 60 };

export const monitorHandlers: Handlers = {
  async list({ query }, { tx, user }) {
    const where = and(
      eq(p.is_deleted, false),
      projectsWithin(user, 'Retrieve', page),
      asked(query.customer_id, (id) => eq(p.customer_id, id)),
      saysOrShows(
        query.search_value,
        (word) => or(matches(p.search, word), inArray(p.customer_id, customersNamed(word))),
        (ids) => sql`${p.manager} in ${ids}`,
      ),
    );
    const select = selectRows(tx, row).where(
      and(
        where,
        asked(query.status, (status) => eq(s.status, status)),
      ),
    );
    const by = {
      status: s.status,
      name: p.name,
      last_ms: s.last_ms,
      uptime_30d: s.uptime_30d,
      cert_ends: certEnds,
      last_check: s.last_check,
    };
    const rows = await pageOf(tx, query, select, { by, first: 'status', tie: p.id });
    const counted = await selectRows(tx, { status: s.status, count: sql<number>`count(*)::int` })
      .where(where)
      .groupBy(s.status);
    const value = rows.value.map((one) => ({ ...one, actions: mayChange(user) }));
    return { ...rows, value, counts: Object.fromEntries(counted.map((one) => [one.status, one.count])) };
  },

  async get({ params: { id } }, { tx, user, now }) {
    await requireProject(tx, user, id, { pages: [page] });
    const fields = {
      ...row,
      settings: m,
      version: m.version,
      cert_subject: sql<string>`${s.cert} ->> 'subject'`,
      cert_issuer: sql<string>`${s.cert} ->> 'issuer'`,
      depends_on_name: sql<string>`coalesce((select name from customer_project up where up.id = ${m.depends_on}), '')`,
      pings: sql<boolean>`exists (select from ${nodeTable} where pings)`,
    };
    const [found] = await selectRows(tx, fields).where(eq(m.project_id, id));
    if (!found) return { value: null };
    const [windows, told] = [await windowsOf(tx, id, now), await wouldTell(tx, id)];
    const settings = found.settings as MonitorSettings;
    return { value: { ...found, settings, actions: mayChange(user), windows, told } };
  },

  save: staged(calls.save, {
    /** Names are resolved before a connection is taken. */
    async before({ params: { id }, body }, { read, user, services }) {
      await requireProject(read, user, id, { code: 'Update', pages: [page] });
      if (body.type === pushType || !body.enabled) return null;
      return services.probes.forbids(probeOf(body));
    },
    async run({ params: { id }, body: { version, ...settings }, prepared: forbidden }, work) {
      const { tx, user, audit } = work;
      const project = await requireProject(tx, user, id, { code: 'Update', pages: [page], lock: 'update' });
      const [before] = await tx.select().from(m).where(eq(m.project_id, id)).for('update');
      if (before) checkVersion('监测设置', before, version, before);
      checkSettings(settings, work);
      if (forbidden !== null) throw wrongSetting(forbidden);
      if (settings.depends_on !== null) await checkParent(tx, user, id, settings.depends_on);
      if (settings.enabled && projectStatus.is(project.status, projectStatus.paused, projectStatus.ended))
        throw wrongSetting(`项目“${project.name}”已暂停或结束，不能监测`);
      if (!before) {
        await tx.insert(m).values({ ...settings, project_id: id });
        await tx.insert(s).values({ project_id: id });
        await tx.insert(dueTable).values({ project_id: id, next_at: momentText(work.now) });
      } else {
        const set = { ...settings, version: before.version + 1, gmt_modified: sql`now()` };
        await tx.update(m).set(set).where(eq(m.project_id, id));
        const another =
          before.type !== settings.type || before.target !== settings.target || (before.enabled && !settings.enabled);
        // A probe under way uses the old settings, so its result is ignored.
        if (another) await tx.execute(sql`select monitor_end(array[${id}]::int[])`);
        else
          await tx
            .update(dueTable)
            .set({ lease_until: null, lease_no: sql`${dueTable.lease_no} + 1`, next_at: sql`now()` })
            .where(eq(dueTable.project_id, id));
      }
      audit({
        type: '监测设置',
        id,
        title: project.name,
        before: before ? titled(calls.save.body!, before) : null,
        after: titled(calls.save.body!, settings),
      });
      changed(tx, 'test', [user.id]);
      return { id };
    },
  }),

  probe: staged(calls.probe, {
    async before({ params: { id }, body }, { read, user, services }) {
      const project = await requireProject(read, user, id, { code: 'Update', pages: [page] });
      const tries = await services.attempts.hit(probing, String(user.id));
      if (tries.exceeded) throw tooMany('立即检测', tries.retryAfter);
      const [saved] = await read.select().from(m).where(eq(m.project_id, id));
      const settings = body.settings ?? saved;
      if (!settings || settings.type === pushType) throw notWatched(project.name);
      if (settings.type === monitorType.ping && !services.probes.canPing) throw noPing();
      return services.probes.probe(probeOf(settings));
    },
    run: ({ prepared: { outcome, msg, ms, http_code, steps, certificate } }) => ({
      outcome,
      msg,
      ms,
      http_code,
      steps,
      certificate: certificate && { ...certificate, ends: momentText(new Date(certificate.ends)) },
    }),
  }),
};

function checkSettings(settings: MonitorSettings, { services }: Pick<Context, 'services'>): void {
  const { type, target } = settings;
  if (settings.timeout_s >= settings.interval_s)
    throw wrongSetting(`超时 ${settings.timeout_s} 秒不小于检测间隔 ${settings.interval_s} 秒，请改短超时`);
  if (type === monitorType.keyword && settings.keyword === '') throw wrongSetting('监测方式为关键字时，请填写关键字');
  if (type === pushType) {
    if (target !== '') throw wrongSetting('推送心跳由对方主动发来，监测目标请留空');
    return;
  }
  if (type === monitorType.ping && !services.probes.canPing) throw noPing();
  const outside = noSuchPort(target);
  if (outside !== null) throw wrongPort(target, outside);
  const isWeb = /^https?:\/\/[^\s/@]+(\/\S*)?$/i.test(target) && URL.canParse(target);
  const host = String.raw`(\[[0-9a-f:.]+\]|[^\s:/@?#]+)`;
  const isHost = (port: string) => new RegExp(`^${host}${port}$`, 'i').test(target) && URL.canParse(`http://${target}`);
  const [fits, example] = (
    {
      1: [isWeb, 'https://www.example.com/'],
      2: [isWeb, 'https://www.example.com/'],
      3: [isHost(String.raw`:\d{1,5}`), 'db.example.com:5432'],
      4: [isHost(''), 'www.example.com'],
      5: [isHost(String.raw`(:\d{1,5})?`) || (isWeb && target.startsWith('https:')), 'www.example.com:443'],
    } as const
  )[type];
  if (!fits || !isName(new URL(isWeb ? target : `http://${target}`).hostname)) throw wrongTarget(target, example);
}
/** True if a host name is within the length limits of DNS. */
const isName = (host: string) => host.length <= 253 && host.split('.').every((label) => label.length <= 63);

/** Checks the project it depends on: monitored, visible to the user, and without a cycle. */
async function checkParent(tx: Db, user: Viewer, id: number, parent: number): Promise<void> {
  if (parent === id) throw wrongSetting('项目不能依赖它自己，请选择其他项目，或不填');
  const { name } = await requireProject(tx, user, parent, { pages: [page] });
  const { rows } = await tx.execute<{ id: number }>(sql`
    with recursive up (id, depth) as (select ${parent}::int, 1 union select depends_on, depth + 1 from monitor join up on project_id = id
      where depends_on is not null and depth < 20)
    select up.id from up join monitor on project_id = up.id`);
  if (rows.length === 0) throw notWatched(name);
  if (rows.some((one) => one.id === id)) throw wrongSetting(`“${name}”已依赖本项目，不能互相依赖`);
}

/** Windows in the form that the engine takes. */
export const windowRows = (tx: Db, where: SQL, most: number) =>
  tx
    .select({
      id: windowTable.id,
      version: windowTable.version,
      gmt_modified: windowTable.gmt_modified,
      title: windowTable.title,
      weekly: windowTable.weekly,
      starts: sql<number>`(extract(epoch from ${windowTable.starts_at}) * 1000)::float8`,
      ends: sql<number | null>`(extract(epoch from ${windowTable.ends_at}) * 1000)::float8`,
      weekdays: windowTable.weekdays,
      from_minute: windowTable.from_minute,
      minutes: windowTable.minutes,
    })
    .from(windowTable)
    .where(where)
    .orderBy(asc(windowTable.starts_at))
    .limit(most);

async function windowsOf(tx: Db, project: number, now: Date) {
  const rows = await windowRows(
    tx,
    sql`${windowTable.project_ids} @> array[${project}]::int[] and (ends_at is null or ends_at > now())`,
    20,
  );
  const until = daysLater(now, 8).getTime();
  return rows.flatMap((one) =>
    spansOf([one], now.getTime(), one.weekly ? until : Infinity)
      .slice(0, 1)
      .map(({ start, end }) => ({
        title: one.title,
        start: momentText(new Date(start)),
        end: momentText(new Date(end)),
      })),
  );
}

/** The recipients and text of an alert, if it were down now. */
async function wouldTell(tx: Db, id: number) {
  const target = (await alertTargets(tx, [id])).get(id)!;
  const text = wordsOf('MONITOR_DOWN', `${target.customer.name} ${target.project.name}`, '连接失败').title;
  const people = await peopleById(tx, target.people);
  const texts = target.project.sms_switch ? '、短信' : '';
  return [
    ...[...people.values()].map(({ alias }) => ({ name: alias, way: `站内消息${texts}`, text })),
    ...(texts ? target.contacts.map(({ name }) => ({ name, way: '短信', text })) : []),
  ];
}
