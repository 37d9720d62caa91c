import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { notify } from '#kernel/server/live/bus.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { workflowTable } from '#modules/workflow/workflows/tables.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';

const form = { kind: 'personal', from: '2026-11-23', to: '2026-11-24', days: 2, reason: '家中有事' };
const [save, submit] = [1, 2];

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
}, 180_000);
afterAll(() => app.close());

const change = (work: (tx: Db) => Promise<unknown>) => app.services.databases.write(work);

async function draftOf(key: string, limit: (dept: number) => object = () => ({})) {
  const dept = await app.dept();
  const flow = await addFlow(app, key, {
    ...leave.definition,
    name: `草稿${key}`,
    settings: {
      ...leave.definition.settings,
      limit: { ...leave.definition.settings.limit, ...limit(dept) },
      number_rule: { prefix: key.toUpperCase(), digits: 4, period: 'day' },
    },
  });
  const who = await app.clerk({ 'ticket/new': ['Create'] }, { dept, dataScope: 5 });
  const body = { workflow_id: flow, transition_id: save, ...form };
  const { id } = await who.get(tickets.start, { body });
  return { who, flow, id };
}
const submits = (who: Client, id: number) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id: submit, suggestion: '', ...form } });
const kept = async (who: Client, id: number) => {
  const { value } = await who.get(tickets.get, { params: { id } });
  return [value.act_state_id, value.transitions.some((offer) => offer.code === 'submit')];
};

test('a draft of a disabled workflow cannot be submitted, and is kept until it can', async () => {
  const { who, flow, id } = await draftOf('stopped');
  const set = (status: 0 | 1) =>
    change((tx) => tx.update(workflowTable).set({ status }).where(eq(workflowTable.id, flow)));
  await set(0);
  const { code, msg } = await submits(who, id);
  expect([code, msg]).toEqual([-1, expect.stringMatching(/^流程“草稿stopped”已停用，现在不能提交；草稿已保留/)]);
  expect(await kept(who, id)).toEqual([0, true]);
  await set(1);
  expect((await submits(who, id)).code).toBe(0);
});

test('a draft is not submitted once its creator has left the departments for which the workflow is open, and is kept', async () => {
  const { who, flow, id } = await draftOf('moved', (dept) => ({ depts: [dept] }));
  const elsewhere = await app.dept();
  await change(async (tx) => {
    await tx.update(userTable).set({ dept_id: elsewhere }).where(eq(userTable.id, who.userId));
    await notify(tx, 'rights', String(who.userId));
  });
  const offered = async () =>
    (await who.get(workflows.list)).value.some((one) => one.id === flow && one.actions.includes('start'));
  await expect.poll(offered).toBe(false);
  const { code, msg } = await submits(who, id);
  expect([code, msg]).toEqual([
    -1,
    expect.stringMatching(/^现在不在流程“草稿moved”的发起范围内，不能提交；草稿已保留/),
  ]);
  expect(await kept(who, id)).toEqual([0, true]);
});

test('a draft cannot be submitted against a stricter rule of a newer version of its workflow', async () => {
  const { who, flow, id } = await draftOf('narrow');
  await change(async (tx) => {
    await tx.execute(sql`update workflow_version set status = 'retired' where workflow_id = ${flow}`);
    await tx.execute(sql`
      insert into workflow_version (workflow_id, no, status, definition, hash, published_at)
      select workflow_id, 2, 'published', jsonb_set(definition, '{settings,limit,users}', '[1]'), hash, now()
      from workflow_version where workflow_id = ${flow}`);
  });
  expect((await submits(who, id)).msg).toMatch(/^现在不在流程“草稿narrow”的发起范围内/);
  expect(await kept(who, id)).toEqual([0, true]);
});
