import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { distributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { tickets } from './contract.ts';
import { addApproval, agree, asks, done, end, jointly, standsInFor, submit } from './testing/approvals.ts';
import { repairCast } from './testing/repair.ts';

const races = process.env['NIGHTLY'] ? 200 : 12;
const ways = 8;

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
}, 180_000);
afterAll(() => app.close());

const begun = async (workflow_id: number) =>
  (await cast.staff.get(tickets.start, { body: { workflow_id, transition_id: submit, title: '采购' } as never })).id;
const tasksOf = async (id: number) => {
  const { rows } = await app.db.$client.query<{ no: number; status: string; assignee_id: number; by: number }>(
    `select no, status, assignee_id, coalesce(agent_id, assignee_id) as by from ticket_task
     where ticket_id = $1 and state_id = 2 order by no`,
    [id],
  );
  return rows;
};
const voted = (task: { status: string }) => ['agree', 'refuse', 'other'].includes(task.status);
const expected = [0, -1, 4000, 4004, 4010];
type Answer = Promise<{ code: number; msg: string }>;

/** Tries every ticket of `races` in `ways` ways at the same moment, several tickets in parallel; returns how many tries won. */
async function race(
  begin: () => Promise<number>,
  tries: (id: number) => Promise<(() => Answer)[]>,
  look: (id: number, won: number) => Promise<void>,
) {
  const left = Array.from({ length: races }, (_one, round) => round);
  let won = 0;
  const worker = async () => {
    while (left.pop() !== undefined) {
      const id = await begin();
      const presses = await tries(id);
      expect(presses).toHaveLength(ways);
      const answers = await Promise.all(presses.map((press) => press()));
      expect(answers.filter(({ code }) => !expected.includes(code))).toEqual([]);
      const here = answers.filter(({ code }) => code === 0).length;
      await look(id, here);
      won += here;
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return won;
}

test(
  'no request is approved by its applicant, whatever the applicant and others try at the same moment (I16)',
  async () => {
    const { staff, head, helper, second } = cast;
    const workflow_id = await addApproval(app, 'eyes_race', {
      ...asks(staff, head, helper),
      distribution: { type: distributeType.claim },
    });
    await app.services.databases.write((tx) =>
      tx
        .insert(workflowGrantTable)
        .values({ workflow_id, permission: 'admin', holder_type: 'user', holder: String(staff.userId) }),
    );
    await standsInFor(cast, head, staff);
    let approved = 0;
    const won = await race(
      () => begun(workflow_id),
      async (id) => {
        const [first, next] = await tasksOf(id);
        const mine = (task_no: number, button: number) => () => cast.does(staff, id, button, { task_no });
        const accepts = (who: Client, task_no: number) => () =>
          who.ask(tickets.accept, { params: { id }, body: { task_no } });
        return [
          accepts(staff, first!.no),
          mine(first!.no, agree),
          mine(next!.no, done),
          () => cast.act(staff, 'deliver', id, { ...cast.to(staff), from_admin: true }),
          () => cast.act(staff, 'state', id, { state_id: end, suggestion: '直接办结' }),
          accepts(head, first!.no),
          () => cast.act(helper, 'deliver', id, cast.to(staff)),
          async () => {
            await accepts(helper, next!.no)();
            return cast.does(helper, id, agree, { task_no: next!.no });
          },
        ];
      },
      async (id) => {
        const tasks = await tasksOf(id);
        expect(tasks.filter((task) => voted(task) && task.by === staff.userId)).toEqual([]);
        const { act_state_id } = await cast.detail(staff, id);
        if (act_state_id === 4) approved++;
        expect(act_state_id === 4, `ticket ${id}`).toBe(tasks.some((task) => task.status === 'agree'));
        expect(
          tasks.some((task) => task.status === 'todo'),
          'or it is somebody’s',
        ).toBe(act_state_id !== 4);
      },
    );
    expect(second.userId).not.toBe(staff.userId);
    process.stdout.write(
      `A1: ${races} requests, ${races * ways} tries, ${won} done, ${approved} approved by others, 0 by the applicant\n`,
    );
  },
  races * 2000 + 30_000,
);

test(
  'of simultaneous presses by a delegate for several seats exactly one seat is filled, the one chosen',
  async () => {
    const { head, helper, leader } = cast;
    const workflow_id = await addApproval(app, 'seat_race', { ...asks(leader, helper, head), ...jointly });
    await standsInFor(cast, leader, helper);
    let lent = 0;
    const won = await race(
      () => begun(workflow_id),
      async (id) => {
        const [theirs, own] = await tasksOf(id);
        const press = (more: object) => () => cast.does(helper, id, agree, more);
        const [one, two] = [press({ task_no: theirs!.no }), press({ task_no: own!.no })];
        return [one, two, one, two, press({}), one, two, press({})];
      },
      async (id, here) => {
        const tasks = await tasksOf(id);
        const seats = tasks.filter(voted);
        expect([here, seats.map((task) => task.by)], `ticket ${id}`).toEqual([1, [helper.userId]]);
        if (seats[0]!.assignee_id === leader.userId) lent++;
        expect((await cast.detail(cast.staff, id)).act_state_id).toBe(1);
        const { rows } = await app.db.$client.query(
          `select 1 from ticket_log where ticket_id = $1 and action = 'handle'`,
          [id],
        );
        expect(rows).toHaveLength(1);
      },
    );
    process.stdout.write(
      `A2: ${races} joint decisions, ${races * ways} presses, ${won} seats filled (${lent} in another’s stead)\n`,
    );
  },
  races * 2000 + 30_000,
);
