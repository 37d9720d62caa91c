import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { counted } from '#apps/server/testing/counted.ts';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { straight } from '#modules/workflow/workflows/engine/straight.ts';
import { linkModule } from '#modules/platform/links/service.ts';
import { asked, budget, openTrials, told, trialCalls as calls } from './testing/trials.ts';

const { app, staff, office, agree, refuse, close } = await openTrials();
afterAll(close);
const author = await staff();
const beside = await staff();
const keeper = await staff(3);
const desk = office;

const write = async (more: object = {}, who = author) =>
  who.get(calls.create, { body: { title: '打印纸', amount: 200, submit: true, ...more } as never });
const one = async (who: Client, id: number) => (await who.get(calls.get, { params: { id } })).value;
const codeOf = async (who: Client, id: number) => (await who.ask(calls.get, { params: { id } })).code;
const listed = async (who: Client, query: object = {}) =>
  (await who.get(calls.list, { query: { per_page: 100, ...query } as never })).value.map((row) => row.id);
const again = (id: number, body: object, who = author) => who.ask(calls.again, { params: { id }, body: body as never });
const change = (id: number, body: object, who = author) =>
  who.ask(calls.change, { params: { id }, body: { reason: '调价', ...body } as never });

test('a record and its ticket are written in one transaction, and a record that its rules forbid is not written at all', async () => {
  const { id, ticket_id, act_state } = await write();
  expect(act_state).toBe(1);
  expect(await one(author, id)).toMatchObject({
    id,
    ticket_id,
    act_state: 1,
    state_name: '办公室审核',
    title: '打印纸',
  });
  const rows = async () => (await app.db.execute(sql`select 1 from trial`)).rows.length;
  const before = await rows();
  const answer = await author.ask(calls.create, { body: { title: '复印机', amount: 5000, submit: true } });
  expect(answer.msg).toBe('金额 5000 超出预算，请修改后再提交');
  expect((await author.ask(calls.create, { body: { title: '无', amount: 0, submit: true } })).data).toEqual({
    errors: [{ field: 'amount', label: '金额', msg: '请填写' }],
  });
  expect(await rows()).toBe(before);
  expect((await write({ amount: 0, submit: false })).act_state).toBe(0);
});

test('what a workflow reads of a record is the record’s content when it is sent, whatever is typed into its ticket', async () => {
  const { id, ticket_id } = await write({ submit: false });
  const params = { id: ticket_id };
  const { field_list, transitions } = (await author.get(tickets.get, { params })).value;
  expect(field_list.map(({ field_key, by_record }) => [field_key, by_record])).toEqual([['title', true]]);
  const off = transitions.find((one) => one.code === 'submit')!.transition_id!;
  expect(
    (await author.ask(tickets.handle, { params, body: { transition_id: off, title: '别的' } as never })).code,
  ).toBe(0);
  expect((await desk.get(tickets.get, { params })).value).toMatchObject({ title: '打印纸', act_state_id: 1 });
  expect(await one(author, id)).toMatchObject({ title: '打印纸', act_state: 1 });
});

test('a record says who is handling it, since when, and which actions each viewer may take now', async () => {
  const { id } = await write();
  const row = await one(author, id);
  expect(row.participant_info.participant_alias).toBe('办公室');
  expect(row.since).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(row.actions).not.toContain('edit');
  expect((await one(desk, id)).actions).toContain('approve');
  expect((await one(keeper, id)).actions).toEqual([]);
  const draft = await write({ submit: false });
  expect((await one(author, draft.id)).actions).toEqual(expect.arrayContaining(['edit', 'delete']));
});

test('list, count, search, page, links and files of records show the same rows to the same viewer', async () => {
  const { id, ticket_id } = await write({ title: '金丝雀桌椅' });
  const draft = (await write({ title: '金丝雀草稿', submit: false })).id;
  const seenBy = async (who: Client) => {
    const links = linkModule(app.db, 'trials')!;
    const user = await viewerOf(who);
    return {
      list: (await listed(who)).includes(id),
      search: (await listed(who, { search_value: '金丝雀' })).includes(id),
      count: (await who.get(calls.list, { query: { search_value: '金丝雀桌椅' } })).total,
      page: await codeOf(who, id),
      links: await app.services.databases.write(async (tx) => [
        (await links.seen(tx, user, [id])).size,
        (await links.find(tx, user, '金丝雀桌椅', new Date())).length,
      ]),
    };
  };
  const all = { list: true, search: true, count: 1, page: 0, links: [1, 1] };
  const none = { list: false, search: false, count: 0, page: 4004, links: [0, 0] };
  expect([await seenBy(author), await seenBy(desk), await seenBy(keeper), await seenBy(beside)]).toEqual([
    all,
    all,
    all,
    none,
  ]);
  expect([await codeOf(author, draft), await codeOf(keeper, draft), await codeOf(desk, draft)]).toEqual([
    0, 4004, 4004,
  ]);
  expect(await listed(keeper, { category: 'all' })).not.toContain(draft);
  expect(await listed(desk, { category: 'duty' })).toContain(id);
  expect(await listed(author, { category: 'duty' })).not.toContain(id);
  budget.opened = [beside.userId];
  expect(await codeOf(beside, id)).toBe(4004);
  await agree(ticket_id);
  expect(await seenBy(beside)).toEqual(all);
  budget.opened = [];
  expect(await seenBy(beside)).toEqual(none);
});

test('somebody who sees a ticket only by the list of all tickets sees its steps but not the record behind it', async () => {
  const { id, ticket_id } = await write({ title: '金丝雀屏风' });
  const overseer = await app.clerk({ 'ticket/all': ['Retrieve', 'daochu'] }, { dataScope: 1 });
  const both = await app.clerk({ 'ticket/all': ['Retrieve'], 'trial/list': ['Retrieve'] }, { dataScope: 1 });
  const params = { id: ticket_id };
  const seenBy = async (who: Client) => {
    const query = { category: 'all', ticket_ids: String(ticket_id) } as never;
    const ticket = (await who.get(tickets.get, { params })).value;
    const logs = await who.get(tickets.flowlogs, { params, query: { ticket_data: true } as never });
    return {
      page: await codeOf(who, id),
      records: await listed(who, { search_value: '金丝雀屏风' }),
      row: (await who.get(tickets.list, { query })).value.map((row) => row.record_path),
      ticket: [ticket.record_path, ticket.record_closed, ticket.field_list.map((field) => field.field_key)],
      logs: logs.value.map((row) => [row.action, Object.keys(row.ticket_data ?? {})]),
    };
  };
  const path = `/trial/detail/${id}`;
  const open = { row: [path], ticket: [path, false, ['title']], logs: [['submit', ['title']]] };
  expect(await seenBy(overseer)).toEqual({
    page: 4004,
    records: [],
    row: [null],
    ticket: [null, true, []],
    logs: [['submit', []]],
  });
  expect(await seenBy(both)).toEqual({ page: 0, records: [id], ...open });
  const { workflow_id } = (await one(author, id)) as { workflow_id: number };
  const found = (who: Client, title: string) =>
    who.get(tickets.list, {
      query: { category: 'all', workflow_ids: String(workflow_id), fields: JSON.stringify({ title }) } as never,
    });
  expect((await found(both, '金丝雀屏风')).value.map((row) => row.id)).toEqual([ticket_id]);
  expect((await found(overseer, '金丝雀屏风')).value).toEqual([]);
  expect(await codeOf(desk, id), 'whoever was asked has a part in it, with that page or without').toBe(0);
});

test('a returned record is corrected and sent again by its author and nobody else', async () => {
  const { id, ticket_id } = await write({ title: '白板' });
  expect((await again(id, { amount: 300 })).msg).toBe(
    '请购单“待审”，现在不能重新提交；只有草稿、退回和撤回的可以由起草人重新提交',
  );
  await refuse(ticket_id);
  const { version } = await one(author, id);
  for (const who of [beside, keeper, desk])
    expect([4004, 4010]).toContain((await again(id, { amount: 300 }, who)).code);
  expect((await again(id, { amount: 300, version: version + 1 })).code).toBe(4011);
  expect((await author.ask(calls.update, { params: { id }, body: { title: '大白板' } })).code).toBe(0);
  expect((await author.get(tickets.get, { params: { id: ticket_id } })).value.title).toBe('大白板');
  expect((await again(id, { amount: 300, version: version + 1 })).data).toMatchObject({ id, ticket_id, act_state: 1 });
  expect(await one(author, id)).toMatchObject({ amount: 300, title: '大白板', version: version + 2 });
});

test('the rules of a record are checked again before the last approval, and what the approval sets is committed with it', async () => {
  const { id, ticket_id } = await write({ amount: 900 });
  budget.most = 500;
  expect((await agree(ticket_id)).msg).toBe('金额 900 超出预算，请修改后再提交');
  expect((await one(author, id)).act_state).toBe(1);
  budget.most = 1000;
  expect((await agree(ticket_id)).code).toBe(0);
  expect(await one(author, id)).toMatchObject({ act_state: 4, number: `QG-${id}` });
  const { rows } = await app.db.execute<{ diff: object }>(
    sql`select diff from log where module = 'trials' and action = '审批通过' order by id desc limit 1`,
  );
  expect(rows[0]!.diff).toEqual([
    { type: '请购单', id: String(id), title: '打印纸', fields: [{ field: '状态', before: '待审', after: '已通过' }] },
  ]);
});

test('the rules of a record are told whether it is being submitted or approved', async () => {
  const { id, ticket_id } = await write({ submit: false });
  asked.length = 0;
  await again(id, {});
  expect(asked).toEqual(['submitted']);
  await agree(ticket_id!);
  expect(asked).toEqual(['submitted', 'approved']);
});

test('a field that an update does not send keeps its value, even if it has a default; the record shows its department', async () => {
  const { id } = await write({ why: '年底盘点', submit: false });
  await author.get(calls.update, { params: { id }, body: { amount: 300 } });
  expect(await one(author, id)).toMatchObject({ amount: 300, why: '年底盘点', dept_name: '采购处' });
  expect((await author.get(calls.list)).value[0]).toMatchObject({ id, dept_name: '采购处' });
});

test('a person to whom an approved record was opened sees its card but not its approval steps', async () => {
  const { id, ticket_id } = await write({ title: '投影机', why: '教学用' });
  budget.opened = [beside.userId];
  await agree(ticket_id);
  const links = linkModule(app.db, 'trials')!;
  const [own, given] = [await viewerOf(author), await viewerOf(beside)];
  await app.services.databases.write(async (tx) => {
    const cardFor = async (user: typeof own) => (await links.seen(tx, user, [id])).get(id);
    expect(await cardFor(own)).toMatchObject({ title: '投影机', sn: `QG-${id}`, state: '已通过' });
    expect(await cardFor(given)).toMatchObject({ title: '投影机', sn: `QG-${id}`, state: '已给出' });
    const told = async (user: typeof own) => [
      (await links.happened(tx, [id], 10, user)).length > 0,
      await links.changeable!(tx, user, [id]),
    ];
    expect([await told(own), await told(given)]).toEqual([
      [true, [id]],
      [false, []],
    ]);
  });
  budget.opened = [];
});

test('a record without a number is named by its ticket’s number, and a secret record is named to nobody', async () => {
  const { id, sn } = await write({ title: '银杏椅' });
  const hidden = (await write({ title: '银杏柜', is_secret: true })).id;
  const links = linkModule(app.db, 'trials')!;
  const user = await viewerOf(author);
  await app.services.databases.write(async (tx) => {
    expect((await links.seen(tx, user, [id, hidden])).get(id)?.sn).toBe(sn);
    expect([...(await links.seen(tx, user, [id, hidden])).keys()]).toEqual([id]);
    expect((await links.find(tx, user, '银杏', new Date())).map((card) => card.id)).toEqual([id]);
  });
  expect(await listed(author, { search_value: '银杏' })).toContain(hidden);
});

test('a record is found by the whole number of its ticket or its end, only by people who see the record', async () => {
  const { id, sn } = await write({ title: '樟木箱' });
  for (const search_value of [sn, sn.toLowerCase(), sn.slice(-6)]) {
    expect(await listed(author, { search_value }), search_value).toContain(id);
    expect(await listed(beside, { search_value }), search_value).not.toContain(id);
  }
  expect(await listed(author, { search_value: sn })).toEqual([id]);
  // Text that looks like a number is still found in the words.
  const named = (await write({ title: '编号 20990101 的柜子' })).id;
  expect(await listed(author, { search_value: '20990101' })).toEqual([named]);
});

test('long texts are on a record’s page and in no list, and a field that is set once cannot be changed later', async () => {
  const { id } = await write({ title: '紫檀笔', why: '签字', is_secret: true, submit: false });
  const [row] = (await author.get(calls.list, { query: { search_value: '紫檀笔' } as never })).value;
  expect([row!.why, (await one(author, id)).why]).toEqual(['', '签字']);
  const body = { is_secret: false, why: '办公' } as object;
  expect((await author.ask(calls.update, { params: { id }, body })).code).toBe(0);
  expect(await one(author, id)).toMatchObject({ is_secret: true, why: '办公' });
});

test('a record is told of a step of its ticket after the event was applied; an event that changes nothing keeps its version', async () => {
  const { id, ticket_id } = await write();
  const sent = await one(author, id);
  await desk.ask(ticketActions.comment, { params: { id: ticket_id }, body: { suggestion: '请尽快' } as never });
  expect(await one(author, id)).toMatchObject({ turns: 0, version: sent.version });
  await agree(ticket_id);
  expect(await one(author, id)).toMatchObject({ turns: 1, version: sent.version + 1 });
});

test('an action that a record’s guard forbids is neither offered nor accepted by its ticket', async () => {
  const { id, ticket_id } = await write({ title: '封存' });
  expect((await one(desk, id)).actions).not.toContain('approve');
  expect((await agree(ticket_id)).code).not.toBe(0);
});

test('a draft is deleted with its ticket by its author alone', async () => {
  const { id, ticket_id } = await write({ submit: false });
  const drop = (who: Client) => who.ask(calls.remove, { params: { id } });
  expect((await drop(keeper)).code).toBe(4004);
  expect((await drop(author)).code).toBe(0);
  expect([await codeOf(author, id), (await author.ask(tickets.get, { params: { id: ticket_id } })).code]).toEqual([
    4004, 4004,
  ]);
  const sent = await write();
  expect((await author.ask(calls.remove, { params: { id: sent.id } })).msg).toMatch(/现在不能删除/);
  const said = { params: { id: sent.ticket_id }, body: { suggestion: '先不办' } };
  expect((await author.ask(ticketActions.retreat, said)).code).toBe(0);
  expect((await one(author, sent.id)).actions).not.toContain('delete');
  expect((await author.ask(calls.remove, { params: { id: sent.id } })).msg).toMatch(/^请购单提交过，.*不能删除/);
});

const approved = async (more: object = {}) => {
  const made = await write(more);
  await agree(made.ticket_id);
  return made.id;
};
const ticketOf = async (changeId: number) =>
  (await app.db.execute<{ ticket_id: number }>(sql`select ticket_id from trial_change where id = ${changeId}`)).rows[0]!
    .ticket_id;

test('a change of an approved record is a record of its own: the old one stands until it is decided, and stays where it is refused', async () => {
  const id = await approved();
  const asked = await change(id, { amount: 400 });
  expect(await listed(desk, { category: 'duty' })).toContain(id);
  expect(await listed(beside, { category: 'duty' })).not.toContain(id);
  expect(asked.data.act_state).toBe(1);
  const stands = async () => {
    const { amount, act_state } = await one(author, id);
    return [amount, act_state];
  };
  expect(await stands()).toEqual([200, 4]);
  expect((await change(id, { amount: 500 })).msg).toBe('请购单已有变更在办理，请等它办结，或在其中修改后重新提交');
  await refuse(await ticketOf(asked.data.id));
  expect(await stands()).toEqual([200, 4]);
  const better = await change(id, { amount: 350, change_id: asked.data.id });
  expect(better.data).toMatchObject({ id: asked.data.id, act_state: 1 });
  expect(await stands()).toEqual([200, 4]);
  expect((await agree(await ticketOf(asked.data.id))).code).toBe(0);
  expect(await stands()).toEqual([350, 4]);
  expect(told).toEqual(['200 → 350']);
  const { rows } = await app.db.execute<{ diff: object }>(
    sql`select diff from log where module = 'trial_changes' and action = '审批通过' order by id desc limit 1`,
  );
  expect(rows[0]!.diff).toContainEqual({
    type: '请购单',
    id: String(id),
    title: '打印纸',
    fields: [{ field: '金额', before: 200, after: 350 }],
  });
  const applied = { params: { id: await ticketOf(asked.data.id) }, body: { suggestion: '撤销' } };
  expect((await app.admin.ask(ticketActions.revoke, applied)).msg).toBe(
    '请购单的变更已经生效，不再撤销；要改回的请另行申请变更',
  );
  expect((await app.admin.ask(ticketActions.close, applied)).msg).toMatch(/^工单已通过，不能关闭/);
  expect((await change(id, { amount: 360 })).code).toBe(0);
});

test('only an approved record can be changed, only within its rules, and not over a change that came in between', async () => {
  const open = (await write()).id;
  expect((await change(open, { amount: 300 })).msg).toBe('请购单“待审”，审批通过之后才能变更');
  const id = await approved();
  expect((await change(id, { amount: 200 })).msg).toBe('没有要变更的内容，请修改后再提交');
  expect((await change(id, { amount: 4000 })).msg).toMatch(/超出预算/);
  expect((await change(id, { amount: 300 }, beside)).code).toBe(4004);
  const first = (await change(id, { amount: 300 })).data.id;
  await app.services.databases.pool.query('update trial set amount = 250 where id = $1', [id]);
  expect((await agree(await ticketOf(first))).msg).toMatch(/又有变动/);
  expect((await one(author, id)).amount).toBe(250);
});

test('a record that is revoked while a change of it waits for approval stays unchanged', async () => {
  const id = await approved();
  const pending = (await change(id, { amount: 300 })).data.id;
  const { ticket_id } = await one(author, id);
  expect(
    (await app.admin.ask(ticketActions.revoke, { params: { id: ticket_id }, body: { suggestion: '作废' } })).code,
  ).toBe(0);
  expect((await agree(await ticketOf(pending))).code).toBe(4010);
  expect((await one(author, id)).amount).toBe(200);
});

test('of two people who request a change of one record at once, one is told that a change is already waiting', async () => {
  const id = await approved();
  const answers = await Promise.all([change(id, { amount: 301 }), change(id, { amount: 302 })]);
  expect(answers.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([0, 4009]);
});

describe('a workflow that keeps the decisions about unchanged content', () => {
  const second = keeper;
  /** The office reviews and somebody else reviews after it; the office's agreement is kept. */
  async function keeping(key: string): Promise<number> {
    const { rows } = await app.db.execute<{ id: number }>(sql`select id from workflow where key = ${key}`);
    const params = { id: rows[0]!.id };
    const participants = [{ type: 1 as const, user: second.userId }];
    const definition = straight({
      name: key,
      steps: [
        { key: 'office', name: '办公室审核', roles: ['office_admin'], more: { keep_unchanged: true } },
        { key: 'second', name: '复核', more: { participants } },
      ],
      prefix: 'KEEP',
    });
    await app.admin.get(designCalls.change, { params, body: { definition: definition as never } });
    await app.admin.get(releaseCalls.publish, { params, body: {} });
    return params.id;
  }
  const press = async (who: Client, id: number, name: string) => {
    const params = { id };
    const { transitions } = (await who.get(tickets.get, { params })).value;
    const offer = transitions.find((one) => one.transition_name === name && one.attribute_type_id !== null)!;
    return who.get(tickets.handle, { params, body: { transition_id: offer.transition_id!, suggestion: '已阅' } });
  };
  const holder = async (id: number) =>
    (await author.get(tickets.get, { params: { id } })).value.participant_info.participant_alias;
  const since = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value.since_decided;
  const logged = async (id: number) =>
    (await author.get(tickets.flowlogs, { params: { id } })).value.map((row) => row.action);

  test('asks again after a return only those who had agreed to something that differs now, and shows them the difference', async () => {
    await keeping('trial');
    const { id, ticket_id } = await write({ title: '投影幕', why: '教'.repeat(300) });
    await press(desk, ticket_id, '同意');
    const reviewer = await holder(ticket_id);
    await press(second, ticket_id, '退回起草人');
    expect((await again(id, {})).code).toBe(0);
    expect(await holder(ticket_id), 'nothing was changed, so the office is not asked').toBe(reviewer);
    expect(await logged(ticket_id)).toContain('keep');
    expect(await since(second, ticket_id)).toEqual({ was: {}, people: {}, record: [] });
    await press(second, ticket_id, '退回起草人');
    expect((await again(id, { amount: 300, why: '学'.repeat(301) })).code).toBe(0);
    expect(await holder(ticket_id)).toBe('办公室');
    const seen = (await since(desk, ticket_id))!;
    const told = seen.record!.map((item) => [item.field_name, seen.was[item.field_key], item.field_value]);
    expect(told).toEqual([
      ['金额', 200, 300],
      ['用途', expect.stringMatching(/^全文 300 字，校验码 /), expect.stringMatching(/^全文 301 字，校验码 /)],
    ]);
    await press(desk, ticket_id, '同意');
    await press(second, ticket_id, '同意');
    expect((await one(author, id)).act_state).toBe(4);
  });

  test('does the same for a change of an approved record, comparing what the record would become and the reason', async () => {
    await keeping('trial_change');
    const { id, ticket_id } = await write({ title: '幕布' });
    await press(desk, ticket_id, '同意');
    await press(second, ticket_id, '同意');
    const asked = (await change(id, { amount: 400 })).data.id;
    const ticket = await ticketOf(asked);
    await press(desk, ticket, '同意');
    const reviewer = await holder(ticket);
    await press(second, ticket, '退回起草人');
    expect((await change(id, { amount: 400, reason: '调价', change_id: asked })).code).toBe(0);
    expect(await holder(ticket)).toBe(reviewer);
    await press(second, ticket, '退回起草人');
    expect((await change(id, { amount: 450, reason: '又涨了', change_id: asked })).code).toBe(0);
    expect(await holder(ticket)).toBe('办公室');
    const seen = (await since(desk, ticket))!;
    expect(seen.record!.map((item) => [item.field_name, seen.was[item.field_key], item.field_value])).toEqual([
      ['金额', 400, 450],
      ['变更原因', '调价', '又涨了'],
    ]);
    await press(desk, ticket, '同意');
    await press(second, ticket, '同意');
    expect((await one(author, id)).amount).toBe(450);
  });

  test('is refused for records whose module does not say which fields they hold', async () => {
    const { rows } = await app.db.execute<{ id: number; key: string }>(
      sql`select id, key from workflow where module = 'stamps' limit 1`,
    );
    const params = { id: rows[0]!.id };
    const { definition } = await app.admin.get(designCalls.get, { params });
    const states = definition.states.map((state) =>
      state.kind === 'approve' ? { ...state, keep_unchanged: true } : state,
    );
    await app.admin.get(designCalls.change, { params, body: { definition: { ...definition, states } } });
    const { data } = await app.admin.ask(releaseCalls.publish, { params, body: { dry_run: true } });
    expect(JSON.stringify(data)).toContain('用印申请的内容不在表单里，无法判断，请去掉这一项');
  });
});

test('a list, a page and a new record of a module take a fixed number of statements, however many records there are', async () => {
  const few = (await counted(author, () => author.get(calls.list, { query: { per_page: 1 } }))).length;
  const many = (await counted(author, () => author.get(calls.list, { query: { per_page: 100 } }))).length;
  const duty = (await counted(desk, () => desk.get(calls.list, { query: { category: 'duty', per_page: 100 } }))).length;
  const { id } = await write();
  const page = (await counted(author, () => one(author, id))).length;
  const created = (await counted(author, () => write())).length;
  expect({ few, many, duty, page, created }).toEqual({ few: 6, many: 6, duty: 5, page: 10, created: 22 });
});

test('a finally refused record reads 未通过 in its list and wherever it is named; a closed one reads 已关闭', async () => {
  const { rows } = await app.db.execute<{ id: number }>(sql`select id from workflow where key = 'trial'`);
  const params = { id: rows[0]!.id };
  const steps = [{ key: 'office', name: '办公室审核', roles: ['office_admin'] }];
  const flow = straight({ name: 'trial', steps, prefix: 'NO' });
  const end = flow.states.find(({ kind }) => kind === 'end')!.id;
  const transitions = flow.transitions.map((one) => (one.key === 'refuse_2' ? { ...one, destination: end } : one));
  await app.admin.get(designCalls.change, { params, body: { definition: { ...flow, transitions } as never } });
  await app.admin.get(releaseCalls.publish, { params, body: {} });
  const refused = await write({ title: '碎纸机' });
  expect((await refuse(refused.ticket_id)).code).toBe(0);
  const given = await write({ title: '白板' });
  await app.admin.get(ticketActions.close, { params: { id: given.ticket_id }, body: { suggestion: '不买了' } });
  const links = linkModule(app.db, 'trials')!;
  const user = await viewerOf(author);
  const cards = await app.services.databases.write((tx) => links.seen(tx, user, [refused.id, given.id]));
  const { value } = await author.get(calls.list, { query: { per_page: 100 } });
  for (const [id, name] of [
    [refused.id, '未通过'],
    [given.id, '已关闭'],
  ] as const) {
    expect(value.find((row) => row.id === id)).toMatchObject({ act_state: 5, act_state_name: name });
    expect(cards.get(id)?.state).toBe(name);
  }
});

async function viewerOf(who: Client) {
  const known = await app.services.identity.identify(who.token!.replace(/^JWT /, ''));
  return known!;
}
