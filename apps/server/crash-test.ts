// Kills the running product again and again in the middle of writes and says what is left: nothing acknowledged may be
// lost, nothing half done may stay, and a request repeated under its key may count once.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabases } from '#kernel/server/db.ts';
import { findEmbedded } from '#kernel/server/embedded-postgres.ts';
import { ticketProblems, unlikeTheirLog } from '#modules/tickets/demo/check.ts';

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 6;
const writers = 6;
const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-crash-'));
const password = 'Gongdan@2026';
const form = { category: 'water_power', place: '一号楼', urgency: 'urgent', description: '漏水', amount: 300 };

interface Written {
  key: string;
  /** Null while no answer has come. */
  id: number | null;
  agreed: 'no' | 'asked' | 'acknowledged';
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((closed) => probe.close(closed));
  return port;
}

async function startServer(origin: string): Promise<ChildProcess> {
  const server = spawn(process.execPath, ['apps/server/main.ts'], {
    env: {
      ...process.env,
      PORT: new URL(origin).port,
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let waited = 0; waited < 600; waited++) {
    if (server.exitCode !== null) throw new Error(`服务没有启动，退出码 ${server.exitCode}`);
    if (
      await fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return server;
    await pause(100);
  }
  throw new Error('服务在 60 秒内没有就绪');
}

/** Asks as one person; throws where no answer comes. */
type Ask = (method: string, path: string, body?: object, key?: string) => Promise<{ code: number; data: unknown }>;
async function signIn(origin: string, username: string): Promise<Ask> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username, password });
  const reply = await fetch(`${origin}/api/accounts/login/`, { method: 'POST', headers, body });
  const { data } = (await reply.json()) as { data: { jwt: string } };
  return async (method, path, asked, key) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { ...headers, authorization: `JWT ${data.jwt}`, ...(key ? { 'idempotency-key': key } : {}) },
      ...(asked ? { body: JSON.stringify(asked) } : {}),
    });
    return (await answer.json()) as { code: number; data: unknown };
  };
}

const begin = async (clerk: Ask, workflow: number, one: Written) => {
  const body = { workflow_id: workflow, transition_id: 2, title: one.key, ...form };
  const answer = await clerk('POST', '/api/tickets/', body, one.key);
  if (answer.code !== 0) throw new Error(`工单没有发起：${JSON.stringify(answer)}`);
  one.id = (answer.data as { id: number }).id;
};
const agree = async (head: Ask, one: Written) => {
  one.agreed = 'asked';
  const body = { transition_id: 3, suggestion: '同意' };
  const answer = await head('PATCH', `/api/tickets/${one.id}/`, body, `agree-${one.key}`);
  if (answer.code !== 0) throw new Error(`工单没有同意：${JSON.stringify(answer)}`);
  one.agreed = 'acknowledged';
};

/** What is wrong in the database with what was written: sentences, none when all is well. */
async function troubles(all: readonly Written[]): Promise<string[]> {
  const embedded = findEmbedded(dataDir);
  if (!embedded) return ['数据库没有在运行'];
  const databases = openDatabases({ url: embedded.url, size: 2, onError: (error) => console.error(error.message) });
  try {
    const { rows } = await databases.fresh.$client.query<{ title: string; id: number; agreed: number }>(
      `select title, id, (select count(*)::int from ticket_log l where l.ticket_id = t.id and l.transition_id = 3) as agreed
       from ticket t where title = any($1)`,
      [all.map((one) => one.key)],
    );
    const found = new Map(rows.map((row) => [row.title, row]));
    return [
      ...(found.size === rows.length ? [] : [`同一个请求产生了两张工单：${rows.length - found.size} 张`]),
      ...all.flatMap((one) => {
        const row = found.get(one.key);
        if (one.id !== null && row?.id !== one.id) return [`已确认的工单 ${one.id} 不见了`];
        if (one.agreed === 'acknowledged' && row?.agreed !== 1) return [`已确认的同意不见了或重复了：工单 ${one.id}`];
        return (row?.agreed ?? 0) > 1 ? [`工单 ${one.id} 被同意了两次`] : [];
      }),
      ...(await ticketProblems(databases.fresh)),
      ...(await unlikeTheirLog(databases.fresh, 500)).map((sn) => `工单 ${sn} 与它的流转记录不符`),
    ];
  } finally {
    await databases.close();
  }
}

async function run(): Promise<number> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const all: Written[] = [];
  let server = await startServer(origin);
  let failed = 0;
  for (let round = 1; round <= rounds; round++) {
    const clerk = await signIn(origin, 'qin.haoyu');
    const head = await signIn(origin, 'song.mingjie');
    const { data } = await clerk('GET', '/api/workflows/?per_page=100');
    const workflow = (data as { value: { id: number; key: string }[] }).value.find((flow) => flow.key === 'repair')!.id;
    // What got no answer is sent again under its key, as a browser would.
    for (const one of all) {
      if (one.id === null) await begin(clerk, workflow, one);
      if (one.agreed === 'asked') await agree(head, one);
    }
    let killed = false;
    const write = async () => {
      while (!killed) {
        const one: Written = { key: randomUUID(), id: null, agreed: 'no' };
        all.push(one);
        await begin(clerk, workflow, one);
        await agree(head, one);
      }
    };
    const lives = Array.from({ length: writers }, () =>
      write().catch((error: Error) => {
        if (!killed) throw error;
      }),
    );
    await pause(1000 + ((round * 700) % 2000));
    killed = true;
    const gone = once(server, 'exit');
    const database = findEmbedded(dataDir);
    if (round % 2 === 0 && database) process.kill(database.pid, 'SIGKILL');
    server.kill('SIGKILL');
    await gone;
    await Promise.all(lives);
    const open = all.filter((one) => one.id === null || one.agreed === 'asked').length;
    server = await startServer(origin);
    const found = await troubles(all);
    failed += found.length;
    const what = round % 2 === 0 ? '服务与数据库' : '服务';
    console.log(
      `第 ${round} 次杀掉${what}：累计 ${all.length} 张工单，${open} 个请求没有得到回答，问题 ${found.length} 个`,
    );
    for (const trouble of found.slice(0, 10)) console.error(`  ${trouble}`);
  }
  server.kill('SIGTERM');
  await once(server, 'exit');
  return failed === 0 ? 0 : 1;
}

run()
  .finally(() => rmSync(dataDir, { recursive: true, force: true }))
  .then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
