import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { documents } from './contract.ts';
import { documentLayout } from './contract/layout.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
let request: Parameters<School['ask']>[0] & object;
let report: typeof request;
beforeAll(async () => {
  school = await openSchool();
  const { issuer } = school;
  const contact = { contact_name: '张三', contact_phone: '010-1234' };
  const main_send = [{ type: 'org' as const, name: '省厅' }];
  request = { doc_type: 11, title: '关于购置设备的请示', issuer, main_send, ...contact };
  report = { doc_type: 10, title: '关于工作的报告', issuer, main_send, body_html: '以上妥否，请批示。' };
}, 180_000);
afterAll(() => school.office.close());

const errorsOf = (answer: { data: unknown }) =>
  (answer.data as { errors?: { field: string; msg: string }[] } | null)?.errors?.map((one) => [one.field, one.msg]) ??
  [];
const patch = (who: Client, id: number, body: object) => who.ask(documents.update, { params: { id }, body });
const named = (name: string, type: 'org' | 'dept' = 'org', id?: number) => ({ type, name, ...(id ? { id } : {}) });

describe('the addressee of a request', () => {
  test('is not a subordinate, whether given by number, by name or as a department of the house', async () => {
    const { ask, below, dept, elsewhere } = school;
    const lower = (name: string) => ['main_send', `请示不能主送下级“${name}”，请改为主送上级机关`];
    for (const party of [named('考试中心', 'dept', below), named('考试中心'), named('教务处考试中心')])
      expect(errorsOf(await ask({ ...request, issue_org: '教务处', main_send: [party] }))).toEqual([lower(party.name)]);
    for (const party of [named('图书馆', 'dept', elsewhere), named('教务处', 'dept', dept), named('某某大学图书馆')])
      expect(errorsOf(await ask({ ...request, main_send: [party] }))).toEqual([lower(party.name)]);
    expect(errorsOf(await ask({ ...request, copy_send: [named('图书馆')] }))).toEqual([
      ['copy_send', '请示不得抄送下级“图书馆”，请删去'],
    ]);
    const sideways = { ...request, issue_org: '教务处', main_send: [named('图书馆', 'dept', elsewhere)] };
    expect((await ask(sideways)).code).toBe(0);
    expect((await ask({ ...request, main_send: [named('省教育厅图书馆')] })).code).toBe(0);
  });

  test('is a single one, even if several are typed into one name', async () => {
    const { ask } = school;
    for (const name of ['省厅、市局', '省厅，市局'])
      expect(errorsOf(await ask({ ...request, main_send: [named(name)] }))).toEqual([
        ['main_send', '请示只能主送一个机关，现在有 2 个'],
      ]);
    for (const name of ['各学院', '省教育厅 省财政厅', '省教育厅/省财政厅', '省教育厅和省财政厅'])
      expect(errorsOf(await ask({ ...request, main_send: [named(name)] }))).toEqual([
        ['main_send', `请示只能主送一个机关，“${name}”不止一个`],
      ]);
  });

  test('is checked again when the request is submitted later or edited by a handler', async () => {
    const { author, head, handle, write, elsewhere } = school;
    const main_send = [named('图书馆', 'dept', elsewhere)];
    const lower = [['main_send', '请示不能主送下级“图书馆”，请改为主送上级机关']];
    const draft = await write({ ...request, main_send, submit: false });
    expect(errorsOf(await handle(author, draft.ticket_id, 2))).toEqual(lower);
    const going = await write(request);
    expect(errorsOf(await patch(head, going.id, { main_send }))).toEqual(lower);
  });
});

test('a letter with a character that no font has is not submitted, and its author is told where it stands', async () => {
  const { ask, author, handle, write } = school;
  const unknown = '\u{3FFFD}';
  const written = {
    doc_type: 8,
    title: `关于聘任${unknown}某的通知`,
    main_send: [named('各学院'), named(`${unknown}研究所`)],
    body_html: '<p>聘任𠮷田先生。</p>',
  };
  const told = errorsOf(await ask(written));
  expect(told.map(([field]) => field)).toEqual(['title', 'main_send']);
  for (const [, msg] of told) expect(msg).toContain(`“${unknown}”没有可用的字体`);
  const draft = await write({ ...written, submit: false });
  const { value } = await author.get(documentLayout.check, { params: { id: draft.id } });
  expect(value.filter((one) => one.code === 'no_face').map((one) => one.place)).toEqual(['标题', '主送第 2 项']);
  expect(errorsOf(await handle(author, draft.ticket_id, 2)).map(([field]) => field)).toEqual(['title', 'main_send']);
  expect((await ask({ ...written, title: '关于聘任的通知', main_send: [named('各学院')] })).code).toBe(0);
});

test('public kinds of document and minutes need no addressee, but a notice does', async () => {
  const { ask, issuer } = school;
  const missing = async (doc_type: number, title: string) =>
    errorsOf(await ask({ doc_type, title, issuer, main_send: [] })).filter(([field]) => field === 'main_send');
  const told = { 1: '决议', 3: '令', 4: '公报', 5: '公告', 6: '通告', 15: '纪要' };
  for (const [type, word] of Object.entries(told))
    expect(await missing(Number(type), `某某大学关于校庆的${word}`), word).toEqual([]);
  expect(await missing(8, '关于校庆的通知')).toEqual([['main_send', '请填写']]);
});

describe('a report that contains a demand', () => {
  const asked = { code: 4009, data: { conflicts: ['妥否'], can_force: true } };

  test('and was saved as a draft is submitted only after its author confirmed the demand', async () => {
    const { author, handle, write } = school;
    const draft = await write({ ...report, submit: false });
    expect(await handle(author, draft.ticket_id, 2)).toMatchObject(asked);
    expect(await patch(author, draft.id, { summary: '摘要' })).toMatchObject(asked);
    expect((await patch(author, draft.id, { summary: '摘要', force: true })).code).toBe(0);
    expect((await handle(author, draft.ticket_id, 2)).code).toBe(0);
  });

  test('asks again when a handler adds another demand, but not about a confirmed one', async () => {
    const { author, head, write, goOn, handle, main } = school;
    const { id, ticket_id } = await write({ ...report, body_html: '现将工作报告如下。' });
    expect(await patch(head, id, { body_html: '以上妥否，请领导定。' })).toMatchObject(asked);
    expect((await patch(head, id, { body_html: '以上妥否，请领导定。', force: true })).code).toBe(0);
    expect((await patch(head, id, { body_html: '妥否均请领导定。' })).code).toBe(0);
    expect(await patch(head, id, { body_html: '妥否，请批复。' })).toMatchObject({ code: 4009 });
    await goOn(ticket_id, 11);
    expect((await handle(main, ticket_id, 11)).code).toBe(0);
    expect((await author.ask(documents.get, { params: { id } })).code).toBe(0);
  });
});

test('an opinion letter to the house’s own departments goes down, and one to a higher authority goes up and needs a signer', async () => {
  const { ask, author, detail, elsewhere } = school;
  const opinion = { doc_type: 7, title: '关于改进考务工作的意见' };
  for (const party of [named('图书馆', 'dept', elsewhere), named('图书馆'), named('各学院、各部门')]) {
    const answer = await ask({ ...opinion, main_send: [party] });
    expect([party.name, answer.code]).toEqual([party.name, 0]);
    expect((await detail(author, answer.data.id)).direction).toBe(3);
  }
  const upward = await ask({ ...opinion, main_send: [named('省厅')] });
  expect(errorsOf(upward)).toEqual([['issuer', '上行文“意见”必须标注签发人']]);
});

describe('the reply deadline of an incoming letter', () => {
  const letter = { doc_kind: 2 as const, title: '关于报送材料的通知', from_org: '教育厅', received_date: '2026-11-20' };

  test('is stored, shown from the draft on, and unaffected by changes of urgency', async () => {
    const { registrar: author, clerk, detail, handle } = school;
    const body = { ...letter, due_at: '2026-12-01 17:00' };
    const { id, ticket_id } = await author.get(documents.create, { body });
    const due = async () => (await detail(author, id)).due_at?.slice(0, 16);
    expect(await due()).toBe('2026-12-01 17:00');
    expect((await handle(author, ticket_id, 2)).code).toBe(0);
    expect(await due()).toBe('2026-12-01 17:00');
    const level = { params: { id }, body: { level: 2, reason: '上级催要' } };
    expect((await clerk.ask(documents.level, level)).data.due_at?.slice(0, 16)).toBe('2026-12-01 17:00');
    await handle(clerk, ticket_id, 4, { suggestion: '未盖章' });
    expect(await due()).toBe('2026-12-01 17:00');
    const again = { params: { id }, body: { due_at: null } };
    expect((await author.ask(documents.again, again)).code).toBe(0);
    expect(await due()).not.toBe('2026-12-01 17:00');
  });

  test('is not before its receipt, and other kinds of document have none', async () => {
    const { registrar: author, ask } = school;
    const early = await author.ask(documents.create, { body: { ...letter, due_at: '2026-11-19 17:00' } });
    expect(errorsOf(early)).toEqual([['due_at', '不能早于收文日期 2026-11-20']]);
    expect(errorsOf(await ask({ due_at: '2026-12-01 17:00' }))).toEqual([
      ['due_at', '只有收文填写办理时限，其他公文按紧急程度计算'],
    ]);
  });
});
