import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('health pages answer, and metrics only to loopback', async () => {
  for (const node of app.nodes) {
    const status = async (path: string, headers = {}) => (await fetch(node + path, { headers })).status;
    expect([await status('/livez'), await status('/readyz'), await status('/metrics')]).toEqual([200, 200, 200]);
    expect(await status('/metrics', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
  }
});

test('a path that is no call is a 404 in the envelope', async () => {
  const response = await app.admin.fetch('/api/nothing/here/');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 404, data: null });
});

test('a client that abandons an export at any moment holds neither a transaction nor the stopping server', async () => {
  const app = await openTestApp();
  const keeper = await app.clerk({ address: ['daochu'] });
  const leave = async (afterMs: number) => {
    const leaving = new AbortController();
    const asked = keeper.fetch('/api/oauth/staff/all_staff/?export=xlsx', { signal: leaving.signal });
    setTimeout(() => leaving.abort(), afterMs);
    await asked.then((answer) => answer.arrayBuffer()).catch(() => undefined);
  };
  for (let ms = 0; ms < 24; ms += 3) await leave(ms);
  void leave(6);
  const started = Date.now();
  await app.close();
  expect(Date.now() - started).toBeLessThan(10_000);
});

test('a client still sending a refused request does not hold the stopping server once it is sent', async () => {
  const app = await openTestApp();
  const { hostname, port } = new URL(app.nodes[0]!);
  const sender = connect(Number(port), hostname);
  sender.on('error', () => undefined);
  const size = 2 ** 20;
  sender.write(
    `POST /api/file/upload/ HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${size}\r\n\r\n`,
  );
  let answer = '';
  sender.on('data', (part: Buffer) => (answer += part.toString()));
  await expect.poll(() => answer).toContain('401');
  const started = Date.now();
  const closed = app.close();
  setTimeout(() => sender.write(Buffer.alloc(size)), 200);
  await closed;
  expect(Date.now() - started).toBeLessThan(10_000);
  sender.destroy();
});
