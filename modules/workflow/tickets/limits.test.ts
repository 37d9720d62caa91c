import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { tickets } from './contract.ts';
import { ticketTable } from './tables.ts';
import { addFlow } from './testing/flow.ts';

const form = { kind: 'personal', from: '2026-11-23', to: '2026-11-24', days: 2, reason: '家中有事' };
const [save, submit] = [1, 2];

let app: TestOffice;
let single: number;
let rare: number;
let weekly: number;
beforeAll(async () => {
  app = await openTestApp();
  single = await limited('single', { concurrent_open: 1 });
  rare = await limited('rare', { rate: { period: 24, count: 1, level: 2 } });
  weekly = await limited('weekly', { rate: { period: 168, count: 1, level: 1 } });
}, 180_000);
afterAll(() => app.close());

test('a person, a department or a role excluded from the range may not start, whatever else includes them', async () => {
  const dept = await app.dept();
  const hire = (roles: string[] = []) => app.clerk({ 'ticket/new': ['Create'] }, { dept, dataScope: 5, roles });
  const [named, other, ofRole] = [await hire(), await hire(), await hire(['order_handler'])];
  const elsewhere = await clerk();
  const id = await limited('barred', { depts: [dept], except: { users: [named.userId], roles: ['order_handler'] } });
  expect((await start(other, id, submit)).code).toBe(0);
  for (const who of [named, ofRole, elsewhere]) expect((await start(who, id, submit)).code).toBe(4004);
  const without = await limited('without', { except: { depts: [dept] } });
  expect((await start(elsewhere, without, submit)).code).toBe(0);
  for (const who of [named, other]) expect((await start(who, without, submit)).code).toBe(4004);
});

const limited = (key: string, limit: object) =>
  addFlow(app, key, {
    ...leave.definition,
    name: `限量${key}`,
    settings: {
      ...leave.definition.settings,
      limit: { ...leave.definition.settings.limit, ...limit },
      number_rule: { prefix: key.toUpperCase(), digits: 4, period: 'day' },
    },
  });
const clerk = async () => app.clerk({ 'ticket/new': ['Create'] }, { dept: await app.dept(), dataScope: 5 });
const start = (who: Client, workflow_id: number, transition_id: number) =>
  who.ask(tickets.start, { body: { workflow_id, transition_id, ...form } });

test('drafts saved earlier cannot be submitted beyond the limit of open tickets', async () => {
  const who = await clerk();
  const drafts = [await start(who, single, save), await start(who, single, save)].map((one) => one.data.id);
  const handle = (id: number, transition_id: number) =>
    who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '', ...form } });
  const [first, second] = drafts as [number, number];
  expect((await handle(first, submit)).code).toBe(0);
  const { code, msg } = await handle(second, submit);
  expect([code, msg]).toEqual([-1, '您还有 1 张未办结的同类工单，办结后才能再发起']);
  expect((await handle(second, save)).code).toBe(0);
});

test('of simultaneous starts no more succeed than the limits per person and in total allow', async () => {
  const [one, other] = [await clerk(), await clerk()];
  const own = await Promise.all([1, 2, 3].map(() => start(one, single, submit)));
  expect(own.map((answer) => answer.code).toSorted()).toEqual([-1, -1, 0]);
  const all = await Promise.all([one, other, one, other].map((who) => start(who, rare, submit)));
  expect(all.map((answer) => answer.code).toSorted()).toEqual([-1, -1, -1, 0]);
});

test('a draft counts towards a limit from its submission, not from its creation', async () => {
  const who = await clerk();
  const age = (id: number, column: 'gmt_created' | 'submitted_at') =>
    app.services.databases.write((tx) =>
      tx
        .update(ticketTable)
        .set({ [column]: sql`now() - interval '30 days'` })
        .where(eq(ticketTable.id, id)),
    );
  const submitOf = (id: number) =>
    who.ask(tickets.handle, { params: { id }, body: { transition_id: submit, suggestion: '', ...form } });
  const [first, second] = [await start(who, weekly, save), await start(who, weekly, save)].map((one) => one.data.id);
  await age(first!, 'gmt_created');
  expect((await submitOf(first!)).code).toBe(0);
  expect((await submitOf(second!)).code, 'the old draft was submitted just now').toBe(-1);
  await age(first!, 'submitted_at');
  expect((await submitOf(second!)).code).toBe(0);
});
