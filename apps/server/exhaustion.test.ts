import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { codes } from '#kernel/contract/refusal.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { socketPath } from '#modules/platform/messages/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { openTestApp, type Client, type TestOffice } from './testing.ts';

// A person without an account must not be able to disturb others noticeably.
let app: TestOffice;
let worker: Client;
const held: Socket[] = [];
beforeAll(async () => {
  app = await openTestApp();
  worker = await app.signIn(await app.person());
});
afterAll(async () => {
  for (const socket of held) socket.destroy();
  await app.close();
});

const works = async () => {
  const answers = await Promise.all([worker.ask(accounts.me), worker.ask(tickets.jiaobiao), worker.ask(tickets.list)]);
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
};

/** By night the full size: the connections are held for ten minutes, and the waiting times of others are measured. */
const nightly = process.env['NIGHTLY'] !== undefined;
const [unfinished, ticketless, exports] = nightly ? [500, 2000, 40] : [300, 300, 8];
const minutes = nightly ? 10 : 0;

/** The 99th percentile of the response times of a usual call over some seconds, in milliseconds. */
async function slowest(seconds: number): Promise<number> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const started = performance.now();
    expect((await worker.ask(tickets.list)).code).toBe(0);
    times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}

test(
  'hundreds of connections that never finish their request keep nobody from working',
  { timeout: (minutes + 2) * 60_000 },
  async () => {
    const usual = nightly ? await slowest(20) : 0;
    const { hostname, port } = new URL(app.nodes[0]!);
    const begun = 'POST /api/accounts/login/ HTTP/1.1\r\nhost: office\r\ncontent-type: application/json\r\n';
    for (let at = 0; at < unfinished; at++) {
      const socket = connect(Number(port), hostname);
      held.push(socket);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      // Some stop within their headers, some within a body that they announced.
      socket.write(at % 2 === 0 ? begun : `${begun}content-length: 1000000\r\n\r\n{"username":"`);
    }
    await works();
    if (!nightly) return;
    const held99 = await slowest(minutes * 60);
    process.stdout.write(`p99 ms of a list: ${usual} alone, ${held99} beside ${unfinished} unfinished connections\n`);
    expect(held99).toBeLessThan(Math.max(usual * 2, 20));
  },
);

test('bodies ten thousand levels deep are refused like any other nonsense', async () => {
  const deep = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`;
  const bodies = [deep('[', ']'), deep('{"username":', '}'), `{"username":${deep('[', ']')},"password":"x"}`];
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' };
    const answer = await app.stranger.fetch(accounts.login.path, { method: 'POST', body, headers });
    expect(await answer.json()).toMatchObject({ code: 4000 });
  }
  await works();
});

test(
  'many simultaneous exports and endless page requests leave other calls working',
  { timeout: 180_000 },
  async () => {
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const sheets = Promise.all(
      Array.from({ length: exports }, async () => {
        const sheet = await app.admin.fetch('/api/accounts/log/?export=xlsx');
        const bytes = Buffer.from(await sheet.arrayBuffer());
        const isSheet = sheet.headers.get('content-type') === type;
        return isSheet ? 'sheet' : (JSON.parse(String(bytes)) as { code: number }).code;
      }),
    );
    for (const asked of ['page=1000000000', 'per_page=1000000000', 'page=1000000000&per_page=100']) {
      const { code, data } = (await (await app.admin.fetch(`/api/accounts/log/?${asked}`)).json()) as {
        code: number;
        data: { value?: unknown[] } | null;
      };
      expect([code, data?.value?.length ?? 0], asked).toEqual([asked.startsWith('per_page') ? 4000 : code, 0]);
    }
    for (let turn = 0; turn < 5; turn++) await works();
    // Some get their sheet, the others are asked to wait.
    const answers = await sheets;
    expect(answers).toContain('sheet');
    expect(answers.filter((answer) => answer !== 'sheet' && answer !== codes.tooMany)).toEqual([]);
    await works();
  },
);

test('a body of ten megabytes is refused before it is read', async () => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'x'.repeat(10 * 2 ** 20), password: 'x' });
  const answer = await app.stranger.fetch(accounts.login.path, { method: 'POST', body, headers }).catch(() => null);
  // The connection may be closed while the body is still being sent.
  if (answer) expect(answer.status).toBe(413);
  await works();
});

test('hundreds of sockets without a ticket are all refused, and none stays open', { timeout: 180_000 }, async () => {
  const [node] = app.nodes as [string];
  const address = `${node.replace('http', 'ws')}${socketPath}?ticket=`;
  const turned = await Promise.all(
    Array.from({ length: ticketless }, async (_none, at) => {
      const socket = new WebSocket(`${address}${'x'.repeat(at % 2 === 0 ? 43 : at % 300)}`, { origin: node });
      const [error] = (await once(socket, 'error')) as [Error];
      return error.message;
    }),
  );
  expect(new Set(turned)).toEqual(new Set(['Unexpected server response: 401']));
  const metrics = await (await fetch(`${node}/metrics`)).text();
  expect(metrics).toMatch(/^gongdan_sockets 0$/m);
  await works();
});
