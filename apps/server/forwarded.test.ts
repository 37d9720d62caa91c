import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request as ask, type Dispatcher } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { startNode, type Node } from './testing/node.ts';
import { quietPort } from './testing/port.ts';
import { openTestApp, testSecret, type TestOffice } from './testing.ts';

// nodes.test.ts covers nginx, which overwrites what callers claim; this proxy only appends the address it saw.
let app: TestOffice;
let node: Node;
let proxy: Server;
const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-forwarded-'));
const elsewhere = new Agent({ localAddress: '127.0.0.2' });
const here = new Agent();

beforeAll(async () => {
  app = await openTestApp();
  node = await startNode(await quietPort(), {
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: dataDir,
    SESSION_SECRET: testSecret,
    TRUSTED_PROXIES: '127.0.0.1',
  });
  proxy = createServer((asked, answer) => {
    const said = asked.headers['x-forwarded-for'] as string | undefined;
    const chain = [...(said === undefined ? [] : [said]), asked.socket.remoteAddress].join(', ');
    const headers = { ...asked.headers, 'x-forwarded-for': chain };
    const passed = request(new URL(asked.url!, node.url), { method: asked.method!, headers }, (reply) => {
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
    });
    asked.pipe(passed.on('error', () => answer.destroy()));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
}, 300_000);
afterAll(async () => {
  await Promise.all([elsewhere.close(), here.close()]);
  proxy.close();
  await node.stop('SIGKILL');
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Sends a wrong password to the product by way of `url`; returns the addresses under which it is counted and recorded. */
async function failsThrough(url: string, from: Dispatcher, made: Record<string, string | string[]>) {
  const { id, username } = await app.person();
  const { pool } = app.services.databases;
  await pool.query('delete from attempt');
  const { statusCode } = await ask(url + accounts.login.path, {
    dispatcher: from,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...made },
    body: JSON.stringify({ username, password: 'Falsch@2026' }),
  });
  const { rows: counted } = await pool.query(`select subject, count from attempt where kind = 'sign-in-from'`);
  const { rows: noted } = await pool.query('select action, ip from log where user_id = $1', [id]);
  return { statusCode, counted, noted };
}
const by = (subject: string, ip = subject) => ({
  statusCode: 200,
  counted: [{ subject, count: 1 }],
  noted: [{ action: '登录失败', ip }],
});

test.each<Record<string, string | string[]>>([
  { 'x-forwarded-for': '203.0.113.9' },
  // As if the proxy itself had seen them, in two lines.
  { 'X-Forwarded-For': ['203.0.113.9, 127.0.0.1', '::ffff:127.0.0.1'] },
  { forwarded: 'for=203.0.113.9;by=127.0.0.1, for="[2001:db8::9]:80"', 'x-forwarded-for': 'unknown, ,' },
  { 'x-real-ip': '203.0.113.9', 'x-client-ip': '203.0.113.9', 'true-client-ip': '203.0.113.9' },
])('a client that sends %j is counted and logged by the address that the proxy saw', async (made) => {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  expect(await failsThrough(url, elsewhere, made)).toEqual(by('127.0.0.2'));
});

test.each([
  ['198.51.100.7:4242', by('198.51.100.7')],
  ['[2001:db8::9]:80', by('2001:db8::/64', '2001:db8::9')],
  ['2001:db8::9', by('2001:db8::/64', '2001:db8::9')],
  ['unknown', by('127.0.0.1')],
  ['a name of more characters than any address has', by('127.0.0.1')],
])('a proxy that writes “%s” is understood, or its own address is used', async (said, expected) => {
  expect(await failsThrough(node.url, here, { 'x-forwarded-for': said })).toEqual(expected);
});
