import { asc, inArray, notInArray, sql } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { projectTable } from '#modules/customers/tables.ts';
import { fresh } from './engine/judge.ts';
import { tellUptimes } from './hours/hours.ts';
import { dueTable, incidentEventTable, incidentTable, monitorTable, stateTable, windowTable } from './tables.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** One of each kind: steady, slow, flapping, down and claimed, within a window, pushed, with a certificate of six days, never looked at. */
const stories = [
  { type: 1, ms: 40 },
  { type: 2, ms: 900, keyword: 'ok' },
  { type: 1, ms: 120, flaps: true },
  { type: 3, ms: 30, status: 0 },
  { type: 1, ms: 60, status: 3 },
  { type: 6, ms: 0 },
  { type: 1, ms: 80, days: 6 },
  { type: 1, ms: 0, status: 9 },
] as const;

const plain = { status: 1, flaps: false, keyword: '', days: 0 };

/** Eight of the projects watched at the product itself, ninety days of hours, incidents that are over and one that is not. */
export async function addDemoMonitors(tx: Db, now: Date, port: number): Promise<void> {
  const projects = await tx
    .select({ id: projectTable.id, manager: projectTable.manager })
    .from(projectTable)
    .where(notInArray(projectTable.status, [3, 4]))
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
    all.map(({ id, type, keyword }) => ({
      project_id: id,
      type,
      keyword,
      target: type === 6 ? '' : type === 3 ? '127.0.0.1:1' : `http://${own}/livez`,
      interval_s: 60,
      gmt_created: at(-90 * dayMs),
    })),
  );
  await tx
    .insert(dueTable)
    .values(
      all.map(({ id, status }, place) => ({ project_id: id, next_at: at(status === 9 ? 7 * dayMs : place * 7000) })),
    );
  await tx.insert(stateTable).values(
    all.map(({ id, status, ms, flaps, days }) => ({
      project_id: id,
      status,
      since: at(status === 0 ? -40 * minuteMs : -3 * dayMs),
      kept:
        status === 9
          ? fresh
          : {
              ...fresh,
              status: status as 0 | 1 | 3,
              verdict: status === 0 ? (0 as const) : (1 as const),
              alerts: status === 0 ? 1 : 0,
            },
      last_check: status === 9 ? null : at(-minuteMs),
      last_ms: status === 9 ? null : ms,
      last_msg: status === 0 ? '拒绝连接' : '',
      recent:
        status === 9
          ? []
          : Array.from({ length: 60 }, (_one, beat) => {
              const now0 = (status === 0 && beat >= 20) || (flaps && beat % 11 < 2);
              return (ms + ((beat * 37) % 23)) * 4 + (now0 ? 0 : status === 3 && beat > 50 ? 3 : 1);
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
  const watched = sql.param(all.flatMap(({ id, status }) => (status === 9 ? [] : [id])));
  await tx.execute(sql`
    insert into monitor_hour (project_id, hour, up_s, down_s, maintenance_s, unknown_s, probes, ms_sum, ms_max, hist)
    select id, hour, 3600 - down - away, down, 0, away, 60, 60 * 60, 60 + slow, array[0, 0, 8, 22, 22, 6, 1, slow / 400, 1, 0, 0, 0, 0, 0]::int2[]
    from unnest(${watched}::int[]) with ordinality of (id, place),
      generate_series(date_trunc('hour', ${at(-90 * dayMs)}::timestamptz), ${at(-2 * 60 * minuteMs)}::timestamptz, interval '1 hour') hour,
      lateral (select case when place = 3 and extract(hour from hour)::int % 7 = 0 then 240 else 0 end down,
        case when extract(day from hour) = 9 and extract(hour from hour) = 3 then 1800 else 0 end away, (place * 400 % 1200)::int slow) made`);
  await tx.insert(windowTable).values({
    title: '例行升级',
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
      state: 2,
      handler: projects[of]!.manager,
      cause,
      reason,
      measure,
    })),
    {
      project_id: all[3]!.id,
      type: 3,
      start_time: at(-40 * minuteMs),
      reason: '拒绝连接',
      claimed_name: '',
      claimed_at: at(-30 * minuteMs),
      claimed_by: projects[3]!.manager,
    },
  ];
  const made = await tx
    .insert(incidentTable)
    .values(incidents)
    .returning({ id: incidentTable.id, start: incidentTable.start_time });
  await tx
    .update(incidentTable)
    .set({ claimed_name: sql`(select alias from app_user where id = claimed_by)` })
    .where(inArray(incidentTable.id, [made.at(-1)!.id]));
  await tx
    .insert(incidentEventTable)
    .values(made.map(({ id, start }) => ({ record_id: id, at: start, type: 'opened', text: '' })));
  await tellUptimes(tx.$client);
}
