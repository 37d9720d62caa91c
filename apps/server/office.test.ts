import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestOffice, type TestOffice } from './testing.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await openTestOffice();
});
afterAll(() => office.close());

test('health pages answer, and metrics only to loopback', async () => {
  for (const node of office.nodes) {
    const status = async (path: string, headers = {}) => (await fetch(node + path, { headers })).status;
    expect([await status('/livez'), await status('/readyz'), await status('/metrics')]).toEqual([200, 200, 200]);
    expect(await status('/metrics', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
  }
});

test('a path that is no call is a 404 in the envelope', async () => {
  const response = await office.admin.fetch('/api/nothing/here/');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 404, data: null });
});

test('whoever leaves an export at any moment keeps neither a transaction nor the stopping server', async () => {
  const office = await openTestOffice();
  const keeper = await office.clerk({ address: ['daochu'] });
  const leave = async (afterMs: number) => {
    const leaving = new AbortController();
    const asked = keeper.fetch('/api/oauth/staff/all_staff/?export=xlsx', { signal: leaving.signal });
    setTimeout(() => leaving.abort(), afterMs);
    await asked.then((answer) => answer.arrayBuffer()).catch(() => undefined);
  };
  for (let ms = 0; ms < 24; ms += 3) await leave(ms);
  void leave(6);
  const started = Date.now();
  await office.close();
  expect(Date.now() - started).toBeLessThan(10_000);
});
