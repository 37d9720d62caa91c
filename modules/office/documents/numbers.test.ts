import { afterAll, beforeAll, expect, test } from 'vitest';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { documents } from './contract.ts';
import { documentCategories } from './contract/categories.ts';
import { documentSettings, numberRules } from './contract/settings.ts';
import { openSchool, type School } from './testing/school.ts';

const parallel = 50;
const year = new Date().getFullYear();
let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

/** Moves a letter to the state in which numbers are given. */
async function toNumber(rule: number): Promise<{ id: number; ticket_id: number }> {
  const made = await school.write({ number_rule_id: rule });
  await school.goOn(made.ticket_id, 15);
  return made;
}
const newRule = async (agency_code: string, start_no = 1) =>
  (await school.clerk.get(numberRules.add, { body: { agency_code, start_no } })).id!;
const book = (rule_id: number) =>
  school.clerk.get(documentSettings.book, { query: { rule_id, year, per_page: 100, order_by: 'seq' } });

test(
  `${parallel} documents numbered at once get ${parallel} consecutive numbers, each once`,
  { timeout: 300_000 },
  async () => {
    const rule = await newRule('校办发', 7);
    const waiting: { ticket_id: number }[] = [];
    while (waiting.length < parallel)
      waiting.push(...(await Promise.all(Array.from({ length: parallel / 10 }, () => toNumber(rule)))));
    const answers = await Promise.all(waiting.map((one) => school.handle(school.clerk, one.ticket_id, 15)));
    expect(answers.map((answer) => answer.code)).toEqual(Array.from({ length: parallel }, () => 0));
    const { value, gaps } = await book(rule);
    expect(value.map((row) => row.seq)).toEqual(Array.from({ length: parallel }, (_, index) => index + 7));
    expect(gaps).toEqual([]);
  },
);

test('one letter numbered by two people at once gets one number, and the second person is told who was first', async () => {
  const { write, goOn, handle, hire, clerk, detail, rule } = school;
  const other = await hire('陈秘书', { roles: ['office_admin'] });
  const { id, ticket_id } = await write();
  await goOn(ticket_id, 15);
  const answers = await Promise.all([handle(clerk, ticket_id, 15), handle(other, ticket_id, 15)]);
  expect(answers.map((one) => one.code).filter((code) => code === 0)).toHaveLength(1);
  const { doc_number } = await detail(clerk, id);
  const { value } = await clerk.get(documentSettings.book, { query: { rule_id: rule, per_page: 100 } });
  expect(value.filter((one) => one.document_id === id).map((one) => one.number)).toEqual([doc_number]);
});

test('a number is given after the signature only, and by a rule that was chosen', async () => {
  const { id, ticket_id } = await school.write({ number_rule_id: null });
  await school.goOn(ticket_id, 15);
  const refused = await school.handle(school.clerk, ticket_id, 15);
  expect([refused.code, refused.msg]).toEqual([-1, '公文没有选定机关代字，请先在公文里选择再登记编号']);
  await school.clerk.get(documents.update, { params: { id }, body: { number_rule_id: await newRule('教字') } });
  await school.clerk.get(tickets.handle, { params: { id: ticket_id }, body: { transition_id: 15, suggestion: '' } });
  expect((await school.detail(school.clerk, id)).doc_number).toBe(`教字〔${year}〕1号`);
});

test('a numbered letter keeps its agency code and the number reserved for it', async () => {
  const { clerk, handle, detail, rule } = school;
  const { id, ticket_id } = await toNumber(rule);
  await handle(clerk, ticket_id, 15);
  const { doc_number } = await detail(clerk, id);
  const change = (body: object) => clerk.ask(documents.update, { params: { id }, body });
  const other = await newRule('另字');
  for (const body of [{ number_rule_id: other }, { number_rule_id: null }, { reserved_no: 777 }]) {
    const refused = await change(body);
    expect([refused.code, refused.msg]).toEqual([
      4010,
      expect.stringMatching(`^公文已经编为“${doc_number}”，机关代字和预留号不再修改`),
    ]);
  }
  expect((await change({ number_rule_id: rule, redhead_id: null })).code).toBe(0);
  const { number_rule_id, reserved_no } = await detail(clerk, id);
  expect([number_rule_id, reserved_no]).toEqual([rule, null]);
});

test('the agency code of a letter is chosen from the enabled ones, by its author and by the numbering office', async () => {
  const { author, clerk, write, goOn, handle, detail, rule } = school;
  const gone = await newRule('停用字');
  await clerk.get(numberRules.change, {
    params: { id: gone },
    body: { agency_code: '停用字', start_no: 1, status: 0 },
  });
  const offered = async (who: typeof author) =>
    (await who.get(documentSettings.agencies)).value.map((one) => one.agency_code);
  for (const who of [author, clerk]) {
    expect(await offered(who)).toContain('校发');
    expect(await offered(who)).not.toContain('停用字');
  }
  const { id, ticket_id } = await write({ number_rule_id: null });
  await goOn(ticket_id, 15);
  const choose = (number_rule_id: number) => clerk.ask(documents.update, { params: { id }, body: { number_rule_id } });
  expect((await choose(gone)).code).toBe(4000);
  expect((await choose(rule)).code).toBe(0);
  expect((await handle(clerk, ticket_id, 15)).code).toBe(0);
  expect((await detail(author, id)).doc_number).toMatch(/^校发〔/);
});

test('a number is voided with a reason once its document is void or closed, and is never reused', async () => {
  const { clerk, author, handle, detail } = school;
  const rule_id = await newRule('党字');
  const { id, ticket_id } = await toNumber(rule_id);
  await handle(clerk, ticket_id, 15);
  const voids = (seq: number, reason = '发错') =>
    clerk.ask(documentSettings.voidNumber, { body: { rule_id, year, seq, reason } });
  expect((await voids(1, ' ')).code).toBe(4000);
  expect((await voids(1)).msg).toBe(
    `党字〔${year}〕1号 正由《关于期末考试安排的通知》使用，公文作废之后才能作废这个号`,
  );
  expect((await voids(2)).msg).toBe(`党字〔${year}〕2号 还没有编到，不能作废`);
  expect((await author.ask(documentSettings.voidNumber, { body: { rule_id, year, seq: 1, reason: 'x' } })).code).toBe(
    4003,
  );
  const body = { suggestion: '不再发文' };
  expect((await clerk.ask(ticketActions.close, { params: { id: ticket_id }, body })).code).toBe(0);
  expect((await detail(clerk, id)).act_state).toBe(5);
  expect((await voids(1)).code).toBe(0);
  expect((await voids(1)).msg).toBe(`党字〔${year}〕1号 已经作废`);
  const next = await toNumber(rule_id);
  await handle(clerk, next.ticket_id, 15);
  expect((await detail(clerk, next.id)).doc_number).toBe(`党字〔${year}〕2号`);
  expect((await book(rule_id)).value.map((row) => [row.seq, row.state_name])).toEqual([
    [1, '已作废'],
    [2, '已使用'],
  ]);
  const params = { id: next.ticket_id };
  for (const way of [16, 17]) await handle(clerk, next.ticket_id, way);
  expect((await author.ask(ticketActions.applyFinish, { params, body })).code).toBe(0);
  await handle(clerk, next.ticket_id, 18);
  expect((await detail(clerk, next.id)).act_state).toBe(5);
  expect((await voids(2)).msg).toBe(
    `党字〔${year}〕2号 正由《关于期末考试安排的通知》使用，公文作废之后才能作废这个号`,
  );
});

test('a numbering rule that gave a number keeps its name and cannot be deleted', async () => {
  const rule_id = await newRule('函字');
  const { ticket_id } = await toNumber(rule_id);
  await school.handle(school.clerk, ticket_id, 15);
  const params = { id: rule_id };
  const body = { agency_code: '改字', start_no: 1 };
  expect((await school.clerk.ask(numberRules.change, { params, body })).msg).toContain('已经编过号');
  expect((await school.clerk.ask(numberRules.remove, { params })).msg).toContain('已经用过 1 个号');
  expect((await school.clerk.ask(numberRules.add, { body: { agency_code: '函字' } })).msg).toBe(
    '机关代字“函字”已经有了，请换一个',
  );
});

test('an agency code has no brackets, and two codes may not differ only in width, spaces or case', async () => {
  await newRule('教函A');
  const add = (agency_code: string) => school.clerk.ask(numberRules.add, { body: { agency_code } });
  for (const [open, close] of [
    '()',
    '（）',
    '[]',
    '［］',
    '【】',
    '〔〕',
    '﹝﹞',
    '〖〗',
    '{}',
    '｛｝',
    '<>',
    '〈〉',
    '《》',
    '「」',
    '❲❳',
  ])
    expect((await add(`教函${open}A${close}`)).msg).toContain('不要带年份、“第”字和括号');
  for (const agency_code of ['教函Ａ', '教 函 a', '教函　Ａ'])
    expect((await add(agency_code)).msg).toBe(`机关代字“${agency_code}”已经有了，请换一个`);
  expect((await add('教函B')).code).toBe(0);
});

test('a category names its workflow and numbering rule, and cannot be deleted while something is in it', async () => {
  const { clerk, author, rule } = school;
  const body = { name: '教学通知', code: 'JX', doc_kind: 1 as const, number_rule_id: rule };
  const { id } = await clerk.get(documentCategories.add, { body });
  expect((await clerk.ask(documentCategories.add, { body })).msg).toBe('公文类别编码“JX”已被使用，请换一个');
  expect((await author.ask(documentCategories.add, { body })).code).toBe(4003);
  const made = await school.write({ category_id: id!, number_rule_id: undefined });
  const seen = await school.detail(author, made.id);
  expect([seen.category_name, seen.number_rule_id]).toEqual(['教学通知', rule]);
  expect((await clerk.ask(documentCategories.remove, { params: { id: id! } })).msg).toContain(
    '下还有 1 份公文，请先移走后再删除；不再使用的可以停用',
  );
  expect((await clerk.ask(documents.create, { body: { doc_kind: 2, title: '来文', category_id: id! } })).code).toBe(
    4000,
  );
  const params = { id: id! };
  expect((await clerk.ask(documentCategories.change, { params, body: { ...body, parent: id! } })).code).toBe(-1);
  await clerk.get(documentCategories.change, { params, body: { ...body, status: 0 } });
  const shown = async (who: typeof author) =>
    (await who.get(documentCategories.list)).flatMap((row) => (row.code === 'JX' ? row.agency_code : []));
  expect([await shown(author), await shown(clerk)]).toEqual([[], ['校发']]);
});

test('of two categories moved below each other at once one is refused, and none is moved below one being deleted', async () => {
  const { clerk } = school;
  const input = (code: string, parent: number | null) => ({ name: code, code, doc_kind: 1 as const, parent });
  const add = async (code: string) => (await clerk.get(documentCategories.add, { body: input(code, null) })).id!;
  const put = (id: number, code: string, parent: number | null) =>
    clerk.ask(documentCategories.change, { params: { id }, body: input(code, parent) });
  const [one, two] = [await add('甲甲'), await add('乙乙')];
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([put(one, '甲甲', two), put(two, '乙乙', one)]);
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([-1, 0]);
    for (const [id, code] of [
      [one, '甲甲'],
      [two, '乙乙'],
    ] as const)
      expect((await put(id, code, null)).code).toBe(0);
  }
  for (let round = 0; round < 5; round++) {
    const goes = await add(`丙${round}`);
    const remove = clerk.ask(documentCategories.remove, { params: { id: goes } });
    const answers = await Promise.all([put(one, '甲甲', goes), remove]);
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await put(one, '甲甲', null)).code).toBe(0);
  }
});

test('categories form one tree for each kind of document, are sorted by dragging, and stay within their kind', async () => {
  const { clerk, author } = school;
  const add = async (code: string, doc_kind: 1 | 2 = 1) =>
    (await clerk.get(documentCategories.add, { body: { name: code, code, doc_kind } })).id!;
  const [one, two, three] = [await add('T1'), await add('T2'), await add('T3')];
  const other = await add('T4', 2);
  const move = (id: number, body: object) => clerk.ask(documentCategories.move, { params: { id }, body });
  expect((await move(three, { before: one })).code).toBe(0);
  expect((await move(two, { parent: one })).code).toBe(0);
  const read = async () =>
    (await author.get(documentCategories.list, { query: { doc_kind: 1 } })).filter((row) => row.code.startsWith('T'));
  expect((await read()).map((row) => [row.code, row.children.map((child) => child.code)])).toEqual([
    ['T3', []],
    ['T1', ['T2']],
  ]);
  expect((await move(other, { parent: one })).msg).toBe('上级类别：上级类别不是同一种公文，请重新选择');
  expect((await move(one, { parent: two })).msg).toBe('“T2”是本公文类别或在本公文类别之下，不能作为上级公文类别');
  expect((await author.ask(documentCategories.move, { params: { id: one }, body: {} })).code).toBe(4003);
  const kind = await clerk.ask(documentCategories.change, { params: { id: one }, body: { doc_kind: 2 } });
  expect(kind.msg).toBe('公文类型：下级类别不是同一种公文，请先移走下级类别');
  expect((await clerk.ask(documentCategories.remove, { params: { id: one } })).msg).toContain('还有 1 个公文类别');
});
