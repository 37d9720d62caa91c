import { afterAll, describe, expect, test } from 'vitest';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { openTestApp } from '#apps/server/testing.ts';
import { headAgrees, headRefuses, repairCast } from './testing/repair.ts';

const app = await openTestApp();
const cast = await repairCast(app);
const { act, to, codesOf, offerOf, waiting } = cast;
afterAll(() => app.close());

const logOf = async (id: number) =>
  (await app.db.$client.query('select action, intervene_type from ticket_log where ticket_id = $1 order by seq', [id]))
    .rows as { action: string; intervene_type: number }[];

describe('added signers', () => {
  test('before the signer who added them answer last in, first out', async () => {
    const { head, helper, second, leader } = cast;
    const id = await waiting();
    expect((await act(head, 'addNodeEnd', id)).code).toBe(4010);
    await act(head, 'addNode', id, { target_username: [cast.username(helper)] });
    await act(helper, 'addNode', id, { target_username: cast.username(second) });
    expect((await act(helper, 'addNodeEnd', id)).code).toBe(4010);
    expect([await cast.duties(head), await cast.duties(helper)].flat()).not.toContain(id);
    await act(second, 'addNodeEnd', id, { suggestion: '第二层' });
    expect(await cast.duties(helper)).toContain(id);
    // After a hand-over the new person is still an added signer.
    await act(helper, 'deliver', id, to(leader));
    await act(leader, 'addNodeEnd', id, { suggestion: '第一层' });
    expect(await cast.duties(head)).toContain(id);
    expect((await cast.does(head, id, headAgrees)).code).toBe(0);
    expect((await logOf(id)).map((row) => row.intervene_type)).toEqual([0, 2, 2, 3, 1, 3, 0]);
  });

  test('several at once return the task when all have answered, or after the first answer, as was chosen', async () => {
    const { head, helper, second } = cast;
    const both = [cast.username(helper), cast.username(second)];
    const all = await waiting();
    await act(head, 'addNode', all, { target_username: both, mode: 'all' });
    await act(helper, 'addNodeEnd', all);
    expect(await cast.duties(head)).not.toContain(all);
    await act(second, 'addNodeEnd', all);
    expect(await cast.duties(head)).toContain(all);
    const any = await waiting();
    await act(head, 'addNode', any, { target_username: both, mode: 'any' });
    await act(second, 'addNodeEnd', any);
    expect([await cast.duties(head), await cast.duties(helper)].map((list) => list.includes(any))).toEqual([
      true,
      false,
    ]);
    const row = await waiting();
    await act(head, 'addNode', row, { target_username: both.join(','), mode: 'sequential' });
    expect([await cast.duties(helper), await cast.duties(second)].map((list) => list.includes(row))).toEqual([
      true,
      false,
    ]);
  });

  test('beside the signer who added them vote with them; those added after are asked once the signer has agreed', async () => {
    const { head, helper, second, staff } = cast;
    const id = await waiting();
    await act(head, 'addNode', id, { target_username: [cast.username(helper)], type: 'parallel' });
    await act(head, 'addNode', id, { target_username: [cast.username(second)], type: 'after' });
    await cast.does(head, id, headAgrees);
    expect((await cast.detail(staff, id)).state.state_name).toBe('部门负责人审批');
    expect(await cast.duties(second)).not.toContain(id);
    await cast.does(helper, id, headAgrees);
    expect(await cast.duties(second)).toContain(id);
    expect((await cast.does(second, id, headRefuses, { suggestion: '不行' })).data.act_state).toBe(2);
  });

  test('may be removed only by the person who added them, who gets the task back', async () => {
    const { head, helper, second } = cast;
    const id = await waiting();
    await act(head, 'addNode', id, { target_username: [cast.username(helper)] });
    const [added] = (await offerOf(head, id, 'remove_node')).added;
    expect(added).toMatchObject({ alias: '孙八' });
    expect(await codesOf(helper, id)).not.toContain('remove_node');
    expect((await act(helper, 'removeNode', id, { task_no: added!.task_no })).code).toBe(4010);
    expect((await act(second, 'removeNode', id, { task_no: added!.task_no })).code).toBe(4004);
    expect((await act(head, 'removeNode', id, { task_no: added!.task_no })).code).toBe(0);
    expect([await cast.duties(head), await cast.duties(helper)].map((list) => list.includes(id))).toEqual([
      true,
      false,
    ]);
  });
});

test('an opinion that a leaver still waits for is listed and handed over, and the task comes back to the receiver', async () => {
  const { head, helper, leader } = cast;
  const id = await waiting();
  await act(head, 'addNode', id, { target_username: [cast.username(helper)] });
  const params = { id: head.userId };
  const { value } = await app.admin.get(leaving.open, { params });
  const task = value.find((kind) => kind.key === 'tasks')!.rows.find((row) => Math.floor(row.id / 1000) === id)!;
  const body = { target_username: cast.username(leader), kinds: ['tasks'], ids: [task.id] };
  expect(await app.admin.get(leaving.handOver, { params, body })).toEqual({ moved: 1, ended: 0, kept: [] });
  expect(await cast.duties(leader)).not.toContain(id);
  await act(helper, 'addNodeEnd', id, { suggestion: '可以' });
  expect(await cast.duties(leader)).toContain(id);
  expect((await cast.does(leader, id, headAgrees)).code).toBe(0);
});
