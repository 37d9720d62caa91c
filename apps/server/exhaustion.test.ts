import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { accounts } from '#modules/accounts/contract.ts';
import { socketPath } from '#modules/messages/contract.ts';
import { tickets } from '#modules/tickets/contract.ts';
import { openTestOffice, type Client, type TestOffice } from './testing.ts';

// What somebody without an account can do to everybody else: nothing that is noticed.
let office: TestOffice;
let worker: Client;
const held: Socket[] = [];
beforeAll(async () => {
  office = await openTestOffice();
  worker = await office.signIn(await office.person());
});
afterAll(async () => {
  for (const socket of held) socket.destroy();
  await office.close();
});

const works = async () => {
  const answers = await Promise.all([worker.ask(accounts.me), worker.ask(tickets.jiaobiao), worker.ask(tickets.list)]);
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
};

test(
  'three hundred connections that never finish what they began keep nobody from working',
  { timeout: 60_000 },
  async () => {
    const { hostname, port } = new URL(office.nodes[0]!);
    const begun = 'POST /api/accounts/login/ HTTP/1.1\r\nhost: office\r\ncontent-type: application/json\r\n';
    for (let at = 0; at < 300; at++) {
      const socket = connect(Number(port), hostname);
      held.push(socket);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      // Some stop within their headers, some within a body they promised.
      socket.write(at % 2 === 0 ? begun : `${begun}content-length: 1000000\r\n\r\n{"username":"`);
    }
    await works();
  },
);

test('bodies ten thousand levels deep are refused like any other nonsense', async () => {
  const deep = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`;
  const bodies = [deep('[', ']'), deep('{"username":', '}'), `{"username":${deep('[', ']')},"password":"x"}`];
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' };
    const answer = await office.stranger.fetch(accounts.login.path, { method: 'POST', body, headers });
    expect(await answer.json()).toMatchObject({ code: 4000 });
  }
  await works();
});

test('three hundred sockets without a ticket are all turned away, and none stays', { timeout: 60_000 }, async () => {
  const [node] = office.nodes as [string];
  const address = `${node.replace('http', 'ws')}${socketPath}?ticket=`;
  const turned = await Promise.all(
    Array.from({ length: 300 }, async (_none, at) => {
      const socket = new WebSocket(`${address}${'x'.repeat(at % 2 === 0 ? 43 : at)}`, { origin: node });
      const [error] = (await once(socket, 'error')) as [Error];
      return error.message;
    }),
  );
  expect(new Set(turned)).toEqual(new Set(['Unexpected server response: 401']));
  const metrics = await (await fetch(`${node}/metrics`)).text();
  expect(metrics).toMatch(/^gongdan_sockets 0$/m);
  await works();
});
