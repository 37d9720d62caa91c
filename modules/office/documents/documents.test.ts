import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { messages } from '#modules/platform/messages/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { documents } from './contract.ts';
import { documentRecords } from './contract/records.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const errorsOf = (answer: { data: unknown }) =>
  (answer.data as { errors?: { field: string; msg: string }[] } | null)?.errors?.map((one) => [one.field, one.msg]) ??
  [];

describe('a letter', () => {
  test('goes from its draft by way of the signature to its number and its end', async () => {
    const { author, head, write, goOn, detail, listed } = school;
    const { id, ticket_id, sn, act_state } = await write();
    expect([act_state, sn.slice(0, 3)]).toEqual([1, 'DOC']);
    expect(await listed(head, 'duty')).toContain(id);
    await goOn(ticket_id, 15);
    const before = await detail(author, id);
    expect([before.state_name, before.doc_number, before.sign_date === null]).toEqual(['登记编号', '', false]);
    await goOn2(ticket_id);
    const after = await detail(author, id);
    const year = new Date().getFullYear();
    expect(after.doc_number).toMatch(new RegExp(`^校发〔${year}〕[1-9]\\d*号$`));
    // Its number is found with any kind of brackets.
    for (const [open, close] of ['[]', '（）', '【】', '〔〕']) {
      const number = after.doc_number.replace('〔', open!).replace('〕', close!);
      expect((await author.get(documents.list, { query: { number } })).value.map((one) => one.id)).toEqual([id]);
    }
    expect([after.act_state, after.act_state_name, after.finished_at !== null]).toEqual([4, '已通过', true]);
    expect(after.written_date).toBe(after.sign_date);
  });

  const goOn2 = async (id: number) => {
    for (const transition_id of [15, 16, 17])
      await school.clerk.get(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好' } });
  };

  test('is marked as printed after a confirmation that says that this ends it', async () => {
    const { author, clerk, write, goOn, handle, detail } = school;
    const { id, ticket_id } = await write();
    await goOn(ticket_id, 17);
    const { transitions } = (await clerk.get(tickets.get, { params: { id: ticket_id } })).value;
    const asked = transitions.map((offer) => [offer.transition_name, offer.alert_enable, offer.alert_text]);
    expect(asked).toContainEqual(['已印发', true, '公文随即办结，成品文件定稿，内容不能再修改。确定已经印发吗？']);
    await handle(clerk, ticket_id, 17);
    const { act_state_name, actions } = await detail(author, id);
    expect([act_state_name, actions.includes('edit')]).toEqual(['已通过', false]);
  });

  test('is countersigned by the heads of the named departments, and one refusal returns it', async () => {
    const { author, head, librarian, write, handle, detail, elsewhere } = school;
    const { id, ticket_id } = await write({ co_depts: [elsewhere] });
    await handle(head, ticket_id, 3);
    expect((await detail(author, id)).participant_info.participant_alias).toBe('周馆长');
    expect((await handle(librarian, ticket_id, 6, { suggestion: ' ' })).code).toBe(4000);
    expect((await handle(librarian, ticket_id, 6, { suggestion: '图书馆另有安排' })).data.act_state).toBe(2);
    const back = await detail(author, id);
    expect([back.act_state_name, back.actions.includes('edit'), back.actions.includes('submit')]).toEqual([
      '已退回',
      true,
      true,
    ]);
    const again = await author.get(documents.again, {
      params: { id },
      body: { title: '关于考试安排的通知', co_depts: [] },
    });
    expect(again.act_state).toBe(1);
    const now = await detail(author, id);
    expect([now.title, now.round, now.state_name]).toEqual(['关于考试安排的通知', 2, '部门核稿']);
  });

  test('is saved as a draft with only its title, and changed only by its author', async () => {
    const { author, head, stranger, clerk, office: app, detail, listed } = school;
    const { id, act_state } = await author.get(documents.create, { body: { doc_kind: 1, title: '草稿' } });
    expect(act_state).toBe(0);
    for (const other of [head, stranger, clerk, app.admin])
      expect((await other.ask(documents.get, { params: { id } })).code).toBe(4004);
    expect(await listed(author, 'owner')).toContain(id);
    const { version } = await detail(author, id);
    const body = { title: '改过的草稿', version };
    expect((await author.ask(documents.update, { params: { id }, body })).code).toBe(0);
    expect((await author.ask(documents.update, { params: { id }, body })).code).toBe(4011);
    expect((await detail(author, id)).title).toBe('改过的草稿');
  });

  test('is changed during handling by its present handler, and not after the signature', async () => {
    const { author, head, clerk, write, goOn, detail } = school;
    const { id, ticket_id } = await write();
    const patch = (who: typeof author, body: object) => who.ask(documents.update, { params: { id }, body });
    expect((await patch(author, { body_html: '改' })).code).toBe(4010);
    expect((await patch(head, { body_html: '部门改过的正文。' })).code).toBe(0);
    expect((await patch(head, { title: '改标题' })).code).toBe(4000);
    await goOn(ticket_id, 15);
    expect((await detail(clerk, id)).body_sha256).toMatch(/^[0-9a-f]{64}$/);
    const locked = await patch(clerk, { body_html: '偷偷改' });
    expect([locked.code, locked.msg]).toEqual([4010, expect.stringContaining('公文已经签发，不能再修改')]);
    expect((await patch(clerk, { print_org: '办公室', print_copies: 30 })).code).toBe(0);
  });

  test('can be created only in the module of documents', async () => {
    const { author } = school;
    const flow = (await author.get(workflows.list, { query: { per_page: 100 } })).value.find(
      (one) => one.key === 'document_sending',
    )!;
    expect([flow.can_start, flow.module]).toEqual([false, 'documents']);
    const body = { workflow_id: flow.id, transition_id: 2, suggestion: '', title: '绕开公文' };
    expect((await author.ask(tickets.start, { body })).code).toBe(4004);
  });

  test('that is submitted through its ticket is checked by the same rules', async () => {
    const { author, handle } = school;
    const { ticket_id } = await author.get(documents.create, { body: { doc_kind: 1, doc_type: 8, title: '绕开' } });
    const answer = await handle(author, ticket_id, 2, { title: '绕开规则' });
    expect([answer.code, errorsOf(answer).map(([field]) => field)]).toEqual([
      4000,
      ['body_html', 'issue_org', 'main_send', 'title'],
    ]);
  });

  test('is announced to its handlers with a link to its page', async () => {
    const { head, write } = school;
    const { id, ticket_id } = await write({ title: '关于校历的通知' });
    expect((await head.get(tickets.get, { params: { id: ticket_id } })).value.record_path).toBe(
      `/document/detail/${id}`,
    );
    const { value } = await head.get(messages.unread, { query: { per_page: 20 } });
    expect(value.find((one) => one.title.includes('关于校历的通知'))?.web_path).toBe(`/document/detail/${id}`);
  });
});

describe('an incoming letter', () => {
  test('is registered with its own number, proposed, decided, handled and answered', async () => {
    const { registrar: author, clerk, main, head, handle, detail } = school;
    const answer = await author.ask(documents.create, { body: { doc_kind: 2, title: '来文', submit: true } });
    expect(errorsOf(answer)).toEqual([
      ['from_org', '请填写'],
      ['received_date', '请填写'],
    ]);
    const { id, ticket_id } = await author.get(documents.create, {
      body: { doc_kind: 2, title: '关于报送材料的通知', from_org: '教育厅', received_date: '2026-11-20', submit: true },
    });
    expect((await detail(author, id)).receipt_no).toMatch(/^收〔\d{4}〕\d+号$/);
    await handle(clerk, ticket_id, 3);
    await handle(clerk, ticket_id, 5, { leaders: [main.username], lead_dept: school.dept });
    await handle(main, ticket_id, 6);
    await handle(head, ticket_id, 8);
    expect((await handle(clerk, ticket_id, 9)).data.act_state).toBe(4);
  });
});

describe('the rules of documents', () => {
  const request = {
    doc_type: 11,
    title: '关于购置设备的请示',
    contact_name: '张三',
    contact_phone: '010-1234',
    issuer: '',
  };
  const issuer = () => school.main.username;

  test('print each addressee once, and departments and people of the house by their own names', async () => {
    const { ask, author, detail, elsewhere, stranger } = school;
    const spoofed = [
      { type: 'dept' as const, id: elsewhere, name: '省教育厅' },
      { type: 'org' as const, name: '市教育局' },
      { type: 'org' as const, name: '市教育局' },
    ];
    const copy_send = [{ type: 'user' as const, id: stranger.userId, name: '厅长' }];
    const { data } = await ask({ main_send: spoofed, copy_send });
    const doc = await detail(author, data.id);
    expect(doc.main_send.map((one) => one.name)).toEqual(['图书馆', '市教育局']);
    expect(doc.copy_send.map((one) => one.name)).toEqual(['外人']);
    const joint = await ask({ joint_orgs: ['甲大学、乙大学', '乙大学'] });
    expect((await detail(author, joint.data.id)).joint_orgs).toEqual(['甲大学', '乙大学']);
    const gone = await ask({ main_send: [{ type: 'dept', id: 999_999, name: '无此处' }] });
    expect([gone.code, gone.msg]).toEqual([4000, '主送：没有部门“无此处”，请重新选择']);
    const typed = await ask({ main_send: [{ type: 'dept', name: '省教育厅' }] });
    expect([typed.code, typed.msg]).toEqual([4000, '主送：“省教育厅”不是从部门中选定的，请重新选择']);
  });

  test('let a handler, but not the author, record an opinion that a leader wrote on paper', async () => {
    const { ask } = school;
    const said = { leader_opinion: '同意' };
    expect((await ask(said)).msg).toBe('领导批示：发文没有这一项，请删去');
    expect((await ask({ ...said, doc_kind: 3 })).msg).toBe('领导批示：由办理的人补录，起草时不填');
  });

  test('require a title to end with its type', async () => {
    expect(errorsOf(await school.ask({ title: '期末考试安排' }))).toEqual([
      ['title', '应以文种结尾，如“…关于…的通知”'],
    ]);
  });

  test('require of a request one addressee, no people, no copies to subordinates, a contact and a leading signer', async () => {
    const { ask, below, author } = school;
    const wrong = await ask({
      ...request,
      issuer: null,
      contact_name: '',
      contact_phone: '',
      main_send: [
        { type: 'org', name: '省厅' },
        { type: 'user', id: author.userId, name: '厅长' },
      ],
      copy_send: [{ type: 'dept', id: below, name: '考试中心' }],
    });
    expect(errorsOf(wrong)).toEqual([
      ['main_send', '请示只能主送一个机关，现在有 2 个'],
      ['main_send', '除领导交办外，请示不能送“张拟稿”个人，请改为主送机关'],
      ['copy_send', '请示不得抄送下级“考试中心”，请删去'],
      ['contact_name', '请示必须在附注中写明联系人'],
      ['contact_phone', '请示必须在附注中写明联系电话'],
      ['issuer', '上行文“请示”必须标注签发人'],
    ]);
    const main_send = [{ type: 'org' as const, name: '省厅' }];
    expect(errorsOf(await ask({ ...request, main_send, issuer: school.head.username }))).toEqual([
      ['issuer', '上行文由本单位主要负责人签发，请选择校领导'],
    ]);
    const right = await ask({ ...request, main_send, issuer: issuer() });
    expect(right.code).toBe(0);
    expect((await school.detail(school.author, right.data.id)).direction).toBe(1);
  });

  test('set the date of a letter to its last signature unless somebody entered one', async () => {
    const { clerk, main, write, goOn, handle, detail, office: app } = school;
    const { id, ticket_id } = await write();
    await goOn(ticket_id, 13);
    const earlier = sql`update document set sign_date = '2026-01-05', written_date = '2026-01-05' where id = ${id}`;
    await app.services.databases.write((tx) => tx.execute(earlier));
    expect((await handle(clerk, ticket_id, 14, { suggestion: '再看' })).code).toBe(0);
    expect((await handle(main, ticket_id, 11)).code).toBe(0);
    const { written_date, sign_date } = await detail(clerk, id);
    expect([written_date === sign_date, sign_date !== '2026-01-05']).toEqual([true, true]);
    const own = await write({ written_date: '2026-01-09' });
    await goOn(own.ticket_id, 13);
    expect((await detail(clerk, own.id)).written_date).toBe('2026-01-09');
  });

  test('let a report with a demand be submitted once its author confirms it', async () => {
    const report = { doc_type: 10, title: '关于工作的报告', body_html: '以上妥否，请批示。', issuer: issuer() };
    const answer = await school.ask(report);
    expect([answer.code, answer.data]).toMatchObject([4009, { can_force: true }]);
    expect((await school.ask({ ...report, force: true })).code).toBe(0);
  });

  test('let only a document that was never submitted be deleted', async () => {
    const { author, head, write, goOn, listed } = school;
    const draft = await write({ submit: false });
    expect((await head.ask(documents.remove, { params: { id: draft.id } })).code).toBe(4004);
    expect((await author.ask(documents.remove, { params: { id: draft.id } })).code).toBe(0);
    expect(await listed(author)).not.toContain(draft.id);
    const { id, ticket_id } = await write();
    expect((await author.ask(documents.remove, { params: { id } })).code).toBe(4010);
    const back = await write();
    const said = { params: { id: back.ticket_id }, body: { suggestion: '先不办' } };
    expect((await author.ask(ticketActions.retreat, said)).code).toBe(0);
    const kept = await author.ask(documents.remove, { params: { id: back.id } });
    expect([kept.code, kept.msg]).toEqual([4010, expect.stringContaining('退回和收回后不再需要的请关闭')]);
    await goOn(ticket_id);
    const answer = await author.ask(documents.remove, { params: { id } });
    expect([answer.code, answer.msg]).toEqual([4010, expect.stringContaining('已办结的请办公室作废')]);
  });

  test('let the office or a handler change the urgency with a reason, which moves the deadline and shows in the to-do', async () => {
    const { author, head, stranger, write, detail } = school;
    const { id } = await write();
    const asks = (who: typeof author, body: { level: number; reason: string }) =>
      who.ask(documents.level, { params: { id }, body });
    const before = (await detail(author, id)).due_at!;
    expect((await asks(author, { level: 2, reason: '急' })).code).toBe(4003);
    expect((await asks(stranger, { level: 2, reason: '急' })).code).toBe(4004);
    expect((await asks(head, { level: 2, reason: ' ' })).code).toBe(4000);
    const changed = await asks(head, { level: 2, reason: '上级催要' });
    expect(changed.code).toBe(0);
    expect(changed.data.due_at! < before).toBe(true);
    expect((await asks(head, { level: 2, reason: '再来' })).code).toBe(4010);
    await write({ level: 1, title: '关于抢险的通知' });
    const told = await head.get(messages.unread, { query: { search_value: '抢险' } });
    expect(told.value.map((one) => [one.title, one.level])).toEqual([['待办：关于抢险的通知', 1]]);
  });

  test('let a person be urged once in two hours by any route, and only while the document waits for them', async () => {
    const { author, head, stranger, write, goOn, clerk } = school;
    const { id, ticket_id } = await write();
    const urges = (who: typeof author) => who.ask(documents.urge, { params: { id }, body: { content: '请尽快' } });
    expect((await urges(stranger)).code).toBe(4004);
    expect((await urges(head)).code).toBe(4003);
    expect((await urges(author)).data.sent).toBe(1);
    const again = await urges(clerk);
    expect([again.code, (again.data as unknown as { retry_after: number }).retry_after > 7000]).toEqual([4029, true]);
    const byTicket = { params: { id: ticket_id }, body: { suggestion: '请尽快' } };
    for (const who of [author, clerk]) expect((await who.ask(ticketActions.urge, byTicket)).code).toBe(4010);
    await goOn(ticket_id);
    expect((await urges(author)).code).toBe(4010);
  });

  test('count in each tab as many documents as its list holds', async () => {
    const { author, head, write } = school;
    await write();
    for (const who of [author, head]) {
      const { value } = await who.get(documents.counts);
      for (const category of ['duty', 'owner', 'worked', 'cc', 'collect'] as const)
        expect([category, value[category]]).toEqual([
          category,
          (await who.get(documents.list, { query: { category, per_page: 1 } })).total,
        ]);
    }
    expect((await author.get(documents.counts)).value.owner).toBeGreaterThan(0);
  });

  test('let a bookmark be set and removed any number of times', async () => {
    const { author, write, listed } = school;
    const { id } = await write();
    const params = { id };
    for (const _ of [1, 2]) expect((await author.get(documents.collect, { params })).collected).toBe(true);
    expect(await listed(author, 'collect')).toEqual([id]);
    for (const _ of [1, 2]) expect((await author.get(documents.uncollect, { params })).collected).toBe(false);
    expect(await listed(author, 'collect')).toEqual([]);
  });
});

describe('access to a document', () => {
  test('is given to those who take part in it, and by the page’s data scope, and to nobody else', async () => {
    const { author, head, clerk, main, stranger, leader, write, listed } = school;
    const { id, ticket_id } = await write({ title: '关于金丝雀的通知' });
    for (const who of [author, head, clerk, main]) expect(await listed(who)).toContain(id);
    for (const who of [stranger, leader]) {
      expect(await listed(who)).not.toContain(id);
      expect((await who.ask(documents.get, { params: { id } })).code).toBe(4004);
      for (const call of [documents.collect, documents.update, documents.again, documents.urge, documents.remove])
        expect((await who.ask<typeof documents.urge>(call as never, { params: { id }, body: {} })).code).toBe(4004);
      expect((await who.ask(documentRecords.ticketLog, { query: { document_id: id } })).code).toBe(4004);
      expect((await who.ask(tickets.get, { params: { id: ticket_id } })).code).toBe(4004);
      const { total } = await who.get(documents.list, { query: { search_value: '金丝雀' } });
      expect(total).toBe(0);
    }
    const found = await author.get(documents.list, { query: { search_value: '金丝雀' } });
    expect(found.value.map((row) => [row.id, row.participant_info.participant_alias])).toEqual([[id, '李处长']]);
    const { value } = await main.get(documentRecords.ticketLog, { query: { document_id: id } });
    expect(value.map((row) => [row.state_name, row.status])).toEqual([
      ['拟稿', 1],
      ['部门核稿', 0],
    ]);
  });
});
