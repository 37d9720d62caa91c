import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestOffice, type TestOffice } from './testing.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await openTestOffice();
});
afterAll(() => office.close());

test('health pages answer, and metrics only to loopback', async () => {
  expect((await fetch(`${office.url}/livez`)).status).toBe(200);
  expect((await fetch(`${office.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${office.url}/metrics`)).status).toBe(200);
  expect((await fetch(`${office.url}/metrics`, { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404);
});

test('a path that is no call is a 404 in the envelope', async () => {
  const response = await office.admin.fetch('/api/nothing/here/');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 404, data: null });
});
