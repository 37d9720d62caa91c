import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { portion as clearedAtOnce, removeLogs } from '#modules/platform/audit/chain/removal.ts';
import { verifyLogs } from '#modules/platform/audit/chain/verify.ts';
import { purgeDeliveries } from '#modules/platform/deliveries/purge.ts';
import { verifyTicketLogs } from '#modules/workflow/tickets/store/chain.ts';
import { copyCluster } from '#kernel/server/postgres/embedded-backup.ts';
import { answered, personId } from '../calls.ts';
import { asOperator } from '../contracts.ts';
import { shown, type Table } from '../report.ts';
import type { Stage } from '../stage.ts';
import { busyRows, fillYears, words } from './fill.ts';
import type { Writing } from './writing.ts';

/** Sees the whole log and all deliveries. */
const reader = 'admin';
/** The person with the fullest inbox. */
const busy = 'qin.haoyu';
const aimMs = 200;
/** The time for which a call is repeated, and for which maintenance is watched. */
const [askingMs, patienceMs] = [6000, 20_000];
/** The demonstration's tickets have logs of some rows each, which only the product can write. */
const ticketsAtMost = 5000;

interface Asked {
  name: string;
  path: string;
  as: string;
}
const found = (path: string, word: string) => `${path}search_value=${encodeURIComponent(word)}`;
const log = '/api/accounts/log/?per_page=20&';
const deliveries = '/api/msg/delivery/?per_page=20&';
const box = '/api/msg/user/read/?all=true&per_page=20&';

/** Typical queries over years: the newest, the oldest, something rare and something absent. */
async function callsOf(client: pg.Client): Promise<Asked[]> {
  const { rows } = await client.query<{ username: string; ip: string; day: string }>(
    `select username, ip, to_char(gmt_created, 'YYYY-MM-DD') as day from log order by id offset 1000 limit 1`,
  );
  const { username, ip, day } = rows[0]!;
  const asReader: [string, string][] = [
    ['操作日志，最新 20 条', log],
    ['操作日志，第 50 页', `${log}page=50`],
    ['操作日志，最早 20 条', `${log}order_by=gmt_created`],
    ['操作日志，按编号最早', `${log}order_by=id`],
    ['操作日志，最慢的 20 条', `${log}order_by=ms&desc=true`],
    ['操作日志，某人', `${log}user=${username}`],
    ['操作日志，没有的人', `${log}user=nobody.at.all`],
    ['操作日志，某地址', `${log}ip=${ip}`],
    ['操作日志，没有的地址', `${log}ip=10.250.250.250`],
    ['操作日志，没有的操作', `${log}action=${encodeURIComponent('从未做过')}`],
    ['操作日志，被拒绝的', `${log}result=denied`],
    ['操作日志，一个模块', `${log}module=orders`],
    ['操作日志，没有的模块', `${log}module=alumni`],
    ['操作日志，多年前的一天', `${log}created_from=${day}&created_to=${day}`],
    ['操作日志，搜索少见的词', found(log, words.rare)],
    ['操作日志，搜索常见的词', found(log, words.common)],
    ['操作日志，搜索没有的词', found(log, words.none)],
    ['操作日志，两周趋势', '/api/accounts/log/trend/'],
    ['投递，最新 20 条', deliveries],
    ['投递，放弃的', `${deliveries}state=given_up`],
    ['投递，滞留的', `${deliveries}stuck=true`],
    ['投递，没有用过的渠道', `${deliveries}channel=sms`],
    ['投递，多年前的一天', `${deliveries}created_from=${day}&created_to=${day}`],
    ['投递，搜索少见的词', found(deliveries, words.rare)],
    ['投递，搜索没有的词', found(deliveries, words.none)],
  ];
  const asBusy: [string, string][] = [
    ['消息，最新 20 条', box],
    ['消息，第 50 页', `${box}page=50`],
    ['消息，未读', '/api/msg/user/unread/?per_page=20'],
    ['消息，未读数', '/api/msg/user/unread_count/'],
    ['消息，全部数', '/api/msg/count/'],
    ['消息，搜索常见的词', found(box, words.common)],
    ['消息，搜索没有的词', found(box, words.none)],
  ];
  return [
    ...asReader.map(([name, path]) => ({ name, path, as: reader })),
    ...asBusy.map(([name, path]) => ({ name, path, as: busy })),
  ];
}

/** Repeats a call up to `times`, or until the time is over; `null` if it is refused. */
async function timesOf(stage: Stage, path: string, token: string, times: number): Promise<number[] | null> {
  const taken: number[] = [];
  const until = performance.now() + askingMs;
  for (let count = -3; count < times && (performance.now() < until || taken.length === 0); count++) {
    const started = performance.now();
    if (!(await answered(stage.url + path, token).catch(() => null))) return null;
    if (count >= 0 || performance.now() > until) taken.push(performance.now() - started);
  }
  return taken.toSorted((a, b) => a - b);
}
const at = (taken: readonly number[], share: number) =>
  taken[Math.min(taken.length - 1, Math.floor(taken.length * share))]!;

async function measurePages(stage: Stage, rows: number, times: number): Promise<Table> {
  const asked = await asOperator(stage, callsOf);
  const tokens: Record<string, string> = { [reader]: await stage.signIn(reader), [busy]: await stage.signIn(busy) };
  const cells: Table['rows'] = [];
  for (const { name, path, as } of asked) {
    const taken = await timesOf(stage, path, tokens[as]!, times);
    const ms = taken ? [shown(at(taken, 0.5)), shown(at(taken, 0.95))] : ['没有回答', '—'];
    console.log(`  ${name}：${ms.join(' / ')}`);
    cells.push([name, ...ms]);
  }
  return {
    name: 'years',
    title: '多年的数据',
    about: `操作日志、投递、消息及其送达各 ${shown(rows)} 行（共 ${shown(4 * rows)} 行），三年；消息最多的一个人有 ${shown(Math.min(busyRows, rows / 3), 0)} 条。一个连接逐次请求，含总数。目标：p95 < ${aimMs} ms。`,
    columns: ['调用', 'p50 ms', 'p95 ms'],
    rows: cells,
  };
}

/** Repeats work in portions until none is left or the time is over; returns rows per second. */
async function rateOf(work: () => Promise<number>): Promise<{ rows: number; perSecond: number }> {
  const started = performance.now();
  let rows = 0;
  for (let done = 1; done > 0 && performance.now() < started + patienceMs; rows += done) done = await work();
  return { rows, perSecond: (rows / (performance.now() - started)) * 1000 };
}

/** Writes that are logged, sent one after the other by another process during some work in this one; in milliseconds, the longest last. */
async function besides<T>(stage: Stage, work: () => Promise<T>): Promise<{ result: T; taken: number[] }> {
  const asked: Writing = { url: stage.url, token: await stage.signIn(reader), users: [await personId(stage, busy)] };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writing.ts'), JSON.stringify(asked)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = text(child.stdout);
  const result = await work().finally(() => child.stdin.end());
  return { result, taken: (JSON.parse(await said) as number[]).toSorted((a, b) => a - b) };
}

async function measureUpkeep(stage: Stage, rows: number): Promise<Table> {
  const { databases } = stage.app.services;
  const cells: Table['rows'] = [];
  const row = (name: string, value: string, beside?: readonly number[]) => {
    const waits = beside ? [shown(at(beside, 0.5)), shown(at(beside, 0.99)), shown(beside.at(-1)!)] : ['—', '—', '—'];
    console.log(`  ${name}：${value}；${waits.join(' / ')}`);
    cells.push([name, value, ...waits]);
  };
  const idle = await besides(stage, () => new Promise((done) => setTimeout(done, 3000)));
  row('没有维护时', '—', idle.taken);
  const entry = {
    module: 'audit',
    action: '清除到期的操作日志',
    method: 'DELETE',
    path: '/',
    user: null,
    result: 0,
    milliseconds: 0,
  };
  const origin = { ip: '', userAgent: '', traceId: '' };
  const removal = { days: 365, entry: { ...entry, origin } };
  const cleared = await besides(stage, () => rateOf(() => databases.write((tx) => removeLogs(tx, removal))));
  row(`清除操作日志，每次 ${shown(clearedAtOnce)} 条`, `${shown(cleared.result.perSecond, 0)} 行/秒`, cleared.taken);
  const purged = await besides(stage, () => rateOf(async () => ((await databases.write(purgeDeliveries)) ? 1000 : 0)));
  row('清除投递，每次 1,000 条', `${shown(purged.result.perSecond, 0)} 行/秒`, purged.taken);
  const timed = async (name: string, verify: () => Promise<{ rows: number; broken: unknown }>) => {
    const started = performance.now();
    const { result, taken } = await besides(stage, verify);
    if (result.broken) throw new Error(`${name}：${JSON.stringify(result.broken)}`);
    row(
      `${name}，${shown(result.rows)} 行`,
      `${shown((result.rows / (performance.now() - started)) * 1000, 0)} 行/秒`,
      taken,
    );
  };
  await timed('校验操作日志', () => databases.snapshot(verifyLogs));
  await timed('校验流转记录', () => databases.snapshot(verifyTicketLogs));
  const target = mkdtempSync(join(tmpdir(), 'gongdan-years-'));
  try {
    const started = performance.now();
    const { taken } = await besides(stage, () =>
      copyCluster(stage.adminDatabase, join(stage.dataDir, 'postgres'), join(target, 'cluster')),
    );
    const seconds = (performance.now() - started) / 1000;
    const bytes = await asOperator(stage, async (client) =>
      Number((await client.query<{ n: string }>('select sum(pg_database_size(oid)) as n from pg_database')).rows[0]!.n),
    );
    row('备份', `${shown(bytes / 2 ** 30)} GB，${shown(bytes / 2 ** 20 / seconds, 0)} MB/秒`, taken);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
  return {
    name: 'upkeep',
    title: '多年数据的维护',
    about: `同上，${shown(rows)} 行。维护的同时一个人不断提交，右边三列是每次提交的用时。目标：维护不让人等，p99 < 500 ms。`,
    columns: ['维护', '速度', '提交 p50 ms', 'p99 ms', '最长 ms'],
    rows: cells,
  };
}

/** Waits until the server has added the whole log to its chain; returns rows per second. */
async function sealed(stage: Stage): Promise<string> {
  const { pool } = stage.app.services.databases;
  const head = async () => {
    const { rows } = await pool.query<{ seal: string; more: boolean }>(
      `select coalesce((select seal from log_head), 0) as seal, exists (select from log where seal is null) as more`,
    );
    return { seal: Number(rows[0]!.seal), more: rows[0]!.more };
  };
  const [first, started] = [(await head()).seal, performance.now()];
  for (;;) {
    const { seal, more } = await head();
    if (!more) return shown(((seal - first) / (performance.now() - started)) * 1000, 0);
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** Fills years of rows, adds the log to its chain as the server does, and measures calls and maintenance. */
export async function measureYears(stage: Stage, times: number, rows: number): Promise<Table[]> {
  await stage.grow(Math.min(ticketsAtMost, rows));
  const person = await personId(stage, busy);
  await asOperator(stage, (client) => fillYears(client, rows, person, (line) => console.log(`  ${line}`)));
  const speed = await sealed(stage);
  console.log(`  封存：${speed} 行/秒`);
  await asOperator(stage, (client) => client.query('vacuum (analyze) log'));
  const pages = await measurePages(stage, rows, times);
  const upkeep = await measureUpkeep(stage, rows);
  upkeep.rows.unshift(['封存操作日志，每次 500 条', `${speed} 行/秒`, '—', '—', '—']);
  const sizes = await asOperator(stage, (client) =>
    client.query<{ name: string; per_row: number; bytes: string }>(
      `select relname as name, (pg_total_relation_size(oid) / greatest(reltuples, 1))::int as per_row, pg_total_relation_size(oid)::text as bytes
        from pg_class where relname in ('log', 'ticket_log', 'delivery', 'msg', 'msg_user') order by relname`,
    ),
  );
  for (const { name, per_row, bytes } of sizes.rows)
    upkeep.rows.push([
      `表 ${name}`,
      `${shown(per_row, 0)} 字节/行，${shown(Number(bytes) / 2 ** 30)} GB`,
      '—',
      '—',
      '—',
    ]);
  return [pages, upkeep];
}
