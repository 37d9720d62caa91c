import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { fieldAccess, fieldType, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { itService } from '#modules/workflow/workflows/engine/gallery/it-service.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';
import { form, repairCast, submit, type RepairCast } from './testing/repair.ts';

let app: TestOffice;
let cast: RepairCast;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
}, 180_000);
afterAll(() => app.close());

const count = async (table: string) =>
  Number((await app.db.execute(sql`select count(*) from ${sql.identifier(table)}`)).rows[0]!['count']);

test('a form previews the people to whom its present values would send it, and the preview writes nothing', async () => {
  const { staff, head, leader, repair } = cast;
  const before = [await count('ticket'), await count('log')];
  const foresee = async (values: object) =>
    (await staff.get(tickets.foresee, { body: { workflow_id: repair, values: { ...form, ...values } } })).steps;
  const cheap = await foresee({ amount: 300 });
  const dear = await foresee({ amount: 6000, place: 7 });
  const namesAt = (steps: typeof cheap, name: string) => steps.find((step) => step.state_name === name)?.people;
  expect(cheap.map((step) => step.state_name)).not.toContain('分管领导审批');
  expect(namesAt(cheap, '部门负责人审批')).toEqual(['李四']);
  expect(dear.flatMap((step) => step.people)).toEqual(expect.arrayContaining(['李四', '王五']));
  expect([await count('ticket'), await count('log')]).toEqual(before);
  expect([head.userId, leader.userId].every((id) => id > 0)).toBe(true);
  const none = await cast.stranger.ask(tickets.foresee, { body: { workflow_id: 999_999 } });
  expect(none.code).toBe(4004);
});

test('a ticket previews its next states from what is typed now, past other branches, and the preview writes nothing', async () => {
  const { staff, head, stranger } = cast;
  const { definition } = itService;
  const workflow_id = await addFlow(app, 'ahead', {
    ...definition,
    name: '补填金额',
    states: definition.states.map((state) =>
      state.key === 'dept_fzr' ? { ...state, access: { ...state.access, amount: fieldAccess.optional } } : state,
    ),
    settings: { ...definition.settings, number_rule: { prefix: 'AHEAD', digits: 4, period: 'day' } },
  } as never);
  const begun = { workflow_id, transition_id: submit, ...form, amount: 300 };
  const { id } = await staff.get(tickets.start, { body: begun });
  const before = [await count('ticket_log'), await count('log')];
  const aheadOf = async (who: typeof head, values: Record<string, unknown> = {}) => {
    const { steps } = await who.get(tickets.ahead, { params: { id }, body: { values } });
    return steps.map((step) => step.state_name);
  };
  expect(await aheadOf(head)).not.toContain('分管领导审批');
  expect(await aheadOf(head, { amount: 6000 })).toContain('分管领导审批');
  // A value that is not valid yet is ignored.
  expect(await aheadOf(head, { amount: 'many' })).toEqual(await aheadOf(head));
  expect([await count('ticket_log'), await count('log')]).toEqual(before);
  expect((await stranger.ask(tickets.ahead, { params: { id }, body: {} })).code).toBe(4004);
});

test('the preview of a ticket stays the same while its handler has asked another person for an opinion', async () => {
  const { head, leader } = cast;
  const id = await cast.waiting({ amount: 6000 });
  const ahead = () => head.get(tickets.ahead, { params: { id }, body: {} });
  const before = await ahead();
  expect(before.steps.map((step) => step.state_name)).toContain('分管领导审批');
  expect(before.stop).toBe('');
  expect((await cast.act(head, 'delegate', id, { ...cast.to(leader), suggestion: '请看看' })).code).toBe(0);
  expect(await ahead()).toEqual(before);
});

test('the number of days between two dates is told, and how many of them are working days', async () => {
  const values = { from: '2026-09-30', to: '2026-10-09', days: 10 };
  const { periods } = await cast.staff.get(tickets.foresee, { body: { workflow_id: cast.leave, values } });
  // 国庆 is 1 to 7 October; the 10th is a working day in exchange.
  expect(periods).toEqual([{ from: '开始日期', to: '结束日期', days: 10, working_days: expect.any(Number) }]);
  expect(periods[0]!.working_days).toBeLessThan(5);
  const backwards = await cast.staff.get(tickets.foresee, {
    body: { workflow_id: cast.leave, values: { from: values.to, to: values.from } },
  });
  expect(backwards.periods).toEqual([]);
  for (const to of ['2026-02-30', '2026-13-01', 'bald']) {
    const { steps, periods } = await cast.staff.get(tickets.foresee, {
      body: { workflow_id: cast.leave, values: { from: '2026-02-01', to } },
    });
    expect([steps.length > 0, periods]).toEqual([true, []]);
  }
});

test('leave with only its two dates is previewed, simulated and started with the same path', async () => {
  const { staff, head, leave: flow } = cast;
  const named = (steps: readonly { state_name: string }[]) => steps.map((step) => step.state_name);
  for (const [to, goes] of [
    ['2026-11-30', true],
    ['2026-11-02', false],
  ] as const) {
    const values = { kind: 'personal', from: '2026-11-02', to, reason: '家中有事' };
    const seen = await staff.get(tickets.foresee, { body: { workflow_id: flow, values } });
    const walked = await app.admin.get(releaseCalls.simulate, {
      params: { id: flow },
      body: { applicant: staff.username, values },
    });
    const { id } = await staff.get(tickets.start, {
      body: { workflow_id: flow, transition_id: 2, ...values } as never,
    });
    await head.get(tickets.handle, { params: { id }, body: { transition_id: 3, suggestion: '同意' } });
    const { value } = await staff.get(tickets.get, { params: { id } });
    expect([
      named(seen.steps).includes('分管领导审批'),
      named(walked.steps).includes('分管领导审批'),
      value.state.state_name === '分管领导审批',
    ]).toEqual([goes, goes, goes]);
  }
});

test('a new form is filled with the creator’s phone and department if the workflow sets no other default', async () => {
  const { staff } = cast;
  const number = sql`update app_user set phone = '13900001234' where id = ${staff.userId}`;
  await app.services.databases.write((tx) => tx.execute(number));
  const phone = { id: 8, key: 'phone', name: '联系电话', type: fieldType.string };
  const dept = { id: 9, key: 'unit', name: '所在部门', type: fieldType.dept };
  const other = { id: 10, key: 'tel', name: '值班电话', type: fieldType.string, default_value: '62781234' };
  const open = { phone: fieldAccess.required, unit: fieldAccess.required, tel: fieldAccess.optional };
  const id = await addFlow(app, 'own', {
    ...leave.definition,
    name: '本人信息',
    fields: [...leave.definition.fields, phone, dept, other],
    states: leave.definition.states.map((state) => ({ ...state, access: { ...state.access, ...open } })),
    settings: { ...leave.definition.settings, number_rule: { prefix: 'OWN', digits: 4, period: 'day' } },
  } as never);
  const start = await staff.get(workflows.initState, { params: { id } });
  const valueOf = (key: string) => start.field_list.find((item) => item.field_key === key)?.field_value;
  const own = await staff.get(accounts.me);
  expect([valueOf('phone'), valueOf('unit'), valueOf('tel')]).toEqual(['13900001234', own.user_dept, '62781234']);
});

test('a ticket tells its handler in words why it waits for them, and tells nobody else', async () => {
  const { staff, head, helper, waiting: begin, act, to, detail } = cast;
  const id = await begin();
  const why = async (who: typeof head) => (await detail(who, id)).why_me;
  expect(await why(head)).toBe('您是后勤处的负责人');
  expect(await why(staff)).toBe('');
  expect((await act(head, 'deliver', id, to(helper))).code).toBe(0);
  expect(await why(helper)).toBe('李四转交给您办理');
});

test('a preview says how each handler was found: by the chosen department’s head, or by name', async () => {
  const { staff, head, helper } = cast;
  const open = { unit: fieldAccess.required, who: fieldAccess.required };
  const way = { attribute: 1, field_require_check: false } as const;
  const asks = (id: number, key: string, participant: object) =>
    ({ id, key, name: key, kind: 'approve', order: id, participants: [participant] }) as const;
  const workflow_id = await addFlow(app, 'found', {
    name: '按表单找人',
    fields: [
      { id: 1, key: 'unit', name: '主办部门', type: fieldType.dept },
      { id: 2, key: 'who', name: '经办人', type: fieldType.user },
    ],
    settings: { title_template: '{workflow}' },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: open },
      asks(2, 'heads', { type: participantType.fieldHeads, field: 'unit' }),
      asks(3, 'chosen', { type: participantType.field, field: 'who' }),
      { id: 4, key: 'end', name: '结束', kind: 'end', order: 4 },
    ],
    transitions: [
      { ...way, id: 1, key: 'send', name: '提交', source: 1, destination: 2 },
      { ...way, id: 2, key: 'on', name: '同意', source: 2, destination: 3 },
      { ...way, id: 3, key: 'done', name: '同意', source: 3, destination: 4 },
    ],
  } as never);
  const { user_dept } = await staff.get(accounts.me);
  const { id } = await staff.get(tickets.start, {
    body: { workflow_id, transition_id: 1, unit: user_dept, who: helper.username } as never,
  });
  const why = async (who: typeof head) => (await who.get(tickets.get, { params: { id } })).value.why_me;
  expect(await why(head)).toBe('您是表单里所选部门的负责人');
  await head.get(tickets.handle, { params: { id }, body: { transition_id: 2, suggestion: '好' } });
  expect(await why(helper)).toBe('表单里选定由您办理');
});

test('a to-do shows since when it waits, who requested it, and whether it was opened', async () => {
  const { staff, head, waiting: begin, detail } = cast;
  const id = await begin();
  const row = async () =>
    (await head.get(tickets.list, { query: { category: 'duty', ticket_ids: String(id) } })).value[0]!;
  expect((await row()).unread).toBe(true);
  expect((await row()).since).toMatch(/^\d{4}-/);
  await detail(head, id);
  expect((await row()).unread).toBe(false);
  const { value } = await head.get(waiting.list, { query: { category: 'ticket', per_page: 100 } });
  const shown = value.find((one) => one.of === id)!;
  expect([shown.who, shown.since]).toEqual([(await staff.get(accounts.me)).alias, (await row()).since]);
});

/** Somebody with a role of their own, which not everybody has. */
const someone = async () => {
  const who = await cast.clerk('窗口', { roles: ['order_desk'] });
  return [who, (await who.get(accounts.me)).roles.find((one) => one.code === 'order_desk')!] as const;
};

test('only people who administer roles may share a view with a role that everybody has', async () => {
  const { staff } = cast;
  const all = (await staff.get(accounts.me)).roles.find((one) => one.code === 'staff')!;
  const body = { list: 'ticket/cc', name: '给所有人', shared: { search: 'act_state_id=1' }, role_id: all.id };
  expect(await staff.ask(accounts.shareView, { body })).toMatchObject({
    code: -1,
    msg: `角色“${all.name}”人人都有，共享给所有人须有角色管理的编辑权限，请改选其他角色`,
  });
  const keeper = await app.clerk({ 'system/role': ['Update'] }, { roles: ['staff'] });
  expect((await keeper.ask(accounts.shareView, { body })).code).toBe(0);
  const { value } = await staff.get(accounts.sharedViews, { query: { list: body.list } });
  expect(value.map((one) => [one.name, one.mine])).toEqual([['给所有人', false]]);
});

test('a view is shared with an own role, seen by its members, and withdrawn by the person who shared it', async () => {
  const { head } = cast;
  const [staff, role] = await someone();
  const { roles: theirs } = await head.get(accounts.me);
  const common = theirs.find((one) => one.id === role!.id) ?? role!;
  const body = { list: 'ticket/owner', name: '本周', shared: { search: 'act_state_id=1' }, role_id: common.id };
  expect((await staff.ask(accounts.shareView, { body: { ...body, role_id: 999_999 } })).msg).toContain('自己的角色');
  const { id } = await staff.get(accounts.shareView, { body });
  expect((await staff.ask(accounts.shareView, { body })).msg).toContain('本周');
  const seen = async (who: typeof head) =>
    (await who.get(accounts.sharedViews, { query: { list: body.list } })).value.map((one) => [one.name, one.mine]);
  expect(await seen(staff)).toEqual([['本周', true]]);
  expect(await seen(head)).toEqual(theirs.some((one) => one.id === common.id) ? [['本周', false]] : []);
  expect((await head.ask(accounts.removeView, { params: { id: id! } })).code).toBe(4004);
  expect((await staff.ask(accounts.removeView, { params: { id: id! } })).code).toBe(0);
  expect(await seen(staff)).toEqual([]);
});

test('a column layout is shared like a view, may have a view’s name, and must not be both at once', async () => {
  const [staff, role] = await someone();
  const columns = {
    order: ['title'],
    shown: { sn: false },
    pins: {},
    widths: { title: 400 },
    density: 'small' as const,
  };
  const body = { list: 'ticket/worked', name: '窗口用', role_id: role!.id };
  await staff.get(accounts.shareView, { body: { ...body, shared: { search: 'act_state_id=1' } } });
  const { id } = await staff.get(accounts.shareView, { body: { ...body, shared: { columns } } });
  expect((await staff.ask(accounts.shareView, { body: { ...body, shared: { columns } } })).msg).toContain('列设置');
  const wrong = { columns: { ...columns, widths: { title: 9000 } } };
  expect((await staff.ask(accounts.shareView, { body: { ...body, name: '宽', shared: wrong } })).code).toBe(4000);
  const { value } = await staff.get(accounts.sharedViews, { query: { list: body.list } });
  expect(value.map(({ search, columns: kept }) => [search, kept])).toEqual([
    ['act_state_id=1', null],
    [null, columns],
  ]);
  await staff.get(accounts.removeView, { params: { id: id! } });
  expect((await staff.get(accounts.sharedViews, { query: { list: body.list } })).value).toHaveLength(1);
});

test('one person shares at most five views with a role, and none for a list that does not exist', async () => {
  const [staff, role] = await someone();
  const share = (name: string, list = 'ticket/all') =>
    staff.ask(accounts.shareView, { body: { list, name, shared: { search: 'act_state_id=1' }, role_id: role!.id } });
  for (const name of ['一', '二', '三', '四', '五']) expect((await share(name)).code).toBe(0);
  expect((await share('六')).msg).toContain('您共享给该角色的视图已达 5 个');
  expect((await share('六', '随便什么')).code).toBe(4000);
});

test('the activity of the site covers fourteen days up to today, for those who may read the log', async () => {
  const { value } = await app.admin.get(audit.trend);
  expect(value).toHaveLength(14);
  expect(value.at(-1)!.done).toBeGreaterThan(0);
  expect(value.slice(0, 13).every((day) => day.done === 0)).toBe(true);
  expect((await cast.staff.ask(audit.trend)).code).toBe(4003);
});

test('other people who have a ticket open are shown only to those who may see it', async () => {
  const { staff, head, stranger, waiting: begin, detail } = cast;
  const id = await begin();
  const look = (who: typeof head) => who.ask(tickets.looking, { params: { id } });
  await detail(staff, id);
  await detail(head, id);
  const aliasOf = async (who: typeof head) => (await who.get(accounts.me)).alias;
  expect((await look(head)).data.value).toEqual([await aliasOf(staff)]);
  expect((await look(stranger)).code).toBe(4004);
  const gone = sql`update ticket_look set looked_at = now() - interval '1 minute' where ticket_id = ${id}`;
  await app.services.databases.write((tx) => tx.execute(gone));
  expect((await look(head)).data.value).toEqual([]);
  expect((await look(staff)).data.value).toEqual([await aliasOf(head)]);
});
