import type pg from 'pg';
import { incidentState, monitorState, monitorType } from '../contract/codes.ts';
import { judgeCertificate, type KeptCertificate } from '../engine/certificate.ts';
import { judge, looksSoon, type Kept, type Result, type Verdict } from '../engine/judge.ts';
import { windowAt, type Window } from '../engine/windows.ts';
import { alertTask, overEvent } from '../alerts/words.ts';

/** A connection of a node, or the transaction of a call. */
export type Asking = Pick<pg.ClientBase, 'query'>;

/** The result of a probe with its lease; null if the target reported by push. */
export interface Found {
  project_id: number;
  lease_no: number | null;
  result: Result;
  ms: number;
  http_code: number | null;
  msg: string;
  certificate: { ends: number; subject: string; issuer: string } | null;
  /** In milliseconds; defaults to the database's clock. */
  at?: number;
}

interface Row {
  project_id: number;
  customer_id: number;
  name: string;
  due: number;
  type: number;
  interval_s: number;
  retries: number;
  retry_interval_s: number;
  successes: number;
  resend_every: number;
  max_alerts: number;
  cert_warn_days: number[];
  status: number;
  kept: Kept;
  recent: number[];
  cert: KeptCertificate;
  parent_down: boolean;
  windows: Window[];
  record_id: number | null;
  claimed: boolean;
  now: number;
}
/** SQL: a time column in milliseconds. */
export const msOf = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const lockRows = `select d.project_id, f.place from jsonb_to_recordset($1::jsonb) f (project_id int, lease_no bigint, place int)
  join monitor_due d on d.project_id = f.project_id and (f.lease_no is null or (d.lease_no = f.lease_no and d.lease_until is not null))
  order by d.project_id for update of d`;
const readRows = `select m.project_id, c.customer_id, c.name, ${msOf('d.next_at')} due, m.type, m.interval_s, m.retries, m.retry_interval_s,
    m.successes, m.resend_every, m.max_alerts, m.cert_warn_days, s.status, s.kept, s.recent, s.cert,
    coalesce(p.kept ->> 'verdict' = '0', false) parent_down, r.id record_id, r.claimed_at is not null claimed, ${msOf('clock_timestamp()')} now,
    coalesce((select jsonb_agg(jsonb_build_object('weekly', w.weekly, 'starts', ${msOf('w.starts_at')}, 'ends', ${msOf('w.ends_at')},
      'weekdays', w.weekdays, 'from_minute', w.from_minute, 'minutes', w.minutes)) from monitor_window w
      where w.project_ids @> array[m.project_id] and (w.ends_at is null or w.ends_at > now() - interval '1 day')), '[]') windows
  from monitor m join monitor_due d using (project_id) join monitor_state s using (project_id) join customer_project c on c.id = m.project_id
    left join monitor_state p on p.project_id = m.depends_on
    left join test_record r on r.project_id = m.project_id and r.end_time is null
  where m.project_id = any($1::int[]) and m.enabled order by m.project_id`;
const writeStates = `update monitor_state s set status = f.status, kept = f.kept, recent = f.recent, cert = f.cert, last_ms = f.ms, last_msg = f.msg,
    last_check = to_timestamp(f.at / 1000.0), since = case when s.status = f.status then s.since else to_timestamp(f.at / 1000.0) end,
    pushed_at = case when not f.pushed then s.pushed_at when f.status = ${monitorState.down} then null else to_timestamp(f.at / 1000.0) end
  from jsonb_to_recordset($1::jsonb) f (project_id int, status int2, kept jsonb, recent int2[], cert jsonb, ms int, msg text, at float8, pushed bool)
  where s.project_id = f.project_id`;
const writeDue = `update monitor_due d set next_at = to_timestamp(f.next / 1000.0), lease_until = null, avoid_node = f.avoid
  from jsonb_to_recordset($1::jsonb) f (project_id int, next float8, avoid text) where d.project_id = f.project_id`;
const writeLog = `insert into test_log (id, time, project_id, status, ms, http_code, msg, important)
  select floor(f.at / 1000)::bigint * 1048576 + nextval('test_log_serial'), to_timestamp(f.at / 1000.0), f.project_id, f.status, f.ms, f.http_code,
    nullif(f.msg, ''), f.important
  from jsonb_to_recordset($1::jsonb) f (project_id int, status int2, ms int, http_code int2, msg text, at float8, important bool)`;
const openRecords = `with opened as (insert into test_record (project_id, type, start_time, reason, http_code)
    select project_id, type, to_timestamp(start / 1000.0), left(reason, 200), http_code
    from jsonb_to_recordset($1::jsonb) f (project_id int, type int2, start float8, reason text, http_code int2)
    on conflict do nothing returning id, project_id, reason),
  noted as (insert into test_record_event (record_id, type, text) select id, 'opened', reason from opened)
  select id, project_id from opened`;
const closeRecords = `with closed as (update test_record r
    set end_time = greatest(r.start_time, to_timestamp(f.at / 1000.0)), state = ${incidentState.over}, gmt_modified = now(), version = version + 1
    from jsonb_to_recordset($1::jsonb) f (record_id int, at float8, type text, text text) where r.id = f.record_id and r.end_time is null
    returning r.id, f.type, f.text)
  insert into test_record_event (record_id, type, text) select id, type, text from closed`;
const writeAlerts = `with told as (insert into monitor_alert (project_id, customer_id, record_id, event, text)
    select project_id, customer_id, record_id, event, left(text, 300)
    from jsonb_to_recordset($1::jsonb) f (project_id int, customer_id int, record_id int, event text, text text)
    returning customer_id)
  select graphile_worker.add_job(identifier => '${alertTask}', payload => json_build_object('customer', customer_id),
    run_at => now() + interval '3 seconds', job_key => '${alertTask}:' || customer_id, job_key_mode => 'preserve_run_at')
  from (select distinct customer_id from told order by 1) one`;

/**
 * Writes probe results in the caller's transaction: states, log, incidents and alerts commit together. A result with an outdated lease
 * changes nothing. `node` is the probing node, which is avoided for the retry if others are alive.
 */
export async function apply(client: Asking, found: readonly Found[], node: string | null = null): Promise<number> {
  const { rows: held } = await client.query<{ project_id: number; place: number }>(lockRows, [
    JSON.stringify(found.map(({ project_id, lease_no }, place) => ({ project_id, lease_no, place }))),
  ]);
  // Read after locking, so that concurrent commits are seen.
  const { rows } = await client.query<Row>(readRows, [held.map((row) => row.project_id)]);
  if (rows.length === 0) return 0;
  // Of a project whose settings changed there may be two, and only one of them has the lease.
  const byId = new Map(held.map(({ project_id, place }) => [project_id, found[place]!]));
  const judged = rows.map((row) => judgeOne(row, byId.get(row.project_id)!, node));
  const all = JSON.stringify(judged.map((one) => one.written));
  await client.query(writeStates, [all]);
  await client.query(writeDue, [all]);
  await client.query(writeLog, [all]);
  await writeVerdicts(client, judged);
  return rows.length;
}

function judgeOne(row: Row, found: Found, node: string | null) {
  const at = found.at ?? row.now;
  const { inside, edge } = windowAt(row.windows, at);
  const around = { maintenance: inside, parentDown: row.parent_down, claimed: row.claimed };
  const { kept, verdicts } = judge(row.kept, found.result, row, around, at);
  const certificate = found.certificate && judgeCertificate(row.cert, found.certificate, row.cert_warn_days, at);
  const soon = looksSoon(kept);
  const written = {
    project_id: row.project_id,
    status: kept.status,
    kept,
    recent: [...row.recent, Math.min(found.ms, 8000) * 4 + kept.status].slice(-60),
    cert: certificate?.kept ?? row.cert,
    ms: found.ms,
    msg: found.result === 'ok' ? '' : found.msg,
    http_code: found.http_code,
    at,
    pushed: found.lease_no === null,
    important: kept.status !== row.status,
    next: nextLook(row, found, at, soon, edge),
    avoid: soon ? node : null,
  };
  return { row, found, verdicts, written, tellCertificate: certificate?.tell ?? null };
}

/** Regular probes keep their rhythm however long one took; the edge of a window gets an extra probe. */
function nextLook(row: Row, found: Found, at: number, soon: boolean, edge: number | null): number {
  const every = row.interval_s * 1000;
  let next = row.due + every * Math.max(1, Math.ceil((at - row.due) / every));
  if (row.type === monitorType.push) next = at + (found.result === 'ok' ? pushPatience(row.interval_s) : every);
  else if (soon) next = at + row.retry_interval_s * 1000;
  return edge === null ? next : Math.min(next, edge);
}
/** The time in milliseconds after which a pushed heartbeat counts as missing; one in the same second is in time. */
export const pushPatience = (interval: number) => (interval + Math.max(30, interval * 0.2)) * 1000;

type Judged = ReturnType<typeof judgeOne>;

async function writeVerdicts(client: Asking, judged: readonly Judged[]): Promise<void> {
  const every = judged.flatMap((one) => one.verdicts.map((verdict) => ({ ...one, verdict })));
  const warned = judged.filter((one) => one.tellCertificate !== null);
  if (every.length === 0 && warned.length === 0) return;
  const of = <T extends Verdict['type']>(type: T) =>
    every.filter((one): one is typeof one & { verdict: Extract<Verdict, { type: T }> } => one.verdict.type === type);
  const opened = of('opened');
  const records = new Map(judged.map(({ row }) => [row.project_id, row.record_id]));
  if (opened.length > 0) {
    const values = opened.map(({ row, found, verdict }) => ({
      ...row,
      start: verdict.at,
      reason: found.msg,
      http_code: found.http_code,
    }));
    const { rows } = await client.query<{ id: number; project_id: number }>(openRecords, [
      JSON.stringify(
        values.map(({ project_id, type, start, reason, http_code }) => ({
          project_id,
          type,
          start,
          reason,
          http_code,
        })),
      ),
    ]);
    for (const { id, project_id } of rows) records.set(project_id, id);
  }
  const recovered = of('recovered').map(({ row, verdict }) => ({
    record_id: row.record_id,
    at: verdict.at,
    type: 'recovered',
    text: '',
  }));
  if (recovered.length > 0) await client.query(closeRecords, [JSON.stringify(recovered)]);
  const say = ({ row }: Judged, event: string, text: string) => ({
    project_id: row.project_id,
    customer_id: row.customer_id,
    record_id: records.get(row.project_id) ?? null,
    event,
    text,
  });
  const alerts = [
    ...of('alert').map((one) => say(one, 'MONITOR_DOWN', one.found.msg)),
    ...of('recovered').map((one) => say(one, one.verdict.told ? 'MONITOR_UP' : overEvent, '')),
    ...of('flapping').map((one) => say(one, 'MONITOR_FLAP', '半小时内反复异常和恢复，此后半小时不再逐次提醒')),
    ...of('settled').map((one) =>
      say(one, 'MONITOR_QUIET', one.verdict.status === monitorState.up ? '现在正常' : `现在异常，${one.found.msg}`),
    ),
    ...warned.map((one) =>
      say(one, 'CERT_EXPIRE', one.tellCertificate! < 0 ? '证书已到期' : `证书还有 ${one.tellCertificate} 天到期`),
    ),
  ];
  if (alerts.length > 0) await client.query(writeAlerts, [JSON.stringify(alerts)]);
}
