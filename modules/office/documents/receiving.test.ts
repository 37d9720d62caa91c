import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appoint } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { send } from '#modules/platform/wopi/testing/editor.ts';
import { documents } from './contract.ts';
import { documentEdits } from './contract/files/edits.ts';
import { documentFiles } from './contract/files/files.ts';
import { keptAsReceived } from './contract/files/file-refusals.ts';
import { openSchool, type School } from './testing/school.ts';
import { wordOf } from './testing/word.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

let count = 0;
const letter = (more: object = {}) => ({
  doc_kind: 2 as const,
  title: `关于报送材料的通知${(count += 1)}`,
  from_org: '教育厅',
  received_date: '2026-11-20',
  submit: true,
  ...more,
});
const register = (more: object = {}, who: Client = school.registrar) =>
  who.ask(documents.create, { body: letter(more) });
/** An incoming letter in the state of the office's proposal. */
async function come() {
  const { data } = await register();
  await school.handle(school.clerk, data.ticket_id, 3);
  return data;
}
const propose = (ticketId: number, asked: object) =>
  school.handle(school.clerk, ticketId, 5, { leaders: [school.main.username], ...asked });
const waiting = async (ticketId: number) =>
  (await school.clerk.get(tickets.get, { params: { id: ticketId } })).value.participant_info.participant_alias;

describe('an incoming letter’s registration', () => {
  test('is open only to those who keep the register', async () => {
    const answer = await register({}, school.author);
    expect([answer.code, answer.msg]).toEqual([4003, '来文由党政办或秘书登记，请把来文转给他们']);
    for (const who of [school.registrar, school.clerk]) expect((await register({}, who)).code).toBe(0);
  });

  test('has its deadline set at 拟办 and later moved with a reason by the office or its handler', async () => {
    const { clerk, main, author, registrar, detail, handle, write } = school;
    const { id, ticket_id } = await come();
    const asks = (who: Client, due_at: string | null, reason = '') =>
      who.ask(documents.due, { params: { id }, body: { due_at, reason } });
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const stands = async () => (await detail(registrar, id)).due_at?.slice(0, 16);
    expect((await detail(clerk, id)).actions).toContain('set_due');
    expect((await asks(registrar, `${day(9)} 17:00`)).code).toBe(4003);
    expect((await asks(clerk, `${day(9)} 17:00`)).code).toBe(0);
    expect(await stands()).toBe(`${day(9)} 17:00`);
    await propose(ticket_id, { lead_dept: school.dept });
    expect((await detail(main, id)).actions).toContain('move_due');
    expect(await asks(main, `${day(5)} 12:00`)).toMatchObject({ code: 4000, data: { errors: [{ field: 'reason' }] } });
    expect(await asks(main, `${day(-1)} 12:00`, '早了')).toMatchObject({
      code: 4000,
      data: { errors: [{ field: 'due_at' }] },
    });
    expect((await asks(main, `${day(5)} 12:00`, '会议提前，请先报送')).code).toBe(0);
    expect(await stands()).toBe(`${day(5)} 12:00`);
    const { value } = await main.get(tickets.list, { query: { category: 'duty', per_page: 100 } });
    expect(value.find((one) => one.id === ticket_id)?.due_at?.slice(0, 16)).toBe(`${day(5)} 12:00`);
    const { value: edits } = await clerk.get(documentEdits.list, { params: { id } });
    expect(JSON.stringify(edits)).toContain('会议提前，请先报送');
    const own = await write({}, author);
    expect(
      (await school.head.ask(documents.due, { params: { id: own.id }, body: { due_at: `${day(5)} 12:00` } })).code,
    ).toBe(4010);
    await handle(main, ticket_id, 6);
    expect(await stands()).toBe(`${day(5)} 12:00`);
  });

  test('has no fields of outgoing letters, and the other way round; each is refused by name', async () => {
    const told = async (who: Client, body: object) => {
      const answer = await who.ask(documents.create, { body: body as never });
      return (answer as { data?: { errors?: { field: string; msg: string }[] } }).data?.errors ?? answer.code;
    };
    const nonsense = { number_rule_id: school.rule, reserved_no: 7, issue_org: '某某大学', joint_orgs: ['甲厅'] };
    expect(JSON.stringify(await told(school.registrar, letter(nonsense)))).toMatch(
      /number_rule_id.*收文没有这一项.*reserved_no.*issue_org.*joint_orgs/,
    );
    const going = { doc_kind: 1, title: '关于报送的通知', from_org: '教育厅', from_copies: 3 };
    expect(JSON.stringify(await told(school.author, going))).toMatch(/from_org.*发文没有这一项.*from_copies/);
  });

  test('asks for confirmation if the sender’s number was registered before in any spelling, and names the earlier letter', async () => {
    const first = await register({ from_org: '市科技局', from_number: '市科发〔2026〕12号' });
    const { receipt_no } = await school.detail(school.registrar, first.data.id);
    const ways = [
      '〔2026〕',
      '[2026] ',
      '（２０２６）',
      '【2026】',
      '［2026］',
      '｛2026｝',
      '《2026》',
      '﹝2026﹞',
      '「2026」',
    ];
    for (const from_number of ways.map((year) => `市科发${year}12号`)) {
      const again = await register({ from_org: '市科技局', from_number });
      expect([again.code, again.msg]).toEqual([
        4009,
        `“市科技局”的“市科发〔2026〕12号”已于 2026-11-20 登记为${receipt_no}`,
      ]);
    }
    expect((await register({ from_org: '市卫健委', from_number: '市科发〔2026〕12号' })).code).toBe(0);
    const meant = await register({ from_org: '市科技局', from_number: '市科发[2026]12号', force: true });
    expect(meant.code).toBe(0);
    const change = { params: { id: meant.data.id }, body: { summary: '第二份' } };
    expect((await school.registrar.ask(documents.update, change)).code).not.toBe(4009);
  });

  test('done twice at the same moment is stored once', async () => {
    const both = { from_org: '市文旅局', from_number: '文旅〔2026〕9号' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(both)));
    expect(answers.map((one) => one.code).toSorted()).toEqual([0, ...Array.from({ length: 7 }, () => 4009)].toSorted());
  });

  test('with a future date asks for confirmation', async () => {
    const answer = await register({ received_date: '2099-01-01' });
    expect([answer.code, answer.msg]).toEqual([4009, '收文日期 2099-01-01 还没有到']);
    expect((await register({ received_date: '2099-01-01', force: true })).code).toBe(0);
  });
});

describe('the handling of an incoming letter', () => {
  test('is decided by all of the leaders chosen, who must be leaders of the house', async () => {
    const { ticket_id } = await come();
    const other = await school.hire('赵书记', { roles: ['xld'] });
    const wrong = await propose(ticket_id, { leaders: [school.head.username], lead_dept: school.dept });
    expect([wrong.code, wrong.msg]).toEqual([-1, '“李处长”不是校领导或分管领导，不能批示来文，请另选']);
    expect(
      (await propose(ticket_id, { leaders: [school.leader.username, other.username], lead_dept: school.dept })).code,
    ).toBe(0);
    expect((await school.handle(school.main, ticket_id, 6)).code).not.toBe(0);
    expect((await school.handle(other, ticket_id, 6)).code).toBe(0);
    expect(await waiting(ticket_id)).toBe('王副校长');
    expect((await school.handle(school.leader, ticket_id, 6)).code).toBe(0);
    expect(await waiting(ticket_id)).toBe('李处长');
  });

  test('goes to the heads of the leading and assisting departments, and moves on when all have handled it', async () => {
    const { head, librarian, main, registrar, clerk, stranger, detail, handle } = school;
    const { id, ticket_id } = await come();
    await propose(ticket_id, { lead_dept: school.dept, co_depts: [school.elsewhere] });
    const before = await detail(registrar, id);
    expect([before.lead_dept_name, before.co_depts_info.map((one) => one.name)]).toEqual(['教务处', ['图书馆']]);
    await handle(main, ticket_id, 6, { suggestion: '请两部门商办' });
    expect((await detail(librarian, id)).title).toBe(before.title);
    expect((await stranger.ask(documents.get, { params: { id } })).code).toBe(4004);
    expect((await handle(librarian, ticket_id, 8, { suggestion: '已提供清单' })).data.act_state).toBe(1);
    expect(await waiting(ticket_id)).toBe('李处长');
    await handle(head, ticket_id, 8, { suggestion: '已报送' });
    expect(await waiting(ticket_id)).toBe('党政办');
    const { opinions } = await detail(clerk, id);
    expect(opinions.propose).toMatch(/党政办：同意　\d{4}-\d\d-\d\d$/);
    expect(opinions.decide).toContain('陈校长：请两部门商办');
    expect(
      opinions.carry
        .split('\n')
        .map((line) => line.replace(/　.*/, ''))
        .toSorted(),
    ).toEqual(['图书馆 周馆长：已提供清单', '教务处 李处长：已报送']);
  });

  test('is passed on by an assisting head, and the person who gets it sees it and appears on its sheet', async () => {
    const { head, librarian, stranger, main, clerk, handle, detail } = school;
    const { id, ticket_id } = await come();
    await propose(ticket_id, { lead_dept: school.dept, co_depts: [school.elsewhere] });
    await handle(main, ticket_id, 6);
    const params = { id: ticket_id };
    await librarian.get(ticketActions.deliver, {
      params,
      body: { target_username: stranger.username, suggestion: '请核对馆藏' },
    });
    expect((await detail(stranger, id)).actions).toContain('approve');
    await handle(head, ticket_id, 8, { suggestion: '已报送' });
    expect(await waiting(ticket_id)).toBe('外人');
    await handle(stranger, ticket_id, 8, { suggestion: '馆藏已核对' });
    expect((await detail(clerk, id)).opinions.carry).toMatch(
      /教务处 李处长：已报送.*\n图书馆 周馆长：请核对馆藏.*\n图书馆 外人：馆藏已核对/,
    );
  });

  test('may add to what was received but not change it; only the register’s keepers replace it', async () => {
    const { registrar, clerk, head, librarian, main, handle, detail } = school;
    const scan = (words: string) => wordOf(words);
    const { data } = await register({
      body_file: await send(registrar, scan('来文原件'), '来文.docx'),
      attachments: [await send(registrar, '名单', '名单.csv')],
    });
    const { id, ticket_id } = data;
    const placesFor = async (who: Client) =>
      (await who.get(documentFiles.attachments, { query: { document_id: id } })).value.filter((one) => !one.removed_at);
    const version = async (who: Client, placeId: number, name: string, content: string | Uint8Array) =>
      who.ask(documentFiles.addVersion, {
        body: { id: placeId, file: await send(who, content, name), reason: '更换' },
      });
    const change = (who: Client, body: object) => who.ask(documents.update, { params: { id }, body });

    // The office, which also keeps the register, uploads a better scan.
    const [body, list] = await placesFor(clerk);
    expect((await detail(clerk, id)).actions).toContain('edit_received');
    expect((await version(clerk, body!.id, '来文.docx', scan('来文原件，清晰件'))).code).toBe(0);
    await handle(clerk, ticket_id, 3);
    await propose(ticket_id, { lead_dept: school.dept, co_depts: [school.elsewhere] });
    await handle(main, ticket_id, 6);

    const { actions, body_file, attachments } = await detail(head, id);
    expect([actions.includes('edit'), actions.includes('edit_received')]).toEqual([true, false]);
    expect((await placesFor(head)).map((one) => one.actions)).toEqual([['open'], ['open']]);
    const [kept] = attachments;
    expect(await version(head, body!.id, '来文.docx', scan('改过的来文'))).toRefuse(keptAsReceived);
    expect(await version(head, list!.id, '名单.csv', '改过的名单')).toRefuse(keptAsReceived);
    const other = await send(head, scan('改过的来文'), '来文.docx');
    expect(await change(head, { body_file: other })).toRefuse(keptAsReceived);
    expect(await change(head, { body_html: '改过的来文' })).toRefuse(keptAsReceived);
    expect(await change(head, { attachments: [] })).toRefuse(keptAsReceived);
    expect((await head.get(documentFiles.open, { params: { id: body!.id } })).may_write).toBe(false);

    const added = await send(head, '办理情况', '办理情况.txt');
    expect((await change(head, { handle_result: '已办', attachments: [kept!.id, added] })).code).toBe(0);
    const own = (await placesFor(head)).find((one) => one.name === '办理情况.txt')!;
    expect(own.actions).toContain('upload');
    expect((await version(head, own.id, '办理情况.txt', '办理情况（更正）')).code).toBe(0);
    // They may change neither the received files nor those that the other department added.
    const [, , theirs] = await placesFor(librarian);
    expect(await version(librarian, theirs!.id, '办理情况.txt', '别的')).toRefuse(keptAsReceived);
    expect(await change(librarian, { attachments: [kept!.id] })).toRefuse(keptAsReceived);
    expect((await change(head, { attachments: [kept!.id] })).code).toBe(0);
    const now = await detail(head, id);
    expect([now.body_file!.id, now.attachments.map((one) => one.id)]).toEqual([body_file!.id, [kept!.id]]);
  });

  test('is overdue by its sender’s deadline in every list, and its handler is urged for it', async () => {
    const { registrar, clerk, listed, detail } = school;
    const body = { received_date: '2020-01-02', due_at: '2020-01-03 10:00' };
    const { data } = await register(body);
    expect((await detail(registrar, data.id)).light).toBe(3);
    expect(await listed(clerk, 'duty')).toContain(data.id);
    const [row] = (await clerk.get(documents.list, { query: { category: 'duty', per_page: 100 } })).value.filter(
      (one) => one.id === data.id,
    );
    expect([row!.light, row!.due_at?.slice(0, 16)]).toEqual([3, '2020-01-03 10:00']);
    expect((await registrar.get(documents.urge, { params: { id: data.id }, body: {} })).sent).toBe(1);
  });

  test('needs a leading department with a head, chosen at 拟办 only, or readers', async () => {
    const { id, ticket_id } = await come();
    expect((await propose(ticket_id, {})).msg).toBe('请选择主办部门；只传阅、不需要承办的，请勾选“阅件”并选择传阅对象');
    expect((await propose(ticket_id, { lead_dept: school.below })).msg).toContain('“考试中心”没有负责人');
    expect((await propose(ticket_id, { lead_dept: 999_999 })).msg).toContain('所选部门已不存在');
    expect((await propose(ticket_id, { reading: true })).msg).toBe('勾选了“阅件”，请选择传阅对象');
    const own = { params: { id }, body: { lead_dept: school.dept } };
    expect((await school.clerk.ask(documents.update, own)).msg).toContain('来文的承办部门在拟办或批示时选择');
    expect((await propose(ticket_id, { reading: true, readers: [school.stranger.username] })).code).toBe(0);
    expect((await school.handle(school.main, ticket_id, 6)).data.act_state).toBe(4);
  });

  test('is moved to another department by the deciding leader', async () => {
    const { id, ticket_id } = await come();
    await propose(ticket_id, { lead_dept: school.dept });
    await school.handle(school.main, ticket_id, 6, { lead_dept: school.elsewhere });
    expect(await waiting(ticket_id)).toBe('周馆长');
    expect((await school.detail(school.clerk, id)).lead_dept).toBe(school.elsewhere);
  });
});

describe('a countersigning department', () => {
  test('is represented by its own approver or head', async () => {
    const approver = await school.hire('审批人', { dept: school.elsewhere });
    await appoint(school.office, school.elsewhere, { approver });
    const { id, ticket_id } = await school.write({ co_depts: [school.dept, school.elsewhere] });
    await school.handle(school.head, ticket_id, 3);
    expect(await waiting(ticket_id)).toContain('审批人');
    const { opinions } = await school.detail(school.author, id);
    expect(opinions.countersign).toBe('');
  });
});
