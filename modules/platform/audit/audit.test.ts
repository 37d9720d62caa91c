import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Db } from '#kernel/server/db/db.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { lockOf } from '#kernel/server/jobs/periodic.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { sealLogs } from './chain/chain.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { audit } from './contract.ts';
import { inRanges, rangesIn, rangesOf, rangesText } from './chain/ranges.ts';
import { portion } from './chain/removal.ts';
import { remember } from './service.ts';
import { verifyLogs } from './chain/verify.ts';

let app: TestOffice;
let superuser: pg.Client;
beforeAll(async () => {
  app = await openTestApp();
  const [row] = (await app.db.execute<{ name: string }>(sql`select current_database() as name`)).rows;
  superuser = new pg.Client(Object.assign(new URL(inject('databaseAdminUrl')), { pathname: `/${row!.name}` }).href);
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await app.close();
});

const drizzleOf = (client: pg.Client) => drizzle(client) as unknown as Db;
const origin = { ip: '10.0.0.9', userAgent: 'test', traceId: 'trace' };
const entry = (title: string) => ({
  module: 'stamp',
  action: '登记印章',
  method: 'POST',
  path: '/api/stamp/',
  user: null,
  origin,
  result: 0,
  milliseconds: 3,
  changes: [{ type: '印章', id: 7, title, before: { 名称: '甲' }, after: { 名称: title } }],
});
const write = (titles: string[]) =>
  app.services.databases.write(async (tx) => {
    for (const title of titles) await remember(tx, entry(title));
  });
const seal = async () => {
  while (await app.services.databases.write(sealLogs));
};
const verify = () => app.services.databases.snapshot(verifyLogs);
const age = (days: number, where: string) =>
  superuser.query(`begin; set local session_replication_role = replica;
    update log set gmt_created = gmt_created - interval '${days} days' where ${where}; commit`);

test('log rows are sealed into one hash chain that verifies', async () => {
  await write(['一', '二', '三']);
  await seal();
  const found = await verify();
  expect(found).toMatchObject({ unsealed: 0, broken: null });
  expect(found.rows).toBe(found.head.seal);
  expect(found.rows).toBeGreaterThanOrEqual(3);
});

test('log rows committed out of order are sealed without loss', async () => {
  const late = await app.services.databases.pool.connect();
  await late.query('begin');
  await late.query(`insert into log (module, action, method, path, ip, ua, result, ms, diff, trace_id)
    values ('stamp', 'late', 'POST', '/', '', '', 0, 0, '[]', '')`);
  await Promise.all(Array.from({ length: 20 }, (_, index) => write([`同时 ${index}`])));
  await Promise.all([seal(), seal(), seal()]);
  await late.query('commit');
  late.release();
  await Promise.all([seal(), write(['再来']), seal()]);
  await seal();
  const found = await verify();
  expect(found).toMatchObject({ unsealed: 0, broken: null });
  const counted = await superuser.query<{ n: string }>('select count(*) as n from log');
  expect(found.rows).toBe(Number(counted.rows[0]!.n));
});

test('the application itself can neither change nor delete a log row', async () => {
  const { pool } = app.services.databases;
  await expect(pool.query(`update log set title = 'x' where id = 1`)).rejects.toThrow('append-only');
  await expect(pool.query(`update log set hash = repeat('0', 64) where id = 1`)).rejects.toThrow('append-only');
  await expect(pool.query(`update log set removed = 1 where id = 1`)).rejects.toThrow('append-only');
  await expect(pool.query('delete from log where id = 1')).rejects.toThrow('append-only');
  await expect(pool.query('truncate log')).rejects.toThrow('append-only');
});

test('old log rows are cleared by a super administrator, leave a tombstone and still verify', async () => {
  await write(['旧一', '旧二', '旧三', '新']);
  await age(200, `title like '旧%'`);
  await seal();
  const rows = (await app.admin.get(audit.list, { query: { search_value: '旧' } })).value;
  expect(rows.map((row) => row.title)).toEqual(['旧三', '旧二', '旧一']);
  const fresh = (await app.admin.get(audit.list, { query: { search_value: '再来' } })).value[0]!;
  const refused = await app.admin.ask(audit.remove, { params: { ids: `${rows[0]!.id},${fresh.id}` } });
  expect(refused).toMatchObject({ code: -1, msg: expect.stringContaining('180 天') });
  expect(await app.admin.get(audit.remove, { params: { ids: String(rows[0]!.id) } })).toEqual({ count: 1 });
  expect(await app.admin.get(audit.clear)).toEqual({ count: 2, more: false });
  expect(await verify()).toMatchObject({ removed: 3, broken: null });
  const told = (await app.admin.get(audit.list, { query: { module: 'audit' } })).value;
  expect(told.map((row) => row.title)).toEqual(['清除 2 条操作日志', '清除 1 条操作日志']);
  expect((await app.admin.ask(audit.clear)).code).toBe(-1);
  await age(400, 'removed = 2');
  const tombstone = told[0]!.id;
  expect((await app.admin.ask(audit.remove, { params: { ids: String(tombstone) } })).code).toBe(-1);
  await superuser.query(`begin; set local session_replication_role = replica;
    update log set gmt_created = gmt_created + interval '400 days' where removed = 2; commit`);
  expect((await verify()).broken).toBeNull();
});

test('log rows are kept as long as configured, and at least half a year', async () => {
  const save = (log_keep_days: number) => app.admin.ask(settings.saveLogin, { body: { log_keep_days } });
  expect(await save(179)).toMatchObject({ code: 4000, msg: expect.stringContaining('至少保留 180 天') });
  expect((await save(365)).code).toBe(0);
  await write(['一年内']);
  await age(300, `title = '一年内'`);
  await seal();
  expect(await app.admin.ask(audit.clear)).toMatchObject({ code: -1, msg: expect.stringContaining('365 天') });
  expect((await save(200)).code).toBe(0);
  expect(await app.admin.get(audit.clear)).toEqual({ count: 1, more: false });
});

test('only super administrators clear the log, even among holders of the code', async () => {
  const clerk = await app.clerk({ 'system/log': ['Retrieve', 'Delete'] });
  expect(await clerk.ask(audit.clear)).toMatchObject({ code: -1, msg: '只有超级管理员可以清除操作日志' });
});

test('log filters narrow the list, and a narrower scope sees only its own people', async () => {
  const dept = await app.dept();
  const near = await app.clerk({ 'system/log': ['Retrieve'] }, { dept, dataScope: 3 });
  expect((await near.get(audit.list)).total).toBe(0);
  const ahead = await app.admin.get(audit.list, { query: { created_from: '2099-01-01' } });
  expect(ahead.total).toBe(0);
  const here = await app.admin.get(audit.list, { query: { ip: '10.0.0.9', created_to: '2099-01-01' } });
  expect(here.total).toBeGreaterThan(20);
});

test('rows that a module logged under its former name are found with its present ones', async () => {
  await app.services.databases.write(async (tx) => {
    for (const module of ['link', 'links', 'documents']) await remember(tx, { ...entry(`由 ${module} 写`), module });
  });
  const found = await app.admin.get(audit.list, { query: { module: 'links' } });
  expect(found.value.map((row) => [row.module, row.title])).toEqual([
    ['links', '由 links 写'],
    ['link', '由 link 写'],
  ]);
  expect(found.value.map((row) => row.module_name)).toEqual(['关联', '关联']);
});

test('a log export has the rows of the list, needs the export permission, and is logged itself', async () => {
  await write(['=1+1', '打给 13812345678']);
  const asked = '/api/accounts/log/?export=xlsx&ip=10.0.0.9';
  const reader = await app.clerk({ 'system/log': ['Retrieve'] });
  expect(await (await reader.fetch(asked)).json()).toMatchObject({ code: 4003 });
  const listed = await app.admin.get(audit.list, { query: { ip: '10.0.0.9', per_page: 100 } });
  const answer = await app.admin.fetch(asked);
  expect(answer.headers.get('x-export-rows')).toBe(String(listed.total));
  const [titles = [], ...rows] = await readSheet(Buffer.from(await answer.arrayBuffer()));
  const column = (title: string) => rows.map((row) => row[titles.indexOf(title)]);
  expect(titles).toEqual(expect.arrayContaining(['时间', '用户名', '姓名', '模块', '操作', '内容']));
  expect(column('内容').slice(0, 2)).toEqual(['打给 138****5678', '=1+1']);
  expect(column('内容').slice(2, 100)).toEqual(listed.value.slice(2).map((row) => row.title));
  const [told] = (await app.admin.get(audit.list, { query: { module: 'audit' } })).value;
  expect(told).toMatchObject({ username: 'admin', object_type: '导出', title: `操作日志 ${listed.total} 行` });
  const filters = { user: 'admin', action: '查看操作日志', result: 'ok' } as const;
  expect((await app.admin.get(audit.list, { query: filters })).total).toBe(1);
  const near = await app.clerk({ 'system/log': ['Retrieve', 'daochu'] }, { dataScope: 5 });
  expect(await readSheet(Buffer.from(await (await near.fetch(asked)).arrayBuffer()))).toEqual([titles]);
});

test('each of 200 random edits and deletions behind the triggers is detected', async () => {
  await write(Array.from({ length: 30 }, (_, index) => `第 ${index} 条`));
  await seal();
  const { rows } = await superuser.query<{ id: string }>('select id from log order by id');
  const { rows: columns } = await superuser.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns where table_name = 'log' and is_identity = 'NO'`,
  );
  const pick = <T>(from: readonly T[]) => from[randomInt(from.length)]!;
  const other = (name: string, type: string) => {
    if (type === 'jsonb') return `${name} || '[{"type":"x","fields":[]}]'`;
    if (type === 'tsvector') return `${name} || 'x'::tsvector`;
    if (type.startsWith('timestamp')) return `${name} + interval '1 microsecond'`;
    if (type === 'bigint') return pick([`null`, `-${name}`, `${name} + 100000`]);
    if (type === 'integer' || type === 'smallint') return `coalesce(${name}, 0) + 1`;
    return name.endsWith('hash') ? pick([`md5(${name}) || md5(${name})`, 'null']) : `left(${name} || 'x', 30) || 'y'`;
  };
  for (let round = 0; round < 200; round++) {
    const { id } = pick(rows);
    const column = pick(columns);
    const attack =
      round % 4 === 0
        ? `delete from log where id = ${id}`
        : `update log set ${column.name} = left((${other(column.name, column.type)})::text, 64)::${column.type} where id = ${id}`;
    const statement =
      column.type === 'jsonb' || column.type === 'tsvector' || column.type === 'text'
        ? attack.replace(/left\((.*), 64\)::/, '($1)::')
        : attack;
    await superuser.query('begin; set local session_replication_role = replica');
    await superuser.query(statement);
    const found = await verifyLogs(drizzleOf(superuser));
    await superuser.query('rollback');
    expect(found.broken, statement).not.toBeNull();
  }
  expect((await verify()).broken).toBeNull();
});

test('rows cut off the end of the chain, or the whole chain, are detected as missing', async () => {
  for (const cut of [
    'delete from log where seal = (select max(seal) from log)',
    'delete from log',
    'delete from log_head',
  ]) {
    await superuser.query('begin; set local session_replication_role = replica');
    await superuser.query(cut);
    const found = await verifyLogs(drizzleOf(superuser));
    await superuser.query('rollback');
    expect(found.broken, cut).not.toBeNull();
  }
});

test('a whole mobile number appears nowhere in the log, neither in titles nor in the search text', async () => {
  await app.admin.get(settings.saveInterfaces, { body: { sms: { provider: 'aliyun' } } as never });
  await app.admin.get(settings.saveLogin, { body: { phone_login: true } });
  await eventually(async () => expect(await app.services.settings.get('login')).toMatchObject({ phone_login: true }));
  const body = { phone: '13812345679', code: '123456' };
  expect((await app.stranger.ask(accounts.login, { body })).code).toBe(-1);
  const { value } = await app.admin.get(audit.list, { query: { action: '登录失败' } });
  expect(value[0]!.title).toMatch(/^138\*{4}5679：验证码不正确/);
  const whole = await superuser.query(`select 1 from log where row_to_json(log)::text like '%13812345679%'`);
  expect(whole.rows).toEqual([]);
});

test('many old log rows are cleared in batches with tombstones, while sealing goes on', async () => {
  const many = 2 * portion + 7;
  await superuser.query(
    `insert into log (module, action, method, path, ip, ua, result, ms, diff, trace_id)
      select 'stamp', 'many', 'POST', '/', '', '', 0, 0, '[]', '' from generate_series(1, $1::int)`,
    [many],
  );
  await seal();
  await age(300, `action = 'many'`);
  // The oldest row is locked: clearing waits here, and nobody waits for it.
  await superuser.query(`begin; select from log where action = 'many' order by gmt_created, id limit 1 for update`);
  const clearing = app.admin.ask(audit.clear);
  await eventually(async () => {
    const { rows } = await app.db.execute(sql`select from pg_locks where not granted`);
    expect(rows).not.toEqual([]);
  });
  await write(['同时']);
  const sealing = await Promise.race([seal().then(() => 'sealed'), pause(3000, 'waits')]);
  await superuser.query('commit');
  expect(sealing).toBe('sealed');
  expect(await clearing).toMatchObject({
    data: { count: portion, more: true },
    msg: `已清除 ${portion.toLocaleString('zh-CN')} 条，其余的正在后台清除`,
  });
  const told = async () =>
    (await app.admin.get(audit.list, { query: { module: 'audit', user: 'admin' } })).value.map(({ title }) => title);
  const title = (count: number) => `清除 ${count} 条操作日志`;
  await eventually(async () => expect((await told()).slice(0, 3)).toEqual([title(7), title(portion), title(portion)]));
  expect((await verify()).broken).toBeNull();
  expect((await app.admin.get(audit.list, { query: { action: 'many' } })).total).toBe(0);
});

test('log filters use an index among many rows, and clearing skips rows already cleared', async () => {
  await superuser.query(
    `begin; set local session_replication_role = replica;
    insert into log (username, module, action, method, path, ip, ua, result, ms, diff, trace_id, gmt_created, removed)
      select 'u' || n % 50, 'stamp', 'a' || n % 20, 'POST', '/', '10.1.1.' || n % 100, '', 0, n % 900, '[]', '',
        case when n % 2 = 0 then 'epoch'::timestamptz else now() end, (n + 1) % 2 from generate_series(1, 20000) n;
    commit; analyze log`,
  );
  const usedBy = async (rest: string) => {
    const { rows } = await superuser.query(
      `explain (format json) select id from log where removed <> 1 and gmt_created > 'epoch' ${rest} limit 20`,
    );
    return /"Index Name":"(\w+)"/.exec(JSON.stringify(rows))?.[1];
  };
  const newest = 'order by id desc';
  const asked = {
    log_username: `and username = 'nobody' ${newest}`,
    log_action: `and action = '从未做过' ${newest}`,
    log_ip: `and ip = '10.9.9.9' ${newest}`,
    log_refused: `and result <> 0 ${newest}`,
    log_ms: 'order by ms desc, id desc',
    log_created: 'order by gmt_created, id',
  };
  for (const [name, rest] of Object.entries(asked)) expect(await usedBy(rest), rest).toBe(name);
  // The server seals rows at the same time, and locks them in another order.
  await superuser.query(
    `begin; set local session_replication_role = replica; select pg_advisory_xact_lock(${lockOf('audit chain')});
    delete from log where username ~ '^u\\d+$' and module = 'stamp'; commit`,
  );
});

test('a list of numbers written as ranges is parsed back unchanged', () => {
  const ranges = rangesOf([5, 1, 2, 3, 9, 10]);
  expect(rangesText(ranges)).toBe('1-3,5,9-10');
  expect(rangesIn('1-3,5,9-10,x')).toEqual(ranges);
  expect([0, 1, 3, 4, 5, 6, 10, 11].filter((n) => inRanges(ranges, n))).toEqual([1, 3, 5, 10]);
});

test('a browser error is logged under the number shown to its reader, up to a limit', async () => {
  const who = await app.signIn(await app.person());
  const body = { path: '/index', message: 'cannot read x', stack: 'TypeError: cannot read x' };
  const numbers = new Set<string>();
  for (let at = 0; at < 30; at++) numbers.add((await who.get(audit.broken, { body })).trace_id);
  expect(numbers.size).toBe(30);
  expect((await who.ask(audit.broken, { body })).msg).toContain('报告页面异常');
});
