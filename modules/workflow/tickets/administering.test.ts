import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { tickets } from './contract.ts';
import { headAgrees, repairCast, save } from './testing/repair.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
let keeper: Client;
let mate: Client;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  mate = await cast.clerk('钱七', { roles: ['order_handler'] });
  keeper = await cast.clerk('流程员', { dept: await app.dept() });
  await grant(keeper, 'admin');
  await grant(cast.second, 'intervene');
}, 180_000);
afterAll(() => app.close());

const grant = (who: Client, permission: 'admin' | 'intervene') =>
  app.services.databases.write((tx) =>
    tx
      .insert(workflowGrantTable)
      .values({ workflow_id: cast.repair, permission, holder_type: 'user', holder: String(who.userId) }),
  );
const to = async (who: Client, more: object = {}) => {
  const [person] = await app.db.select().from(userTable).where(eq(userTable.id, who.userId));
  return { target_username: person!.username, ...more };
};
const byAdmin = (id: number, who = keeper) =>
  who
    .get(tickets.transitions, { params: { id } })
    .then(({ value }) => value.filter((offer) => offer.from_admin).map((offer) => [offer.code, offer.transition_name]));

describe('an administrator of a workflow', () => {
  test('hands on another person’s task; that person is told, and the log names the administrator', async () => {
    const { head, helper, staff, act, duties } = cast;
    const id = await cast.waiting();
    expect(await byAdmin(id)).toEqual([
      ['deliver', '改派'],
      ['add_node', '代为加签'],
    ]);
    expect((await act(keeper, 'deliver', id, await to(helper))).code, 'the task is not their own').toBe(4010);
    expect((await act(keeper, 'deliver', id, await to(helper, { from_admin: true, suggestion: '出差' }))).code).toBe(0);
    expect([await duties(head), await duties(helper)].map((list) => list.includes(id))).toEqual([false, true]);
    expect((await cast.does(head, id, headAgrees)).code).toBe(4010);
    const { value } = await staff.get(tickets.flowlogs, { params: { id } });
    expect(value.at(-1)).toMatchObject({ intervene_type_id: 1, suggestion: '出差', on_behalf_of: null });
    expect(value.at(-1)!.participant_info!.alias).toBe('流程员');
    const { rows } = await app.db.$client.query<{ title: string }>(
      `select m.title from msg m join msg_user u on u.msg_id = m.id where u.user_id = $1 and m.object_id = $2 order by m.id`,
      [head.userId, id],
    );
    expect(rows.at(-1)!.title).toMatch(/^流程员 收回了，您无需再处理/);
  });

  test('hands a claimable task to one of its candidates or to somebody else, and the other candidates are released', async () => {
    const { head, helper, worker, act, does, duties } = cast;
    for (const receiver of [helper, mate]) {
      const id = await cast.waiting();
      await does(head, id, headAgrees);
      expect((await act(keeper, 'deliver', id, await to(receiver, { from_admin: 1 }))).code).toBe(0);
      const free = [worker, mate, helper].filter((who) => who !== receiver);
      for (const who of free) expect(await duties(who)).not.toContain(id);
      expect(await cast.codesOf(receiver, id)).toContain('approve');
    }
  });

  test('adds signers to another person’s task and removes them again', async () => {
    const { head, helper, act, duties, offerOf } = cast;
    const id = await cast.waiting();
    expect((await act(keeper, 'addNode', id, await to(helper, { from_admin: true }))).code).toBe(0);
    expect([await duties(head), await duties(helper)].map((list) => list.includes(id))).toEqual([false, true]);
    const [added] = (await offerOf(keeper, id, 'remove_node')).added;
    expect(added).toMatchObject({ alias: '孙八' });
    expect((await act(keeper, 'removeNode', id, { task_no: added!.task_no })).code).toBe(0);
    expect([await duties(head), await duties(helper)].map((list) => list.includes(id))).toEqual([true, false]);
  });

  test('must name whose task is meant when several people have one', async () => {
    const { head, helper, leader, act } = cast;
    const id = await cast.waiting();
    await act(head, 'addNode', id, await to(helper, { type: 'parallel' }));
    const { code, msg } = await act(keeper, 'deliver', id, await to(leader, { from_admin: true }));
    expect([code, msg]).toEqual([4000, '待办：有多位办理人，请选择是谁的待办']);
    const offer = (await keeper.get(tickets.transitions, { params: { id } })).value.find(
      (one) => one.code === 'deliver' && one.from_admin,
    );
    expect(offer!.added.map((one) => one.alias)).toEqual(['李四', '孙八']);
    const { task_no } = offer!.added.find((one) => one.alias === '孙八')!;
    expect((await act(keeper, 'deliver', id, await to(leader, { from_admin: true, task_no }))).code).toBe(0);
    expect(await cast.duties(leader)).toContain(id);
  });

  test('may not hand a task to the ticket’s creator, to themselves, or to a person who already has one', async () => {
    const { head, staff, act } = cast;
    const id = await cast.waiting();
    for (const receiver of [staff, keeper, head])
      expect((await act(keeper, 'deliver', id, await to(receiver, { from_admin: true }))).code).toBe(4000);
    expect((await cast.begin({}, save)).id).toBeGreaterThan(0);
  });

  test('is not somebody who may only intervene, nor who has a task there, nor the administrator of another workflow', async () => {
    const { head, helper, second, act } = cast;
    const id = await cast.waiting();
    const stolen = await to(helper, { from_admin: true });
    expect((await act(second, 'deliver', id, stolen)).code).toBe(4010);
    expect((await act(head, 'deliver', id, stolen)).code).toBe(4010);
    expect((await act(cast.stranger, 'deliver', id, stolen)).code).toBe(4004);
    expect([await byAdmin(id, second), await byAdmin(id, head)]).toEqual([[], []]);
    await act(head, 'addNode', id, await to(helper));
    expect(await cast.codesOf(second, id)).not.toContain('remove_node');
  });
});

describe('a list of tickets', () => {
  const form = { kind: 'personal', from: '2026-11-23', to: '2026-11-24', days: 2, reason: '家中有事' };
  const found = async (who: Client, query: object) =>
    (await who.get(tickets.list, { query: { per_page: 100, ...query } })).value;

  test('with from_admin holds just the visible tickets of the workflows that the viewer administers', async () => {
    const { staff, head, second } = cast;
    const repair = await cast.waiting();
    const leave = (
      await staff.get(tickets.start, { body: { workflow_id: cast.leave, transition_id: 2, ...form } as never })
    ).id;
    const draft = (await cast.begin({}, save)).id;
    const flows = async (who: Client, query: object) => [
      ...new Set((await found(who, query)).map((row) => row.workflow_id)),
    ];
    expect(await flows(keeper, { from_admin: 1 })).toEqual([cast.repair]);
    const kept = (await found(keeper, { from_admin: 1 })).map((row) => row.id);
    expect([kept.includes(repair), kept.includes(draft), kept.includes(leave)]).toEqual([true, false, false]);
    expect(await found(second, { from_admin: 1 }), 'to intervene is not to administer').toEqual([]);
    expect(await found(head, { from_admin: 1, category: 'duty' })).toEqual([]);
    expect(await found(staff, { from_admin: 1, category: 'owner' })).toEqual([]);
    expect((await flows(app.admin, { from_admin: 1 })).toSorted()).toEqual([cast.repair, cast.leave].toSorted());
  });

  test('is reversed by reverse, and can be limited to the tickets below one state of a ticket', async () => {
    const { staff } = cast;
    const own = { category: 'owner', workflow_ids: String(cast.repair) };
    const ids = async (query: object) => (await found(staff, { ...own, ...query })).map((row) => row.id);
    const newest = await ids({});
    expect(newest.length).toBeGreaterThan(2);
    expect(await ids({ reverse: 1 })).toEqual(newest);
    expect(await ids({ reverse: 0 })).toEqual(newest.toReversed());
    expect(await ids({ reverse: 0, desc: 1 }), 'desc goes before it').toEqual(newest);
    const [parent, child] = newest as [number, number];
    await app.services.databases.write((tx) =>
      tx.$client.query(
        'update ticket set parent_ticket_id = $1, parent_ticket_state_id = 7, parent_token_no = 1, parent_visit = 1 where id = $2',
        [parent, child],
      ),
    );
    expect(await ids({ parent_ticket_id: parent, parent_ticket_state_id: 7 })).toEqual([child]);
    expect(await ids({ parent_ticket_state_id: 8 })).toEqual([]);
    expect(await found(cast.stranger, { parent_ticket_state_id: 7 })).toEqual([]);
  });
});
