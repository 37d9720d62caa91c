import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { castOf, type School } from '#apps/server/testing/school.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { form, headAgrees, submit } from '#modules/workflow/tickets/testing/repair.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { tokens } from './contract.ts';
import { sendSigned } from './testing/signed.ts';

let running: TestOffice;
let school: School;
let repair: number;
beforeAll(async () => {
  running = await openTestApp();
  school = await castOf(running);
  repair = await school.flowOf('it_service');
});
afterAll(() => running.close());

const apis = ['POST /api/tickets/', 'GET /api/tickets/{id}/', 'PATCH /api/tickets/{id}/'];
interface App {
  app: string;
  key: string;
  id: number;
}
let serial = 0;
const token = async (begins_for?: object, more: object = {}): Promise<App> => {
  const body = { app_name: `教务对接${++serial}`, apis, ...(begins_for && { begins_for }), ...more };
  const made = await running.admin.get(tokens.add, { body: body as never });
  return { app: String(made.id), key: made.key, id: made.id };
};
let moments = 0;
const send = (app: App, method: string, url: string, body: object) =>
  sendSigned(running.url, app, {
    time: (moments = Math.max(moments + 1, Date.now())),
    method,
    url,
    body: JSON.stringify(body),
  });
const start = (app: App, begin_for?: string, more: object = {}) =>
  send(app, 'POST', '/api/tickets/', {
    workflow_id: repair,
    transition_id: submit,
    ...form,
    ...(begin_for === undefined ? {} : { begin_for }),
    ...more,
  });
const refused = (app: string, name: string) =>
  `应用“${app}”不能以“${name}”的名义发起工单，请由超级管理员在应用令牌的“可代为发起”中授权，并确认该用户在岗`;

test('an application starts a ticket in a permitted person’s name: it belongs to them, and the logs name the application', async () => {
  const { staff, head } = school;
  const app = await token({ users: [staff.userId] }, { ticket_sn_prefix: 'JW' });
  const answer = await start(app, staff.username);
  expect(answer.code).toBe(0);
  const { id, sn } = answer.data as { id: number; sn: string };
  expect(sn).toMatch(/^JW/);
  const { value } = await staff.get(tickets.list, { query: { category: 'owner' } });
  expect(value.map((row) => row.id)).toEqual([id]);
  // Decided by the head of the creator's department, not of the application's person.
  const { value: seen } = await head.get(tickets.get, { params: { id } });
  expect([seen.creator_info.alias, seen.participant_info.participant_alias]).toEqual(['张三', '李四']);
  const log = (await staff.get(tickets.flowlogs, { params: { id } })).value[0]!;
  expect([log.participant_info?.alias, log.reasons[0]]).toEqual(['张三', expect.stringContaining('通过应用“教务对接')]);
  const rows = await running.db
    .select()
    .from(logTable)
    .where(sql`${logTable.action} = '发起工单' and ${logTable.object_id} = ${String(id)}`);
  expect(rows[0]).toMatchObject({ username: 'admin', title: expect.stringMatching(/^应用“教务对接\d+”：/) });
  expect(JSON.stringify(rows[0]!.diff)).toContain(`张三（${staff.username}）`);
});

test('a permitted department means all its people, and everybody means the whole house', async () => {
  const { dept, staff, stranger } = school;
  const ofDept = await token({ depts: [dept] });
  expect((await start(ofDept, staff.username)).code).toBe(0);
  expect((await start(ofDept, stranger.username)).code).toBe(4003);
  expect((await start(await token({ all: true }), stranger.username)).code).toBe(0);
});

test('a person not permitted, a leaver and an unknown person are refused alike', async () => {
  const { staff, colleague, hire } = school;
  const leaver = await hire('离职');
  const app = await token({ users: [staff.userId, leaver.userId] });
  await running.services.databases.write((tx) =>
    tx.execute(sql`update app_user set is_active = false where id = ${leaver.userId}`),
  );
  for (const name of [colleague.username, leaver.username, 'nobody-at-all', 'admin']) {
    const answer = await start(app, name);
    expect([answer.code, answer.msg]).toEqual([4003, refused(`教务对接${serial}`, name)]);
  }
  // Without the permission it begins in its own person's name alone, and a signed-in person for nobody whom no workflow names.
  expect((await start(await token(), staff.username)).code).toBe(4003);
  const body = { workflow_id: repair, transition_id: submit, begin_for: staff.username, ...form };
  expect((await colleague.ask(tickets.start, { body })).code).toBe(4003);
});

test('in a person’s name an application reaches no further than its own workflows and the person’s rights', async () => {
  const { staff } = school;
  const leave = await school.flowOf('leave');
  const kept = await token({ users: [staff.userId] }, { workflow_ids: [leave] });
  expect((await start(kept, staff.username)).code).toBe(4004);
  const own = await school.begin(school.stranger, 'it_service', form);
  const app = await token({ users: [staff.userId] });
  expect((await start(app, staff.username, { parent_ticket_id: own.id })).code).toBe(4004);
});

test('an application never decides in anybody’s name', async () => {
  const { staff, head } = school;
  const app = await token({ all: true });
  const { id } = (await start(app, staff.username)).data as { id: number };
  const decide = { transition_id: headAgrees, suggestion: '同意', begin_for: head.username };
  expect((await send(app, 'PATCH', `/api/tickets/${id}/`, decide)).code).not.toBe(0);
  const { value } = await head.get(tickets.get, { params: { id } });
  expect([value.act_state_id, value.participant_info.participant_alias]).toEqual([1, '李四']);
});

test('the right to start for others is granted only by a super administrator, shown, and kept under other edits', async () => {
  const { staff } = school;
  const keeper = await running.clerk({ 'system/app_token': ['Create', 'Retrieve', 'Update'] });
  const asked = { app_name: '自己的', apis, begins_for: { users: [staff.userId] } };
  expect(await keeper.ask(tokens.add, { body: asked as never })).toMatchObject({
    code: 4003,
    msg: '“可代为发起”让应用以他人名义发起工单，只能由超级管理员授予或修改',
  });
  const { id } = await keeper.get(tokens.add, { body: { app_name: '自己的', apis } });
  const change = (who: typeof keeper, body: object) => who.ask(tokens.change, { params: { id }, body });
  expect((await change(keeper, { begins_for: { all: true } })).code).toBe(4003);
  expect((await change(running.admin, { begins_for: { users: [staff.userId] } })).code).toBe(0);
  const row = async () => (await keeper.get(tokens.list, { query: { search_value: '自己的' } })).value[0]!;
  expect((await row()).begins_for).toMatchObject({ called: '张三', users: [staff.userId] });
  // As the page sends it: all fields, with this one unchanged.
  const { users, depts, roles, all } = (await row()).begins_for;
  expect((await change(keeper, { rate_limit: 60, begins_for: { users, depts, roles, all } })).code).toBe(0);
  expect((await change(keeper, { begins_for: { users: [] } })).code).toBe(4003);
  expect((await row()).begins_for.called).toBe('张三');
});
