import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents } from '../contract.ts';
import { documentCategories } from '../contract/categories.ts';
import { documentSettings, numberRules } from '../contract/settings.ts';
import { openSchool, type School } from '../testing/school.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';

let school: School;
const year = Number(new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' }).slice(0, 4));
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const newRule = async (agency_code: string, more: object = {}) =>
  (await school.clerk.get(numberRules.add, { body: { agency_code, ...more } })).id!;
const reserve = (rule_id: number, more: object = {}) =>
  school.clerk.ask(documentSettings.reserve, { body: { rule_id, year, reason: '预留', ...more } });
const numberOf = async (id: number) => (await school.detail(school.clerk, id)).doc_number;
/** A signed letter that waits for its number. */
async function signed(number_rule_id: number, more: object = {}) {
  const made = await school.write({ number_rule_id, ...more });
  await school.goOn(made.ticket_id, 15);
  return made;
}
const number = (ticketId: number) => school.handle(school.clerk, ticketId, 15);

test('a reserved number is given once to the letter that asks for it, and the other letters skip it', async () => {
  const rule = await newRule('留字');
  expect((await reserve(rule)).data.number).toBe(`留字〔${year}〕1号`);
  const [first, second, third] = [await signed(rule), await signed(rule), await signed(rule)];
  await number(first!.ticket_id);
  expect(await numberOf(first!.id)).toBe(`留字〔${year}〕2号`);
  for (const { id } of [second!, third!])
    await school.clerk.get(documents.update, { params: { id }, body: { reserved_no: 1 } });
  const both = await Promise.all([number(second!.ticket_id), number(third!.ticket_id)]);
  expect(both.map((answer) => answer.code).toSorted()).toEqual([-1, 0]);
  expect(both.find((answer) => answer.code !== 0)!.msg).toBe(
    `预留的 留字〔${year}〕1号 已被使用或作废，请另选预留号，或改用下一个号`,
  );
  const { value } = await school.clerk.get(documentSettings.agencies);
  expect(value.find((one) => one.id === rule)!.reserved).toEqual([]);
});

test('a number reserved further on leaves the numbers before it available, whatever becomes of it', async () => {
  const rule = await newRule('远留字');
  await reserve(rule, { seq: 3 });
  const given = async () => {
    const { id, ticket_id } = await signed(rule);
    await number(ticket_id);
    return numberOf(id);
  };
  expect([await given(), await given(), await given()]).toEqual([1, 2, 4].map((seq) => `远留字〔${year}〕${seq}号`));
  await reserve(rule, { seq: 9 });
  const { gaps } = await school.clerk.get(documentSettings.book, { query: { rule_id: rule, year } });
  expect(gaps).toEqual([]);
  await school.clerk.get(documentSettings.voidNumber, { body: { rule_id: rule, year, seq: 9, reason: '不发了' } });
  expect(await given()).toBe(`远留字〔${year}〕5号`);
  expect((await reserve(rule, {})).data.number).toBe(`远留字〔${year}〕6号`);
});

test('a number reserved further on and already used leaves the numbers before it available too', async () => {
  const rule = await newRule('远用字');
  await reserve(rule, { seq: 3 });
  const ahead = await signed(rule);
  await school.clerk.get(documents.update, { params: { id: ahead.id }, body: { reserved_no: 3 } });
  await number(ahead.ticket_id);
  expect(await numberOf(ahead.id)).toBe(`远用字〔${year}〕3号`);
  const given: string[] = [];
  for (const letter of [await signed(rule), await signed(rule), await signed(rule)]) {
    await number(letter.ticket_id);
    given.push(await numberOf(letter.id));
  }
  expect(given).toEqual([1, 2, 4].map((seq) => `远用字〔${year}〕${seq}号`));
});

test('a letter is numbered in the year of its signature, even if the office numbers it in the next year', async () => {
  const rule = await newRule('岁字');
  const letters = [await signed(rule), await signed(rule)];
  const day = `${year - 1}-12-31`;
  for (const { id } of letters)
    await school.office.services.databases.write((tx) =>
      tx.execute(sql`update document set sign_date = ${day}, written_date = ${day} where id = ${id}`),
    );
  for (const { ticket_id } of letters) await number(ticket_id);
  expect([await numberOf(letters[0]!.id), await numberOf(letters[1]!.id)]).toEqual(
    [1, 2].map((seq) => `岁字〔${year - 1}〕${seq}号`),
  );
  const next = await signed(rule);
  await number(next.ticket_id);
  expect(await numberOf(next.id)).toBe(`岁字〔${year}〕1号`);
});

test('reserved numbers are shown only to those who keep the number book', async () => {
  const rule = await newRule('密字');
  await reserve(rule);
  const told = async (who = school.clerk) =>
    (await who.get(documentSettings.agencies)).value.find((one) => one.id === rule)!.reserved.length;
  expect([await told(), await told(school.author)]).toEqual([1, 0]);
  const refused = await school.author.ask(documentSettings.reserve, { body: { rule_id: rule, year, reason: '我要' } });
  expect(refused.code).toBe(4003);
});

test('a paper issued elsewhere is entered with its title and a reason, never under an existing number', async () => {
  const rule = await newRule('补字');
  const entered = { seq: 3, title: '关于停电的通知', reason: '系统停用期间手工印发' };
  expect((await reserve(rule, entered)).data.number).toBe(`补字〔${year}〕3号`);
  expect((await reserve(rule, entered)).msg).toBe(`补字〔${year}〕3号 已在字号簿里，请换一个序号`);
  expect((await reserve(rule, { seq: 999_999 })).msg).toContain(`下一个号是 补字〔${year}〕4号`);
  expect((await reserve(rule, { reason: '' })).code).toBe(4000);
  const { value, gaps } = await school.clerk.get(documentSettings.book, { query: { rule_id: rule, year } });
  expect(value).toMatchObject([
    { state_name: '已补登', document_title: '关于停电的通知', made_by: '党政办', reason: '系统停用期间手工印发' },
  ]);
  expect(gaps).toEqual([`补字〔${year}〕1号`, `补字〔${year}〕2号`]);
  const letter = await signed(rule);
  await number(letter.ticket_id);
  expect(await numberOf(letter.id)).toBe(`补字〔${year}〕4号`);
  const after = await signed(rule);
  await number(after.ticket_id);
  const { value: book } = await school.clerk.get(documentSettings.book, { query: { rule_id: rule, year } });
  const reasons = new Map(book.map((row) => [row.seq, row.reason]));
  expect(reasons.get(4), 'it says what it follows').toBe(`接在补登的 补字〔${year}〕3号 之后`);
  expect(reasons.get(5)).toBe('');
});

test('an order is numbered 第 n 号 across years, is signed by the head of the house, and has no addressee', async () => {
  const rule = await newRule('校令', { style: 2 });
  expect((await reserve(rule, { year: year - 1, title: '旧令', reason: '补登' })).data.number).toBe('第1号');
  const order = { doc_type: 3, title: '某某大学令', main_send: [], number_rule_id: rule };
  const nobody = await school.ask(order);
  expect(nobody.msg).toContain('命令（令）必须标注签发人');
  const { id, ticket_id } = await school.write({ ...order, issuer: school.main.username });
  await school.goOn(ticket_id, 15);
  await number(ticket_id);
  expect(await numberOf(id)).toBe('第2号');
});

test('a disabled numbering rule gives no number and says so', async () => {
  const rule = await newRule('停字');
  const letter = await signed(rule);
  const { id: category_id } = await school.clerk.get(documentCategories.add, {
    body: { doc_kind: 1, name: '停用代字的类别', code: 'TY', number_rule_id: rule },
  });
  await school.clerk.get(numberRules.change, { params: { id: rule }, body: { status: 0 } });
  expect((await number(letter.ticket_id)).msg).toBe('机关代字“停字”已停用，请在公文里改选');
  expect((await reserve(rule)).msg).toBe('机关代字“停字”已停用，请在公文里改选');
  const { id } = await school.write({ category_id: category_id!, number_rule_id: undefined });
  expect((await school.detail(school.author, id)).number_rule_id).toBeNull();
  expect((await reserve(await newRule('远字'), { year: year + 2 })).msg).toContain('年还早');
});

test('one agency has one numbering rule, whatever the width of its letters', async () => {
  await newRule('ABC办');
  expect((await school.clerk.ask(numberRules.add, { body: { agency_code: 'ＡＢＣ办' } })).code).not.toBe(0);
});

test('a voided number keeps the reason that the office gave', async () => {
  const rule = await newRule('废字');
  const letter = await signed(rule);
  for (const step of [15, 16, 17]) await school.handle(school.clerk, letter.ticket_id, step);
  const revoke = { params: { id: letter.ticket_id }, body: { suggestion: '附件有误，另行印发' } };
  await school.clerk.get(ticketActions.revoke, revoke);
  const { value } = await school.clerk.get(documentSettings.book, { query: { rule_id: rule, year } });
  expect(value[0]!.reason).toBe('公文已作废：附件有误，另行印发');
});
