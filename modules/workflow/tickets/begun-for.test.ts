import { readSheet } from 'read-excel-file/node';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { started } from '#modules/platform/started/contract.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { fieldType, onEmpty, onSelf, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { userGroupTable } from '#modules/workflow/workflows/tables.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import {
  agree,
  approval,
  approvalOf,
  goesOn,
  refuse,
  standsInFor,
  submit,
  withConfirmation,
} from './testing/approvals.ts';
import { addFlow } from './testing/flow.ts';

const save = 1;
type Settings = DefinitionInput['settings'];
type State = Parameters<typeof approvalOf>[1];

let school: School;
/** Starts tickets for others: 文秘 serves in 教务处, as the applicant 张三 does, and is led by the same head. */
let writer: Client;
let serial = 0;
beforeAll(async () => {
  school = await openSchool();
  writer = await school.hire('文秘');
}, 180_000);
afterAll(() => school.office.close());

const headOfApplicant: State = { participants: [{ type: participantType.variable, variable: 'dept_fzr' }] };
/** A workflow in which the writer starts tickets for their own department, unless `settings` say otherwise. */
const flow = (state: State = headOfApplicant, settings: Settings = {}) => {
  const { settings: usual, ...rest } = approvalOf(`代办${++serial}`, state);
  const rule = { users: [writer.userId], own_dept: true };
  return addFlow(school.office, `for_${serial}`, { ...rest, settings: { ...usual, start_for: [rule], ...settings } });
};
const begin = (workflow_id: number, applicant: Client | string, who = writer, more: object = {}) =>
  who.ask(tickets.start, {
    body: {
      workflow_id,
      transition_id: submit,
      title: '材料费报销',
      begin_for: typeof applicant === 'string' ? applicant : applicant.username,
      ...more,
    },
  });
const begun = async (...asked: Parameters<typeof begin>) => {
  const { code, msg, data } = await begin(...asked);
  expect(code, msg).toBe(0);
  return data.id;
};
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const does = (who: Client, id: number, transition_id: number) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好' } });
const heard = async (who: Client, id: number) =>
  (await who.get(messages.unread, { query: { per_page: 100 } })).value
    .filter((one) => one.web_path === `/ticket/detail/${id}`)
    .map((one) => one.title);
const listed = async (who: Client, category: 'owner' | 'worked' | 'relation' | 'duty') =>
  (await who.get(tickets.list, { query: { category, per_page: 100 } })).value;

test('a ticket started for a colleague is theirs, asks their head, and says everywhere who started it for whom', async () => {
  const { office, staff, head, dept } = school;
  const id = await begun(await flow(), staff);
  const { value: mine } = await staff.get(started.list, { query: { per_page: 100 } });
  expect(mine.find((row) => row.of === id)!.what).toMatch(/由 文秘 代为发起$/);
  const shown = await detail(staff, id);
  expect([shown.creator_info.alias, shown.creator_info.dept_id, shown.begun_by?.alias]).toEqual(['张三', dept, '文秘']);
  expect(shown.participant_info.participant_alias).toBe('李四');
  const [waiting] = (await listed(head, 'duty')).filter((row) => row.id === id);
  expect([waiting!.creator, waiting!.begun_by?.username]).toEqual([staff.username, writer.username]);
  const [log] = (await staff.get(tickets.flowlogs, { params: { id } })).value;
  expect([log!.participant_info?.alias, log!.on_behalf_of?.alias, log!.action]).toEqual(['文秘', '张三', 'submit']);
  const [noted] = await office.db
    .select()
    .from(logTable)
    .where(sql`${logTable.action} = '发起工单' and ${logTable.object_id} = ${String(id)}`);
  expect([noted!.username, JSON.stringify(noted!.diff)]).toEqual([
    writer.username,
    expect.stringContaining(`张三（${staff.username}）`),
  ]);
  const sheet = await office.admin.fetch(`/api/tickets/?category=all&ticket_ids=${id}&export=xlsx`);
  const [heads, row] = await readSheet(Buffer.from(await sheet.arrayBuffer()));
  expect([row![heads!.indexOf('发起人')], row![heads!.indexOf('代为发起人')]]).toEqual(['张三', '文秘']);
});

test('the writer finds and reads what they started for others among what they did, and it is not among what they started', async () => {
  const id = await begun(await flow(), school.staff);
  const ids = async (category: 'owner' | 'worked' | 'relation') =>
    (await listed(writer, category)).map((row) => row.id);
  expect(await ids('worked')).toContain(id);
  expect(await ids('relation')).toContain(id);
  expect(await ids('owner')).not.toContain(id);
  expect((await detail(writer, id)).field_list[0]).toMatchObject({ field_key: 'title', field_value: '材料费报销' });
  expect((await school.colleague.ask(tickets.get, { params: { id } })).code).toBe(4004);
});

test('applicant and writer are both told what becomes of it, and the applicant may withdraw it', async () => {
  const { staff, head, hire } = school;
  const mate = await hire('文秘的代理人');
  await standsInFor({ username: (who: Client) => who.username }, writer, mate);
  const workflow_id = await flow({ ...headOfApplicant, actions: ['retreat'] });
  const first = await begun(workflow_id, staff);
  expect(await heard(staff, first)).toEqual(['文秘 代您发起了：材料费报销']);
  expect(await heard(writer, first)).toEqual([]);
  await does(head, first, agree);
  expect(await heard(staff, first)).toContain('已办结：材料费报销');
  expect(await heard(writer, first)).toEqual(['已办结：材料费报销']);
  const second = await begun(workflow_id, staff);
  await does(head, second, refuse);
  expect(await heard(staff, second)).toContain('李四 退回了：材料费报销');
  // The writer is told, and neither they nor their stand-in is asked to do anything.
  expect(await heard(writer, second)).toEqual(['李四 已退回，现在在“填写”：材料费报销']);
  expect(await heard(mate, second)).toEqual([]);
  const third = await begun(workflow_id, staff);
  const retreat = (who: Client) =>
    who.ask(ticketActions.retreat, { params: { id: third }, body: { suggestion: '先不报了' } });
  expect((await retreat(writer)).code).not.toBe(0);
  expect((await retreat(staff)).code).toBe(0);
  expect((await detail(staff, third)).act_state_id).toBe(3);
  expect(await heard(writer, third)).toEqual(['张三 撤回了您代为发起的工单：材料费报销']);
});

test('applicant and writer are told in the same words that a finish was not confirmed', async () => {
  const { office, staff, head } = school;
  const usual = approvalOf(`代办${++serial}`, headOfApplicant);
  const start_for = [{ users: [writer.userId], own_dept: true }];
  const workflow_id = await addFlow(
    office,
    `for_${serial}`,
    withConfirmation({ ...usual, settings: { ...usual.settings, start_for } }, headOfApplicant),
  );
  const id = await begun(workflow_id, staff);
  await does(head, id, agree);
  await staff.get(ticketActions.applyFinish, { params: { id }, body: { suggestion: '已付款' } });
  expect((await does(head, id, goesOn)).data.act_state).toBe(4);
  for (const who of [staff, writer]) {
    const said = await heard(who, id);
    expect(said).toContain('李四 没有确认办结：材料费报销');
    expect(said.filter((title) => title.includes('退回'))).toEqual([]);
  }
});

test('neither the writer nor the applicant decides it, and it is not skipped for an applicant who has not agreed yet', async () => {
  const { staff, head, leader, hire } = school;
  const asks = (...people: Client[]): State => ({
    participants: [{ type: participantType.users, users: people.map((who) => who.userId) }],
  });
  const holders = async (id: number) => (await detail(staff, id)).participant_info.participant_alias;
  const ofBoth = await begun(await flow({ ...asks(writer, staff), on_self: onSelf.superior }), staff);
  expect(await holders(ofBoth)).toBe('李四');
  for (const who of [writer, staff]) expect((await does(who, ofBoth, agree)).code).not.toBe(0);
  // The state asks the head; started by the writer for the head it goes to the leader, though the head’s own would be skipped.
  const skips = await flow({ ...asks(head), on_self: onSelf.skip });
  const own = await head.get(tickets.start, { body: { workflow_id: skips, transition_id: submit, title: '自报' } });
  expect(own.act_state).toBe(4);
  const forHead = await begun(skips, head);
  expect((await detail(writer, forHead)).participant_info.participant_alias).toBe('王五');
  expect((await does(leader, forHead, agree)).data.act_state).toBe(4);
  // Nobody hands it to the writer, and as somebody's delegate the writer agrees to it no more than as themselves.
  const approver = await hire('审批员');
  const handed = await begun(await flow({ ...asks(approver), on_self: onSelf.superior, actions: ['deliver'] }), staff);
  const deliver = { target_username: writer.username, suggestion: '请代看' };
  expect((await approver.ask(ticketActions.deliver, { params: { id: handed }, body: deliver })).msg).toBe(
    '用户：“文秘”是这张工单代为发起的人，不能审批它，请选择他人',
  );
  await standsInFor({ username: (who: Client) => who.username }, approver, writer);
  expect((await does(writer, handed, agree)).msg).toBe('这张工单由本人代他人发起，不能由本人同意，请转交他人办理');
  const [row] = (await listed(writer, 'duty')).filter((one) => one.id === handed);
  expect([row!.actions.includes('approve'), row!.actions.includes('refuse')]).toEqual([false, true]);
});

test('an administrator who started a ticket for somebody is told so when they would hand its task on', async () => {
  const { office, staff, dept } = school;
  const workflow_id = await flow(headOfApplicant, { start_for: [{ users: [office.admin.userId], depts: [dept] }] });
  const id = await begun(workflow_id, staff, office.admin);
  const handing = { target_username: school.leader.username, suggestion: '请办', from_admin: true };
  expect((await office.admin.ask(ticketActions.deliver, { params: { id }, body: handing })).msg).toBe(
    '这张工单由本人代他人发起，不能由本人改派或加签，请找其他流程管理员办理',
  );
});

test('a ticket that begins below one started for somebody is not skipped for them either, and its writer does not decide it', async () => {
  const { office, staff, head, leader } = school;
  const asksHead: State = {
    participants: [{ type: participantType.users, users: [head.userId] }],
    on_self: onSelf.skip,
  };
  const child = await addFlow(office, `for_${++serial}`, approvalOf(`下级${serial}`, asksHead));
  const { fields, states, transitions, settings, name } = approvalOf(`上级${++serial}`, {});
  const [start, , end] = states;
  const columns = [{ key: 'what', name: '物品', type: fieldType.string }];
  const workflow_id = await addFlow(office, `for_${serial}`, {
    name,
    fields: [...fields, { id: 3, key: 'items', name: '明细', type: fieldType.table, columns }],
    states: [
      { ...start!, access: { title: 2, items: 3 } },
      {
        id: approval,
        key: 'below',
        name: '分头办理',
        kind: 'subticket',
        order: 2,
        access: { items: 1 },
        participants: [{ type: participantType.users, users: [leader.userId] }],
        children: { workflow: child, each: 'items', values: { title: 'row.what' } },
      },
      end!,
    ],
    transitions: transitions.slice(0, 3),
    settings: { ...settings, start_for: [{ users: [writer.userId], own_dept: true }] },
  });
  const childOf = async (id: number) => {
    const { rows } = await office.db.execute<{ id: number }>(sql`select id from ticket where parent_ticket_id = ${id}`);
    return rows[0]!.id;
  };
  const items = [{ what: '桌子' }];
  const own = await head.get(tickets.start, { body: { workflow_id, transition_id: submit, title: '自报', items } });
  expect((await detail(head, await childOf(own.id))).act_state_id, 'what the head wrote').toBe(4);
  const below = await childOf(await begun(workflow_id, head, writer, { items }));
  const shown = await detail(head, below);
  expect([shown.act_state_id, shown.participant_info.participant_alias]).toEqual([1, '王五']);
  const deliver = { target_username: writer.username, suggestion: '请代看' };
  expect((await leader.ask(ticketActions.deliver, { params: { id: below }, body: deliver })).msg).toBe(
    '用户：“文秘”是这张工单代为填报的人，不能审批它，请选择他人',
  );
  await standsInFor({ username: (who: Client) => who.username }, leader, writer);
  expect((await does(writer, below, agree)).msg).toBe('这张工单的内容由本人代为填报，不能由本人同意，请转交他人办理');
  const beneath = await begin(workflow_id, staff, writer, { parent_ticket_id: below });
  expect(beneath.msg).toBe('申请人：下级工单由办理上级工单的人发起，不能代他人发起，请去掉申请人');
});

test('starting for others is refused with a sentence outside the rule, for leavers, and where no rule names the writer', async () => {
  const { staff, stranger, colleague, office, hire, elsewhere } = school;
  const workflow_id = await flow();
  const said = async (...asked: Parameters<typeof begin>) => {
    const { code, msg } = await begin(...asked);
    return [code, msg];
  };
  expect(await said(workflow_id, stranger)).toEqual([
    4003,
    '“外人”不在您可以代为发起的范围内，请由“外人”本人发起，或联系流程管理员授权',
  ]);
  expect(await said(workflow_id, staff, colleague)).toEqual([
    4003,
    expect.stringMatching(/^流程“代办\d+”没有允许您代他人发起，请由申请人本人发起，或联系流程管理员授权$/),
  ]);
  const leaver = await hire('离岗者');
  await office.services.databases.write((tx) =>
    tx.execute(sql`update app_user set is_active = false where id = ${leaver.userId}`),
  );
  expect(await said(workflow_id, leaver)).toEqual([
    4003,
    `“${leaver.username}”不是在岗人员，不能代为发起，请重新选择申请人`,
  ]);
  expect((await begin(workflow_id, 'nobody-at-all')).code).toBe(4003);
  const limited = await flow(headOfApplicant, {
    limit: { depts: [elsewhere] },
    start_for: [{ users: [writer.userId], own_dept: true, depts: [elsewhere] }],
  });
  expect((await begin(limited, staff)).msg).toMatch(/^“张三”不在流程“代办\d+”的发起范围内，不能代为发起/);
  expect((await begin(limited, stranger)).code).toBe(0);
  expect((await begin(workflow_id, staff, writer, { transition_id: save })).msg).toBe(
    '代他人发起的工单不能存为草稿，请填好后直接提交；填写的内容会自动保留',
  );
  const closed = await flow(headOfApplicant, { limit: { users: [stranger.userId] } });
  expect((await begin(closed, staff, colleague)).code, 'a workflow they may not see').toBe(4004);
});

test('a rule names people by role or user group, and departments with all below them', async () => {
  const { office, clerk, colleague, stranger, below, elsewhere, dept, hire } = school;
  const deep = await hire('考试员', { dept: below });
  const [group] = await office.services.databases.write((tx) =>
    tx
      .insert(userGroupTable)
      .values({ name: '代办组', people: [colleague.userId] })
      .returning({ id: userGroupTable.id }),
  );
  // 考试中心 has no head.
  const workflow_id = await flow(
    { ...headOfApplicant, on_empty: onEmpty.admins },
    {
      start_for: [
        { roles: ['office_admin'], depts: [dept] },
        { groups: [group!.id], depts: [elsewhere] },
      ],
    },
  );
  expect((await begin(workflow_id, deep, clerk)).code).toBe(0);
  expect((await begin(workflow_id, stranger, clerk)).code).toBe(4003);
  expect((await begin(workflow_id, stranger, colleague)).code).toBe(0);
  expect((await begin(workflow_id, deep, colleague)).code).toBe(4003);
  expect((await begin(workflow_id, deep, writer)).code).toBe(4003);
});

test('limits count the applicant’s tickets and not those of the person who starts it', async () => {
  const { staff, colleague } = school;
  const workflow_id = await flow(headOfApplicant, { limit: { concurrent_open: 1 } });
  await begun(workflow_id, staff);
  await begun(workflow_id, colleague);
  expect((await begin(workflow_id, staff)).msg).toBe('“张三”还有 1 张未办结的同类工单，办结后才能再发起');
  const own = { workflow_id, transition_id: submit, title: '自己的' };
  expect((await writer.ask(tickets.start, { body: own })).code).toBe(0);
  expect((await staff.ask(tickets.start, { body: own })).msg).toBe('您还有 1 张未办结的同类工单，办结后才能再发起');
});

test('a person outside the range of a workflow finds it when they may start it for others, and the form is the applicant’s', async () => {
  const { stranger, elsewhere } = school;
  const workflow_id = await flow(headOfApplicant, {
    limit: { depts: [elsewhere] },
    start_for: [{ users: [writer.userId], depts: [elsewhere] }],
  });
  const found = async (who: Client) =>
    (await who.get(workflows.list, { query: { per_page: 100 } })).value.find((one) => one.id === workflow_id);
  expect((await found(writer))!.can_start).toBe(true);
  expect(await found(school.colleague)).toBeUndefined();
  const form = (query: { begin_for?: string }) =>
    writer.ask(workflows.initState, { params: { id: workflow_id }, query });
  expect((await form({})).data).toMatchObject({ for_self: false, for_others: true });
  expect((await form({ begin_for: stranger.username })).data.applicant).toEqual({
    username: stranger.username,
    alias: '外人',
  });
  expect((await form({ begin_for: school.staff.username })).code).toBe(4003);
  expect((await begin(workflow_id, writer)).code, 'in their own name').toBe(4004);
  const foreseen = await writer.get(tickets.foresee, {
    body: { workflow_id, values: { title: '借书证' }, begin_for: stranger.username },
  });
  expect(foreseen.steps.find((step) => step.state_id === approval)!.people).toEqual(['周馆长']);
  // The steps are those of a ticket that somebody else wrote: the head's own state is not skipped.
  const skips = await flow({
    participants: [{ type: participantType.users, users: [school.head.userId] }],
    on_self: onSelf.skip,
  });
  const forHead = await writer.get(tickets.foresee, {
    body: { workflow_id: skips, values: { title: '自报' }, begin_for: school.head.username },
  });
  expect(forHead.steps.find((step) => step.state_id === approval)!.people).toEqual(['王五']);
});
