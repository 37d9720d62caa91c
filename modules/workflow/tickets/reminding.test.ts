import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { calendarOf, workingMinutesBetween } from '#modules/platform/calendars/service.ts';
import { onSelf, timeoutAction } from '#modules/workflow/workflows/engine/codes.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { actOnOverdue, remindBefore } from './automation/overdue.ts';
import { tickets } from './contract.ts';
import { addApproval, agree, approvalOf, asks, standsInFor, submit } from './testing/approvals.ts';
import { repairCast, type RepairCast } from './testing/repair.ts';
import { stop } from './testing/stop.ts';

let app: TestOffice;
let cast: RepairCast;
let serial = 0;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
}, 180_000);
afterAll(() => app.close());

const hour = 3_600_000;
/** Eight hours by the clock, or of work, with a reminder two hours before. */
const timed = (more: object = {}) => ({
  ...asks(cast.head),
  actions: ['deliver', 'retreat'] as const,
  timeout: { hours: 8, before: 2, working_time: false, action: timeoutAction.none, ...more },
});
const begun = async (state: object = timed()) => {
  const workflow_id = await addApproval(app, `soon${++serial}`, state);
  const { id } = await cast.staff.get(tickets.start, { body: { workflow_id, transition_id: submit, title: '采购' } });
  return id;
};
/** Runs the job so many hours from now until nothing is left; returns how often it found something. */
async function run(hours: number): Promise<number> {
  const at = new Date(Date.now() + hours * hour);
  for (let times = 0; ; times++)
    if (!(await app.services.databases.write((tx) => remindBefore(tx, at, stop)))) return times;
}
const told = async (id: number, event = 'DUE_SOON') => {
  const { rows } = await app.db.execute<{
    user_id: number;
  }>(sql`select u.user_id from msg m join msg_user u on u.msg_id = m.id
    where m.module = 'tickets' and m.event = ${event} and m.object_id = ${id} order by u.user_id`);
  return rows.map((row) => row.user_id);
};
const logs = async (id: number) => (await cast.staff.get(tickets.flowlogs, { params: { id } })).value;

test('whoever has a task is reminded once, so many hours before its deadline, and the log says so', async () => {
  const id = await begun();
  expect(await run(5.9)).toBe(0);
  const before = await cast.detail(cast.head, id);
  expect([await run(6.1), await run(6.2)]).toEqual([1, 0]);
  expect(await told(id)).toEqual([cast.head.userId]);
  const last = (await logs(id)).at(-1)!;
  expect([last.participant_info, last.transition.transition_name, last.intervene_type_id]).toEqual([null, '催办', 15]);
  expect(last.suggestion).toBe(`将于 ${before.due_at!.slice(0, 16)} 到期，请及时办理`);
  // The version that the head has read stays valid.
  expect((await cast.does(cast.head, id, agree, { version: before.version })).code).toBe(0);
});

test('a deadline in working hours is reminded of so many working hours before', async () => {
  const id = await begun(timed({ working_time: true }));
  const { rows } = await app.db.execute<{ due: string; ahead: string }>(
    sql`select decision_deadline as due, ahead_at as ahead from ticket_token where ticket_id = ${id}`,
  );
  const [{ due, ahead }] = rows as [{ due: string; ahead: string }];
  const calendar = await app.services.databases.write((tx) => calendarOf(tx));
  expect(Math.round(workingMinutesBetween(new Date(ahead), new Date(due), calendar))).toBe(120);
  // By the hour it runs at, it would be due among the tickets of later tests.
  await cast.does(cast.head, id, agree);
});

test('a person who is represented is reminded together with their delegate', async () => {
  const id = await begun({ ...timed(), ...asks(cast.second) });
  await standsInFor(cast, cast.second, cast.helper);
  await run(6.1);
  expect(await told(id)).toEqual([cast.second.userId, cast.helper.userId].toSorted((a, b) => a - b));
});

test('applicants who alone have the task are reminded before their deadline and after it', async () => {
  const own = { ...asks(cast.staff), on_self: onSelf.asUsual };
  const id = await begun({ ...timed({ action: timeoutAction.remind }), ...own });
  expect(await run(6.1)).toBe(1);
  expect(await told(id)).toEqual([cast.staff.userId]);
  const late = new Date(Date.now() + 9 * hour);
  while (await app.services.databases.write((tx) => actOnOverdue(tx, late, stop)));
  expect(await told(id, 'TIMEOUT')).toEqual([cast.staff.userId]);
  expect((await logs(id)).map(({ action }) => action)).toEqual(['submit', 'urge', 'urge']);
});

test('nobody is reminded in a state whose present version has no reminder', async () => {
  const id = await begun(timed({ before: undefined }));
  await app.services.databases.write((tx) =>
    tx.execute(sql`update ticket_token set ahead_at = decision_deadline - interval '2 hours' where ticket_id = ${id}`),
  );
  expect([await run(6.1), await run(6.2)]).toEqual([1, 0]);
  expect(await told(id)).toEqual([]);
});

test('nobody is reminded of what was decided, went back, or is late already', async () => {
  const [decided, withdrawn, late] = [await begun(), await begun(), await begun()];
  await cast.does(cast.head, decided, agree);
  await cast.act(cast.staff, 'retreat', withdrawn, { suggestion: '先不办' });
  // The late one is found and left to its own rule.
  expect(await run(9)).toBe(1);
  for (const id of [decided, withdrawn, late]) expect(await told(id)).toEqual([]);
});

test('while a ticket is suspended nobody is reminded, and its reminder comes after the rest of the time', async () => {
  const id = await begun();
  expect((await cast.act(cast.head, 'suspend', id, { suggestion: '等材料' })).code).toBe(0);
  expect(await run(6.1)).toBe(0);
  await app.services.databases.write((tx) =>
    tx.execute(sql`update ticket set suspended_at = suspended_at - interval '3 hours' where id = ${id}`),
  );
  await app.services.databases.write((tx) =>
    tx.execute(sql`update ticket_token set decision_deadline = decision_deadline - interval '3 hours',
      ahead_at = ahead_at - interval '3 hours' where ticket_id = ${id}`),
  );
  expect((await cast.act(cast.head, 'resume', id)).code).toBe(0);
  expect(await run(5.9)).toBe(0);
  expect(await run(6.1)).toBe(1);
});

test('a reminder that would come before the time begins keeps a workflow from being published', () => {
  const timeout = { hours: 2, before: 2, action: timeoutAction.none };
  const definition = Definition.parse(approvalOf('提醒', { ...asks(cast.head), timeout }));
  expect(publishProblems(definition).map(({ msg }) => msg)).toEqual([
    '环节“审批”到期前 2 小时提醒，办理时限却只有 2 小时，请改小',
  ]);
});
