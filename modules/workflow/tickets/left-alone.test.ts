import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { ticketActions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { agrees, goesOn, staysCast } from './testing/stays.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof staysCast>>;
beforeAll(async () => {
  app = await openTestApp();
  cast = await staysCast(app);
}, 180_000);
afterAll(() => app.close());

/** A ticket in the state that waits for the tickets below, one of which is a draft. */
async function withDraftBelow(): Promise<[number, number]> {
  const id = await cast.begin(cast.keeps);
  expect((await cast.press(cast.one, id, agrees)).code).toBe(0);
  return [id, await cast.below(id, 9)];
}
const remove = async (child: number) =>
  expect((await cast.two.ask(tickets.remove, { params: { id: child } })).code).toBe(0);
/** The state is handed to somebody who has left, and nobody noticed: their task stays where it is. */
async function leaveToNobody(id: number): Promise<void> {
  const { transitions } = (await app.admin.get(tickets.get, { params: { id } })).value;
  const [task] = transitions.find((offer) => offer.code === 'deliver')!.added;
  const gone = await app.person();
  const body = { task_no: task!.task_no, from_admin: true, target_username: gone.username, suggestion: '请办理' };
  expect(await app.admin.ask(ticketActions.deliver, { params: { id }, body })).toMatchObject({ code: 0 });
  await app.services.databases.write(async (tx) => {
    await tx.execute(sql`alter table app_user disable trigger app_user_pools`);
    await tx.update(userTable).set({ is_active: false }).where(eq(userTable.id, gone.id));
    await tx.execute(sql`alter table app_user enable trigger app_user_pools`);
  });
}
async function calls(id: number): Promise<string[]> {
  const { rows } = await app.db.$client.query<{ reason: string }>(
    `select reason from ticket_task where ticket_id = $1 and origin = 'stall' and status = 'todo'`,
    [id],
  );
  return rows.map((row) => row.reason);
}

describe('when the last child ticket of a state is deleted', () => {
  test('the state’s handler moves on by their button, and nobody else gets a task', async () => {
    const [id, child] = await withDraftBelow();
    await remove(child);
    expect(await calls(id)).toEqual([]);
    expect((await cast.press(cast.two, id, goesOn)).code).toBe(0);
  });

  test('the administrators get a task if nobody can move the ticket on', async () => {
    const [id, child] = await withDraftBelow();
    await leaveToNobody(id);
    await remove(child);
    expect(await calls(id)).toEqual(['下级工单已删除，环节“协办”没有人可以继续']);
    expect((await cast.detail(cast.staff, id)).waits.map((wait) => wait.why)).toEqual([
      '下级工单已删除，环节“协办”没有人可以继续，等流程管理员处理',
    ]);
  });

  test('nobody gets an additional task while another child still runs', async () => {
    const [id, child] = await withDraftBelow();
    await cast.below(id);
    await leaveToNobody(id);
    await remove(child);
    expect(await calls(id)).toEqual([]);
  });

  test('and the parent was suspended, somebody has a button to move it on once it is resumed', async () => {
    const [id, child] = await withDraftBelow();
    await leaveToNobody(id);
    const said = { params: { id }, body: { suggestion: '等一等' } };
    expect((await app.admin.ask(ticketActions.suspend, said)).code).toBe(0);
    await remove(child);
    expect((await app.admin.ask(ticketActions.resume, { params: { id }, body: {} })).code).toBe(0);
    const { rows } = await app.db.$client.query(
      `select from ticket_task k join app_user u on u.id = k.assignee_id and u.is_active where ticket_id = $1 and status = 'todo'`,
      [id],
    );
    expect(rows).not.toEqual([]);
  });
});
