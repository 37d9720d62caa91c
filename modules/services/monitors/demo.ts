import { asc, notInArray, sql } from 'drizzle-orm';
import { dayMs, momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { projectStatus } from '#modules/services/customers/contract/codes.ts';
import { projectTable } from '#modules/services/customers/tables.ts';
import { falseAlarm, incidentState, monitorState, monitorType } from './contract/codes.ts';
import { fresh } from './engine/judge.ts';
import { tellUptimes } from './hours/hours.ts';
import { draftReports } from './reports/drafts.ts';
import {
  alertTable,
  dueTable,
  incidentEventTable,
  incidentTable,
  monitorTable,
  stateTable,
  windowTable,
} from './tables.ts';

const minuteMs = 60_000;
/** One of each kind: steady, slow, flapping, down and claimed, within a window, pushed, with a certificate of six days, never probed. */
const stories = [
  { type: monitorType.http, ms: 40 },
  { type: monitorType.keyword, ms: 900, keyword: 'ok' },
  { type: monitorType.http, ms: 120, flaps: true },
  { type: monitorType.http, ms: 30, status: monitorState.down },
  { type: monitorType.http, ms: 60, status: monitorState.maintenance },
  { type: monitorType.push, ms: 0 },
  { type: monitorType.http, ms: 80, days: 6 },
  { type: monitorType.http, ms: 0, status: monitorState.off },
] as const;

const downSaid = '状态码 404 不在 200-299 中';
const plain = { status: monitorState.up, flaps: false, keyword: '', days: 0 };

/** Eight projects monitored with the product itself as target: ninety days of hours, ended incidents and an open one. */
export async function addDemoMonitors(tx: Db, now: Date, port: number): Promise<void> {
  const projects = await tx
    .select({ id: projectTable.id, manager: projectTable.manager })
    .from(projectTable)
    .where(notInArray(projectTable.status, [projectStatus.paused, projectStatus.ended]))
    .orderBy(asc(projectTable.id))
    .limit(stories.length);
  if (projects.length < stories.length) return;
  const own = `127.0.0.1:${port}`;
  const at = (ms: number) => momentText(new Date(now.getTime() + ms));
  const all = projects.map(({ id }, place) => ({
    ...plain,
    id,
    ...stories[place]!,
  }));
  await tx.insert(monitorTable).values(
    all.map(({ id, type, keyword, status }) => ({
      project_id: id,
      type,
      keyword,
      target:
        type === monitorType.push
          ? ''
          : `http://${own}/${status === monitorState.down ? 'api/demo-is-away/' : 'livez'}`,
      // A nightly backup pushes once a day; all others are probed every minute.
      interval_s: type === monitorType.push ? 86_400 : 60,
      gmt_created: at(-90 * dayMs),
    })),
  );
  await tx.insert(dueTable).values(
    all.map(({ id, status }, place) => ({
      project_id: id,
      next_at: at(status === monitorState.off ? 7 * dayMs : place * 7000),
    })),
  );
  await tx.insert(stateTable).values(
    all.map(({ id, status, ms, flaps, days }) => ({
      project_id: id,
      status,
      since: at(status === monitorState.down ? -40 * minuteMs : -3 * dayMs),
      kept:
        status === monitorState.off
          ? fresh
          : {
              ...fresh,
              status: status as 0 | 1 | 3,
              verdict: status === monitorState.down ? (0 as const) : (1 as const),
              alerts: status === monitorState.down ? 1 : 0,
            },
      last_check: status === monitorState.off ? null : at(-minuteMs),
      last_ms: status === monitorState.off ? null : ms,
      last_msg: status === monitorState.down ? downSaid : '',
      recent:
        status === monitorState.off
          ? []
          : Array.from({ length: 60 }, (_one, beat) => {
              const fails = status === monitorState.down && beat >= 20 ? 0 : flaps && beat % 11 < 2 ? 2 : 1;
              return (ms + ((beat * 37) % 23)) * 4 + (status === monitorState.maintenance && beat > 50 ? 3 : fails);
            }),
      ...(days > 0
        ? {
            cert: {
              ends: now.getTime() + days * dayMs,
              subject: 'demo.example.com',
              issuer: '演示证书机构',
              told: 7,
              told_at: now.getTime() - dayMs,
              low_at: now.getTime(),
            },
          }
        : {}),
      pushed_at: at(-minuteMs),
    })),
  );
  const watched = sql.param(all.flatMap(({ id, status }) => (status === monitorState.off ? [] : [id])));
  await tx.execute(sql`
    insert into monitor_hour (project_id, hour, up_s, down_s, maintenance_s, unknown_s, probes, ms_sum, ms_max, hist)
    select id, hour, 3600 - down - away, down, 0, away, 60, 60 * 60, 60 + slow, array[0, 0, 8, 22, 22, 6, 1, slow / 400, 1, 0, 0, 0, 0, 0]::int2[]
    from unnest(${watched}::int[]) with ordinality of (id, place),
      generate_series(date_trunc('hour', ${at(-90 * dayMs)}::timestamptz), ${at(-2 * 60 * minuteMs)}::timestamptz, interval '1 hour') hour,
      lateral (select 0 down,
        case when extract(day from hour) = 9 and extract(hour from hour) = 3 then 1800 else 0 end away, (place * 400 % 1200)::int slow) made`);
  await tx.insert(windowTable).values({
    title: '迁移期间',
    project_ids: [all[4]!.id],
    weekly: true,
    starts_at: at(-30 * dayMs),
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    from_minute: 0,
    minutes: 1440,
  });
  const past = [
    {
      of: 0,
      days: 61,
      minutes: 42,
      cause: 2,
      reason: '10 秒内没有回答',
      measure: '存储空间用尽，已扩容并加入容量告警。',
    },
    { of: 1, days: 33, minutes: 11, cause: 3, reason: '连接被对方中断', measure: '出口线路割接，已与运营商确认恢复。' },
    {
      of: 2,
      days: 12,
      minutes: 25,
      cause: 6,
      reason: '状态码 503 不在 200-299 中',
      measure: '压力测试期间的预期现象，测试方案已备案。',
    },
  ];
  const incidents = [
    ...past.map(({ of, days, minutes, cause, reason, measure }) => ({
      project_id: all[of]!.id,
      type: all[of]!.type,
      start_time: at(-days * dayMs),
      end_time: at(-days * dayMs + minutes * minuteMs),
      state: incidentState.handled,
      handler: projects[of]!.manager,
      cause,
      reason,
      measure,
    })),
    {
      project_id: all[3]!.id,
      type: monitorType.http,
      start_time: at(-40 * minuteMs),
      reason: downSaid,
      http_code: 404,
      claimed_name: '',
      claimed_at: at(-30 * minuteMs),
      claimed_by: projects[3]!.manager,
    },
  ];
  const made = await tx.insert(incidentTable).values(incidents).returning();
  await tx.execute(
    sql`update test_record set claimed_name = (select alias from app_user where id = claimed_by) where claimed_by is not null`,
  );
  await tx
    .insert(incidentEventTable)
    .values(
      made.flatMap(({ id, start_time, end_time, reason, claimed_by, claimed_at, handler, measure }) => [
        { record_id: id, at: start_time, type: 'opened', text: reason },
        { record_id: id, at: start_time, type: 'alerted', text: '异常，已通知 1 人' },
        ...(claimed_at ? [{ record_id: id, at: claimed_at, type: 'claimed', user_id: claimed_by, text: '认领' }] : []),
        ...(end_time ? [{ record_id: id, at: end_time, type: 'recovered', text: '' }] : []),
        ...(end_time && handler
          ? [{ record_id: id, at: end_time, type: 'handled', user_id: handler, text: measure }]
          : []),
      ]),
    );
  await tx.insert(alertTable).values(
    made.map(({ id, project_id, start_time, reason }) => ({
      project_id,
      customer_id: sql`(select customer_id from customer_project where id = ${project_id})`,
      record_id: id,
      event: 'MONITOR_DOWN',
      text: reason,
      at: start_time,
      told_at: start_time,
      sent_at: start_time,
    })),
  );
  await tx.execute(sql`select monitor_log_days(current_date - 2, current_date + 3)`);
  // A day of probes, every other minute, so that charts and incidents have data before the first hour is over.
  await tx.execute(sql`
    insert into test_log (id, time, project_id, status, ms, http_code, msg, important, ignored, is_deleted)
    select floor(extract(epoch from seen))::bigint * 1048576 + nextval('test_log_serial'), seen, w.id, one.status,
      w.ms + (extract(epoch from seen)::bigint / 120 * 37 + w.place * 11) % 29 + case when extract(hour from seen) between 9 and 17 then w.ms / 3 else 0 end,
      case when w.type = ${inSql(monitorType.push)} then null when one.status = ${inSql(monitorState.down)} then 404 else 200 end, case when one.status = ${inSql(monitorState.down)} then ${downSaid} end, false, false, false
    from jsonb_to_recordset(${JSON.stringify(
      all.flatMap(({ id, type, ms, status }, place) =>
        status === monitorState.off ? [] : [{ id, type, ms, place, status }],
      ),
    )}::jsonb) w (id int, type int, ms int, place int, status int),
      generate_series(${at(-23 * 60 * minuteMs)}::timestamptz, ${at(-minuteMs)}::timestamptz, interval '2 minutes') seen,
      lateral (select case when w.status = ${inSql(monitorState.down)} and seen >= ${at(-40 * minuteMs)}::timestamptz then 0 when w.status = ${inSql(monitorState.maintenance)} then 3 else 1 end::int2 status) one`);
  // Makes the hours consistent with the incidents.
  await tx.execute(sql`
    update monitor_hour h set down_s = one.down, up_s = greatest(0, 3600 - one.down - h.unknown_s) from (
      select project_id, hour, extract(epoch from least(end_time, hour + interval '1 hour') - greatest(start_time, hour))::int down
      from test_record, generate_series(date_trunc('hour', start_time), end_time, interval '1 hour') hour where cause <> ${falseAlarm}) one
    where h.project_id = one.project_id and h.hour = one.hour`);
  await draftReports(tx, now);
  await tellUptimes(tx.$client);
}
