import { once } from 'node:events';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { WebSocket } from 'ws';
import { openTestApp, testPassword, type Client, type TestOffice } from '#apps/server/testing.ts';
import { openLive, type Live } from '#kernel/web/live/connection.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { online } from '#modules/platform/accounts/contract/online.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { endSessionsOf } from '#modules/platform/people/service/rights.ts';
import { messages, socketPath } from './contract.ts';
import { ticketNews } from '#modules/workflow/tickets/notify/kinds.ts';
import { announce } from './service.ts';

let app: TestOffice;
let other: TestOffice;
const opened: { close(): void }[] = [];
beforeAll(async () => {
  app = await openTestApp();
  other = await app.secondNode();
});
afterAll(async () => {
  for (const one of opened) one.close();
  await other.close();
  await app.close();
});

const ticketOf = async (who: Client) => (await who.get(messages.ticket)).ticket;
const at = (node: TestOffice) => `${node.url.replace('http', 'ws')}${socketPath}`;

interface Window {
  socket: WebSocket;
  words: { cursor: string; changed: string[] }[];
  closed: Promise<number>;
}
/** A socket opened with a ticket; by default with the server's own origin. */
async function windowOf(ticket: string, node = app, origin = node.url, more = ''): Promise<Window> {
  const socket = new WebSocket(`${at(node)}?ticket=${ticket}${more}`, { origin });
  opened.push(socket);
  const words: Window['words'] = [];
  socket.on('message', (data: Buffer) => words.push(JSON.parse(data.toString()) as Window['words'][number]));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  await eventually(() => expect(words).not.toEqual([]));
  return { socket, words, closed };
}
const refusal = (ticket: string, origin = app.url) =>
  windowOf(ticket, app, origin).then(
    () => 'opened',
    (error: Error) => error.message,
  );
const socketsOf = async ({ nodes }: TestOffice) => {
  const told = await Promise.all(nodes.map(async (node) => (await fetch(`${node}/metrics`)).text()));
  return told.reduce((sum, text) => sum + Number(/^gongdan_sockets (\d+)/m.exec(text)?.[1]), 0);
};
const someone = async () => app.signIn(await app.person());
let events = 0;
const write = (people: number[], title = '有新的待办') =>
  app.services.databases.write((tx) =>
    announce(tx, ticketNews.TODO, { id: ++events }, { title, content: '', by: null }, people),
  );

test('a socket ticket opens one socket, once, within a minute, and only from our own pages', async () => {
  const who = await someone();
  const ticket = await ticketOf(who);
  expect(await refusal(ticket, 'https://elsewhere.example')).toContain('403');
  const { words } = await windowOf(ticket);
  expect(words).toEqual([{ cursor: '0.0', changed: ['*'] }]);
  expect(await refusal(ticket)).toContain('401');
  expect(await refusal('')).toContain('401');
  expect(await refusal('x'.repeat(43))).toContain('401');
  const late = await ticketOf(who);
  await app.services.databases.write((tx) =>
    tx.execute(sql`update socket_ticket set expires_at = now() - interval '1 second'`),
  );
  expect(await refusal(late)).toContain('401');
  await ticketOf(who);
  const { rows } = await app.services.databases.pool.query<{ hash: string }>('select hash from socket_ticket');
  expect(rows).toHaveLength(1);
  expect(rows[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
});

test('a new window reloads nothing unless something changed since its page began to load', async () => {
  const who = await someone();
  const greeting = async (more: string) => (await windowOf(await ticketOf(who), app, app.url, more)).words[0];
  const moved = (seconds: number) =>
    app.services.databases.pool.query(`update live_cursor set moved_at = now() - make_interval(secs => $1)`, [seconds]);
  await moved(60);
  expect(await greeting('&age=2000')).toEqual({ cursor: '0.0', changed: [] });
  await write([who.userId]);
  expect(await greeting('&age=2000')).toEqual({ cursor: '1.0', changed: ['*'] });
  await moved(60);
  expect(await greeting('&age=2000')).toEqual({ cursor: '1.0', changed: [] });
  expect(await greeting('&age=120000')).toEqual({ cursor: '1.0', changed: ['*'] });
  for (const more of ['', '&age=-1', '&age=x', '&cursor=0.0&age=1'])
    expect(await greeting(more), more).toEqual({ cursor: '1.0', changed: ['*'] });
});

test('nobody gets a socket ticket without a session, and a ticket of an ended session opens nothing', async () => {
  expect((await app.stranger.ask(messages.ticket)).code).toBe(401);
  const who = await someone();
  const ticket = await ticketOf(who);
  await who.get(accounts.logout);
  expect(await refusal(ticket)).toContain('401');
});

test('an ordinary address accepts no socket, and the socket address no ordinary request', async () => {
  const plain = new WebSocket(`${app.url.replace('http', 'ws')}/api/msg/count/`, { origin: app.url });
  const [error] = (await once(plain, 'error')) as [Error];
  expect(error.message).toContain('200');
  expect((await app.stranger.fetch(socketPath)).status).toBe(426);
});

test('two servers on one database notify each other’s windows, without content and only the people concerned', async () => {
  const reader = await someone();
  const bystander = await someone();
  const here = await windowOf(await ticketOf(reader));
  const there = await windowOf(await ticketOf(reader), other);
  const stranger = await windowOf(await ticketOf(bystander), other);
  await write([reader.userId], '机密金丝雀');
  for (const { words } of [here, there])
    await eventually(() => expect(words.at(-1)).toEqual({ cursor: '1.0', changed: ['msg'] }));
  // A later message to the bystander comes after everything the first would have sent.
  await write([bystander.userId], '另一件事');
  await eventually(() => expect(stranger.words).toHaveLength(2));
  expect(JSON.stringify([here.words, there.words, stranger.words])).not.toMatch(/金丝雀|另一件/);
});

test('one transaction sends one notification, and one rolled back sends none', async () => {
  const reader = await someone();
  const { words } = await windowOf(await ticketOf(reader));
  const { databases } = app.services;
  const broken = databases.write(async (tx) => {
    await announce(tx, ticketNews.CC, { id: 1 }, { title: '无', content: '', by: null }, [reader.userId]);
    throw new Error('rolled back');
  });
  await expect(broken).rejects.toThrow('rolled back');
  await databases.write(async (tx) => {
    for (const kind of [ticketNews.CC, ticketNews.MENTION, ticketNews.TODO])
      await announce(tx, kind, { id: 1 }, { title: '有', content: '', by: null }, [reader.userId]);
  });
  await eventually(() => expect(words).toHaveLength(2));
  await write([reader.userId]);
  await eventually(() => expect(words.at(-1)!.cursor).toBe('2.0'));
  expect(words.map((word) => word.cursor)).toEqual(['0.0', '1.0', '2.0']);
});

test('a window closes when its session ends by sign-out, remote sign-out, an administrator’s search, disabling or expiry', async () => {
  const { databases } = app.services;
  const endings: ((who: Client) => Promise<unknown>)[] = [
    (who) => who.get(accounts.logout),
    (who) => databases.write((tx) => endSessionsOf(tx, who.userId)),
    async (who) => {
      const ip = '10.9.9.9';
      await databases.write((tx) => tx.execute(sql`update session set ip = ${ip} where user_id = ${who.userId}`));
      await app.admin.get(online.endAll, { body: { ip, password: testPassword } });
    },
    (who) =>
      databases.write((tx) => tx.update(userTable).set({ is_active: false }).where(eq(userTable.id, who.userId))),
    (who) =>
      databases.write((tx) => tx.execute(sql`update session set expires_at = now() where user_id = ${who.userId}`)),
  ];
  await Promise.all(
    endings.map(async (end) => {
      const who = await someone();
      const windows = [await windowOf(await ticketOf(who)), await windowOf(await ticketOf(who), other)];
      await end(who);
      for (const { closed } of windows) expect(await closed).toBe(4001);
    }),
  );
});

test('a person’s windows are limited in number, and their incoming frames in size and rate, and only answered emptily', async () => {
  const who = await someone();
  const windows: Window[] = [];
  for (let count = 0; count < 12; count++) windows.push(await windowOf(await ticketOf(who)));
  const oneMore = new WebSocket(`${at(app)}?ticket=${await ticketOf(who)}`, { origin: app.url });
  expect((await once(oneMore, 'close'))[0]).toBe(4029);
  const [chatty, wordy, calm] = windows as [Window, Window, Window];
  calm.socket.send('admin');
  for (let count = 0; count <= 60; count++) chatty.socket.send('admin');
  expect(await chatty.closed).toBe(1008);
  wordy.socket.send('x'.repeat(300));
  expect(await wordy.closed).toBe(1009);
  await write([who.userId]);
  await eventually(() => expect(calm.words.map((word) => word.changed)).toEqual([['*'], [], ['msg']]));
  expect(calm.socket.readyState).toBe(WebSocket.OPEN);
});

test('the browser’s connection misses nothing over interruptions, and reloads nothing when nothing happened', async () => {
  const who = await someone();
  const sockets: WebSocket[] = [];
  const heard: string[][] = [];
  // Kept shut while the connection is down: otherwise the window may be back before it is checked.
  let line = Promise.resolve();
  const live: Live = openLive({
    url: at(app),
    username: 'x',
    ticket: () => line.then(() => ticketOf(who)),
    hear: (topics) => void heard.push([...topics]),
    open: (url) => {
      const socket = new WebSocket(url, { origin: app.url });
      sockets.push(socket);
      return socket as never;
    },
  });
  opened.push(live);
  await eventually(() => expect(live.connected()).toBe(true));
  await write([who.userId]);
  await eventually(() => expect(heard).toEqual([['msg']]));
  const broken = async (meanwhile: () => Promise<unknown>) => {
    let mend = () => undefined as void;
    line = new Promise((done) => (mend = done));
    sockets.at(-1)!.terminate();
    await eventually(() => expect(live.connected()).toBe(false));
    await meanwhile();
    mend();
    live.wake();
    await eventually(() => expect(live.connected()).toBe(true));
  };
  await broken(async () => undefined);
  expect(heard).toHaveLength(1);
  await broken(() => write([who.userId]));
  expect(heard.slice(1)).toEqual([['*']]);
  await broken(() =>
    app.services.databases.write((tx) => tx.execute(sql`delete from msg_user where user_id = ${who.userId}`)),
  );
  expect(heard).toHaveLength(2);
  await who.get(accounts.logout);
  await eventually(() => expect(live.connected()).toBe(false));
  const before = sockets.length;
  live.wake();
  expect(sockets).toHaveLength(before);
});

test('a window whose server stops reconnects to another and misses nothing, and each server counts its own', async () => {
  const leaving = await app.secondNode();
  const who = await someone();
  const nodes = [leaving, other];
  const before = await socketsOf(other);
  const heard: string[][] = [];
  const closed: number[] = [];
  const live: Live = openLive({
    url: '',
    username: 'x',
    ticket: () => ticketOf(who),
    hear: (topics) => void heard.push([...topics]),
    open(url) {
      const node = nodes[0]!;
      const socket = new WebSocket(`${at(node)}${url}`, { origin: node.url });
      socket.on('close', (code) => void closed.push(code));
      return socket as never;
    },
  });
  opened.push(live);
  await eventually(() => expect(live.connected()).toBe(true));
  expect(await socketsOf(leaving)).toBe(1);
  nodes.shift();
  await leaving.close();
  await eventually(() => expect(closed).toEqual([1001]));
  await write([who.userId]);
  // All windows of a node reconnect within a minute; a visible window does so at once.
  live.wake();
  await eventually(() => expect(live.connected()).toBe(true));
  expect(heard).toEqual([['*']]);
  expect(await socketsOf(other)).toBe(before + 1);
});

test('a notification to more than five hundred people reaches all their windows once', async () => {
  const who = await someone();
  const { words } = await windowOf(await ticketOf(who));
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into app_user (username, alias, password)
      select 'many' || n, '群众' || n, 'x' from generate_series(1, 501) n`),
  );
  const { rows } = await app.services.databases.pool.query<{ id: number }>('select id from app_user');
  await write(rows.map((row) => row.id));
  await eventually(() => expect(words.at(-1)).toEqual({ cursor: '0.1', changed: ['msg'] }));
});
