import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { tickets } from './contract.ts';

let app: TestOffice;
let who: Client;
let workflow_id: number;
beforeAll(async () => {
  app = await openTestApp();
  who = await app.clerk({ 'ticket/new': ['Create'] }, { dept: await app.dept(), dataScope: 5 });
  workflow_id = (await who.get(workflows.list)).value.find((flow) => flow.key === 'leave')!.id;
}, 180_000);
afterAll(() => app.close());

const form = { kind: 'personal', from: '2026-11-23', to: '2026-11-24', days: 2 };
const press = async (key: string, reason: string) => {
  const response = await who.fetch('/api/tickets/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ workflow_id, transition_id: 2, ...form, reason }),
  });
  return (await response.json()) as { code: number; msg: string; data: { id: number } & Record<string, unknown> };
};
const mine = async () => (await who.get(tickets.list, { query: { category: 'owner' } })).total;

test('one draft becomes one ticket, however often and from how many windows it is submitted at once', async () => {
  const key = crypto.randomUUID();
  const all = await Promise.all(Array.from({ length: 8 }, () => press(key, '家中有事')));
  expect(new Set(all.map(({ code, data }) => `${code} ${data.id}`)).size).toBe(1);
  expect(await mine()).toBe(1);
});

test('changes sent after a draft was submitted create no second ticket, and the sender is told that it was submitted', async () => {
  const key = crypto.randomUUID();
  expect((await press(key, '搬家')).code).toBe(0);
  const before = await mine();
  const again = await press(key, '搬家，请批准');
  expect([again.code, again.data]).toEqual([-1, { sent_before: true }]);
  expect(again.msg).toContain('刚才的提交已经成功');
  expect(await mine()).toBe(before);
  // Nothing was sent when it was refused: the same draft, corrected, is accepted.
  const other = crypto.randomUUID();
  expect((await press(other, '')).code).toBe(4000);
  expect((await press(other, '看病')).code).toBe(0);
});
