import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { access, buttonCalls } from '#modules/platform/access/contract.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { members } from '#modules/platform/people/contract/members.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import {
  finish,
  form,
  headAgrees,
  leaderAgrees,
  repairCast,
  submit,
} from '#modules/workflow/tickets/testing/repair.ts';
import { obtainNginx } from '../../scripts/find-nginx.ts';
import { openTestApp, testPassword, testSecret, type Client, type TestOffice } from './testing.ts';
import { plainly, under, type Request } from './testing/load.ts';
import { startNode, type Node } from './testing/node.ts';
import { quietPort } from './testing/port.ts';
import { startProxy } from './testing/proxy.ts';

// Two servers in separate processes that share only a PostgreSQL, by its address.
const nginx = obtainNginx();
/** Both nodes are restarted at least once, which takes some seconds of load. */
const longLoad = process.env['NIGHTLY'] ? 20_000 : 0;
/** Shorter than the time for which a person's rights are cached: only a notification between the nodes is as quick. */
const atOnce = { timeout: 3_000, interval: 20 };

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
let settings: NodeJS.ProcessEnv;
const nodes = [] as unknown as [Node, Node];
let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-nodes-'));

beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  settings = {
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: dataDir,
    SESSION_SECRET: testSecret,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const ports = [await quietPort(), await quietPort()];
  nodes.push(...(await Promise.all(ports.map((port) => startNode(port, settings)))));
  if (nginx) proxy = await startProxy(nginx, [nodes[0].url, nodes[1].url]);
}, 300_000);
afterAll(async () => {
  await proxy?.stop();
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const on = (index: 0 | 1, who: Client) => who.at(nodes[index].url);
const begin = (who: Client, fields: object = {}, headers?: Record<string, string>) =>
  who.ask(
    tickets.start,
    { body: { workflow_id: cast.repair, transition_id: submit, ...form, ...fields } as never },
    headers,
  );
const titled = async (title: string) =>
  (await app.db.$client.query<{ id: number }>('select id from ticket where title = $1', [title])).rows;

test('a person signed in at one node is signed in at the other, and signed out there at once', async () => {
  const person = await app.person();
  const body = { username: person.username, password: testPassword };
  const { jwt } = await on(0, app.stranger).get(accounts.login, { body });
  const me = (index: 0 | 1) =>
    app.stranger
      .at(nodes[index].url)
      .fetch(accounts.me.path, { headers: { authorization: `JWT ${jwt}` } })
      .then(async (response) => ((await response.json()) as { code: number }).code);
  expect([await me(1), await me(0)]).toEqual([0, 0]);
  await app.stranger.at(nodes[1].url).fetch(accounts.logout.path, { headers: { authorization: `JWT ${jwt}` } });
  await vi.waitFor(async () => expect(await me(0)).toBe(401), atOnce);
  expect(await me(1)).toBe(401);
});

test('simultaneous wrong passwords at both nodes are checked no more often than at one before a proof is required', async () => {
  await app.services.databases.pool.query('delete from attempt');
  for (let at = 0; at < 5; at += 1) {
    const { username } = await app.person();
    const guess = (one: number) =>
      on(one % 2 === 0 ? 0 : 1, app.stranger).ask(accounts.login, { body: { username, password: `guess${one}` } });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, one) => guess(one)));
    const codes = answers.map(({ code }) => code);
    expect([codes.filter((code) => code === -1).length, codes.filter((code) => code === 4029).length]).toEqual([3, 13]);
  }
  const { username } = await app.person();
  const right = await Promise.all(
    [0, 1, 0, 1, 0, 1].map((one) =>
      on(one as 0 | 1, app.stranger).ask(accounts.login, { body: { username, password: testPassword } }),
    ),
  );
  expect(right.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a permission withdrawn at one node is gone at the other at once', async () => {
  const code = await app.role({ 'system/button': ['Retrieve'] });
  const person = await app.person({ roles: [code] });
  const clerk = await app.signIn(person);
  expect((await on(1, clerk).ask(buttonCalls.list)).code).toBe(0);
  const role = (await app.admin.get(access.simpleRoles)).find((one) => one.code === code)!;
  await on(0, app.admin).get(access.saveRole, {
    params: { id: role.id },
    body: { menus: [], buttons: [] },
  });
  await vi.waitFor(async () => expect((await on(1, clerk).ask(buttonCalls.list)).code).not.toBe(0), atOnce);
  await on(1, app.admin).get(members.remove, { params: { id: role.id, userId: person.id } });
  await vi.waitFor(async () => expect((await on(0, clerk).ask(accounts.me)).code).toBe(401), atOnce);
});

test('disabling, a reset and a new password at one node end sessions at the other at once', async () => {
  const me = async (index: 0 | 1, who: Client) => (await on(index, who).ask(accounts.me)).code;
  const isOut = (who: Client) => vi.waitFor(async () => expect(await me(1, who)).toBe(401), atOnce);
  const admin = on(0, app.admin);
  const disabled = await app.person();
  const [gone, reset, kept] = [
    await app.signIn(disabled),
    await app.signIn(await app.person()),
    await app.signIn(await app.person()),
  ];
  const elsewhere = await app.signIn(kept.userId);
  for (const who of [gone, reset, kept, elsewhere]) expect(await me(1, who)).toBe(0);
  await admin.get(users.update, { params: { id: gone.userId }, body: { is_active: false } });
  await isOut(gone);
  await admin.get(users.resetPassword, { params: { id: reset.userId } });
  await isOut(reset);
  const body = { old_password: testPassword, new_password: 'Blue-Kite-77' };
  await on(0, kept).get(accounts.changePassword, { body });
  await isOut(elsewhere);
  expect([await me(0, kept), await me(1, kept)]).toEqual([0, 0]);
  const { username } = disabled;
  expect((await on(1, app.stranger).ask(accounts.login, { body: { username, password: testPassword } })).code).toBe(-1);
});

test('failed sign-ins at all nodes are counted together', async () => {
  const { username } = await app.person();
  const codes: number[] = [];
  for (let one = 0; one < 8; one++) {
    const body = { username, password: 'Falsch@2026' };
    codes.push((await on((one % 2) as 0 | 1, app.stranger).ask(accounts.login, { body })).code);
  }
  const right = { username, password: testPassword };
  const answers = await Promise.all(
    [0, 1].map((index) => on(index as 0 | 1, app.stranger).ask(accounts.login, { body: right })),
  );
  expect(answers.map((answer) => answer.code)).not.toContain(0);
  expect(answers[0]!.code).toBe(answers[1]!.code);
  expect(codes).not.toContain(0);
});

test('a work order is handled alternately at two nodes, and each counts it at once', async () => {
  const due = async (who: Client, index: 0 | 1) =>
    (await on(index, who).get(tickets.jiaobiao)).by_category['duty'] ?? 0;
  const before = await due(cast.head, 1);
  const { data } = await begin(on(0, cast.staff), { amount: 9000 });
  expect(await due(cast.head, 1)).toBe(before + 1);
  expect(await due(cast.head, 0)).toBe(before + 1);
  expect((await cast.does(on(1, cast.head), data.id, headAgrees)).code).toBe(0);
  expect(await due(cast.head, 0)).toBe(before);
  expect((await cast.does(on(0, cast.head), data.id, headAgrees)).code).not.toBe(0);
  expect((await cast.does(on(0, cast.leader), data.id, leaderAgrees)).code).toBe(0);
  expect((await cast.does(on(1, cast.worker), data.id, finish, { result: '换了垫圈' })).code).toBe(0);
  // Opened before, because the first opening is recorded.
  await cast.detail(on(1, cast.staff), data.id);
  const [one, other] = [await cast.detail(on(0, cast.staff), data.id), await cast.detail(on(1, cast.staff), data.id)];
  expect(one).toEqual(other);
});

test('the same write sent to both nodes is done once', async () => {
  for (let round = 0; round < 10; round++) {
    const title = `同一件事 ${round}`;
    const key = { 'idempotency-key': randomUUID() };
    const [one, other] = await Promise.all([
      begin(on(0, cast.staff), { title }, key),
      begin(on(1, cast.staff), { title }, key),
    ]);
    expect(one.code).toBe(0);
    expect(other.data).toEqual(one.data);
    expect(await titled(title)).toEqual([{ id: one.data.id }]);
  }
});

describe.skipIf(!nginx)('behind the proxy', () => {
  const through = (who: Client) => who.at(proxy!.url);
  const written: string[] = [];
  const load = (): Request[] => [
    { title: '列表', ask: () => through(cast.head).ask(tickets.list, { query: { category: 'duty' } }) },
    { title: '角标', ask: () => through(cast.staff).ask(tickets.jiaobiao) },
    // Without an idempotency key, as a simple program would send it.
    {
      title: '发起',
      ask: async (round) => {
        const title = `负载 ${round}-${randomUUID()}`;
        const answer = await begin(through(cast.staff), { title });
        if (answer.code === 0) written.push(title);
        return answer;
      },
    },
    { title: '页面', ask: () => plainly(through(app.stranger), '/livez') },
  ];
  const writtenOnce = async () => {
    const { rows } = await app.db.$client.query<{ title: string; n: number }>(
      `select title, count(*)::int as n from ticket where title like '负载 %' group by title`,
    );
    expect(rows.filter((row) => row.n !== 1)).toEqual([]);
    expect(rows.map((row) => row.title).toSorted()).toEqual(written.toSorted());
  };

  test('an address made up by a caller is ignored', async () => {
    const made = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' };
    const { data } = await begin(through(cast.staff), {}, made);
    const { rows } = await app.db.$client.query<{ ip: string }>(
      `select ip from log where user_id = $1 and object_id = $2`,
      [cast.staff.userId, String(data.id)],
    );
    expect(rows).toEqual([{ ip: '127.0.0.1' }]);
    expect((await through(app.stranger).fetch('/metrics')).status).toBe(404);
  });

  test('each caller behind a configured HTTPS front is counted by their own address, and an unknown front is not believed', async () => {
    const front = await startProxy(nginx!, [nodes[0].url, nodes[1].url], undefined, '127.0.0.1');
    const failsAt = async (url: string, said: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': said };
      const body = JSON.stringify({ username: 'niemand', password: 'Falsch@2026' });
      expect((await fetch(new URL(accounts.login.path, url), { method: 'POST', headers, body })).status).toBe(200);
    };
    // The last address is the one the front proxy saw; those left of it are the caller's claim.
    await failsAt(front.url, '203.0.113.9, 198.51.100.7');
    await failsAt(front.url, '198.51.100.8');
    await failsAt(proxy!.url, '203.0.113.10, 198.51.100.9');
    await front.stop();
    const { rows } = await app.db.$client.query<{ subject: string }>(
      `select subject from attempt where kind = 'sign-in-from' order by subject`,
    );
    expect(rows.map(({ subject }) => subject)).toEqual(['127.0.0.1', '198.51.100.7', '198.51.100.8']);
  });

  test(
    'nodes restarted one after the other under load fail no request and do nothing twice',
    { timeout: 300_000 },
    async () => {
      const done = await under(load(), 6, async (seen) => {
        const until = Date.now() + longLoad;
        do {
          for (const index of [0, 1] as const) {
            const port = Number(new URL(nodes[index].url).port);
            expect(await nodes[index].stop('SIGTERM')).toBe(0);
            const before = seen.answered;
            await eventually(() => expect(seen.answered).toBeGreaterThan(before + 6));
            nodes[index] = await startNode(port, settings);
          }
        } while (Date.now() < until);
      });
      expect(done.failures).toEqual([]);
      await writtenOnce();
      console.log(`滚动重启：${done.answered} 个请求，失败 ${done.failures.length} 个`);
    },
  );

  test(
    'a node killed in the middle of its work fails no request and does nothing twice',
    { timeout: 180_000 },
    async () => {
      const done = await under(load(), 6, async (seen) => {
        const answered = (more: number) => {
          const wanted = seen.answered + more;
          return eventually(() => expect(seen.answered).toBeGreaterThan(wanted));
        };
        await answered(50);
        await nodes[1].stop('SIGKILL');
        await answered(100);
      });
      expect(done.failures).toEqual([]);
      await writtenOnce();
    },
  );

  test('the proxy’s own errors are sentences in the envelope, with the usual headers', async () => {
    const said = async (path: string, init: RequestInit = {}) => {
      const { status, headers, ...response } = await through(app.stranger)
        .fetch(path, init)
        .then(async (one) => ({ status: one.status, headers: one.headers, body: await one.text() }));
      expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual(['nosniff', 'no-store']);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      return { status, ...(JSON.parse(response.body) as { code: number; msg: string }) };
    };
    const large = { method: 'POST', body: new Uint8Array(52 * 2 ** 20) };
    expect(await said('/api/accounts/login/', large)).toMatchObject({ status: 413, code: 413 });
    for (const address of ['/api/accounts/smscode/1%00/', '/api/tickets/%zz/'])
      expect(await said(address)).toMatchObject({ status: 400, code: 400, msg: '地址格式不正确' });
    for (const inner of ['/metrics', '/metrics/', '/readyz', '/readyz/', '/own-words'])
      expect(await said(inner)).toMatchObject({ status: 404, code: 404 });
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
    const away = await said('/api/accounts/users/info/');
    expect(away).toMatchObject({ status: 503, code: 503, msg: '系统正在启动或维护，请稍后再试' });
  });
});
