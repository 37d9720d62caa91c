import { afterAll, expect, test } from 'vitest';
import { dayAfter, dayOf, daysLater } from '#kernel/contract/moment.ts';
import { notWithAuthor } from '#modules/workflow/records/contract.ts';
import { absent, forbidden } from '#kernel/contract/refusal.ts';
import { nounInUse } from '#kernel/contract/noun.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import {
  daysWrong,
  keyCalls,
  keyGone,
  keyOut,
  keyStatistics,
  loanCalls,
  loanStatus,
  notKeeper,
  notNow,
  numberTaken,
  stillOut,
} from './contract.ts';
import { remindOfKeys } from './reminders.ts';

const school = await openSchool();
const { office: app, staff, colleague, librarian, clerk, stranger, approve } = school;
afterAll(() => app.close());

const today = dayOf(new Date());
/** The number of keys so far: each test has keys of its own. */
let keys = 0;
/** Adds a key that somebody keeps. */
async function addKey(keeper: Client = librarian) {
  const row = { number: `T${++keys}`, place: `图书馆 ${keys} 室` };
  const { id } = await clerk.get(keyCalls.add, { body: { ...row, keeper: keeper.userId } });
  return { id: id!, title: `${row.number} ${row.place}`, ...row };
}
/** Asks for a key until tomorrow; `body` says what differs. */
const ask = (who: Client, key_id: number, body: object = {}) =>
  who.ask(loanCalls.create, {
    body: { key_id, start_date: today, due_date: dayAfter(today, 1), reason: '布置考场', submit: true, ...body },
  });
/** An approved loan of a key. */
async function lend(who: Client, key_id: number) {
  const { data } = await ask(who, key_id);
  await approve(data.ticket_id);
  return data.id!;
}
const loan = async (who: Client, id: number) => (await who.get(loanCalls.get, { params: { id } })).value;
const take = (who: Client, id: number) => who.ask(loanCalls.take, { params: { id } });
const giveBack = (who: Client, id: number) => who.ask(loanCalls.giveBack, { params: { id } });
const write = (text: string, values: unknown[]) => app.services.databases.pool.query(text, values);
/** Moves the days of a loan into the past, as if it had begun then. */
const began = (id: number, days: number, due: number) =>
  write('update key_loan set start_date = current_date - $2::int, due_date = current_date - $3::int where id = $1', [
    id,
    days,
    due,
  ]);
/** Titles of somebody's messages about a loan. */
const heard = async (who: Client, id: number) =>
  (await who.get(messages.read, { query: { all: true, per_page: 100 } })).value
    .filter(({ web_path }) => web_path === `/key/loan/${id}`)
    .map(({ title }) => title);

test('a loan waits for the keeper of the key, who agrees, hands the key out and takes it back; the borrower is told', async () => {
  const key = await addKey();
  const { data } = await ask(staff, key.id);
  const id = data.id!;
  expect(await loan(librarian, id)).toMatchObject({
    title: key.title,
    state_name: '保管人审批',
    actions: expect.any(Array),
  });
  expect((await loan(staff, id)).participant_info.participant_alias).toBe('周馆长');
  expect(await take(librarian, id)).toRefuse(notNow, key.title, '待审', '登记领出');
  await approve(data.ticket_id);
  expect(await loan(librarian, id)).toMatchObject({ act_state: actState.finished, status: loanStatus.waiting });
  expect((await loan(librarian, id)).actions).toContain('take');
  expect((await loan(staff, id)).actions).not.toContain('take');
  expect(await take(staff, id)).toRefuse(notKeeper, key.title, '周馆长');
  expect((await take(librarian, id)).code).toBe(0);
  expect(await loan(staff, id)).toMatchObject({ status: loanStatus.out, returned_at: null });
  expect((await keyOf(key.number)).borrower_info).toMatchObject({ alias: '张三' });
  expect(await take(librarian, id)).toRefuse(notNow, key.title, '已领出', '登记领出');
  expect((await giveBack(librarian, id)).code).toBe(0);
  expect(await loan(staff, id)).toMatchObject({ status: loanStatus.back, overdue: false });
  expect((await keyOf(key.number)).borrower_info).toBeNull();
  expect(await heard(staff, id)).toEqual(
    expect.arrayContaining([`钥匙已领出：${key.title}`, `钥匙已归还：${key.title}`]),
  );
});
const keyOf = async (number: string) =>
  (await staff.get(keyCalls.list, { query: { search_value: number } })).value.find((row) => row.number === number)!;

test('a key that is out is not handed out again, to nobody and at no time, and the database refuses it too', async () => {
  const key = await addKey();
  const [first, second] = [await lend(staff, key.id), await lend(colleague, key.id)];
  const answers = await Promise.all([take(librarian, first), take(librarian, second)]);
  expect(answers.map(({ code }) => code).filter((code) => code === 0)).toHaveLength(1);
  const [out, waiting, borrower] = answers[0].code === 0 ? [first, second, '张三'] : [second, first, '孙八'];
  expect(await take(librarian, waiting)).toRefuse(keyOut, key.title, borrower, dayAfter(today, 1));
  await expect(write('update key_loan set taken_at = now() where id = $1', [waiting])).rejects.toThrow('key_loan_out');
  await giveBack(librarian, out);
  expect((await take(librarian, waiting)).code).toBe(0);
});

test('a loan whose key is out is neither revoked nor reopened, and can be once the key is back', async () => {
  const key = await addKey();
  const id = await lend(staff, key.id);
  await take(librarian, id);
  const { ticket_id } = await loan(staff, id);
  const revoke = () =>
    app.admin.ask(ticketActions.revoke, { params: { id: ticket_id }, body: { suggestion: '不借了' } });
  expect(await revoke()).toRefuse(stillOut, key.title);
  await giveBack(librarian, id);
  expect((await revoke()).code).toBe(0);
});

test('a loan names an existing key, ends after it begins, and is not sent when its last day has passed', async () => {
  const key = await addKey();
  const dates = { start_date: today, due_date: dayAfter(today, -1) };
  expect(await ask(staff, key.id, dates)).toRefuse(daysWrong, today, dates.due_date);
  expect(await ask(staff, 999_999)).toRefuse(keyGone);
  const draft = await ask(staff, key.id, {
    start_date: dayAfter(today, -3),
    due_date: dayAfter(today, -1),
    submit: false,
  });
  const sent = await staff.ask(loanCalls.again, { params: { id: draft.data.id! }, body: { submit: true } });
  expect(sent.msg).toContain(`应还日期 ${dayAfter(today, -1)} 已经过去`);
  expect(
    (await staff.ask(loanCalls.again, { params: { id: draft.data.id! }, body: { due_date: today, submit: true } }))
      .code,
  ).toBe(0);
  expect(await staff.ask(loanCalls.update, { params: { id: draft.data.id! }, body: { reason: '改' } })).toRefuse(
    notWithAuthor,
    '钥匙借用',
    '待审',
    '修改',
  );
});

test('a key with a loan under way is not deleted, its number is not used twice, and a draft can be deleted', async () => {
  const [key, other] = [await addKey(), await addKey()];
  const { data } = await ask(staff, key.id, { submit: false });
  const remove = () => clerk.ask(keyCalls.remove, { params: { id: key.id } });
  expect(await remove()).toRefuse(nounInUse, key.title, ['1 次未结束的借用']);
  expect((await staff.ask(loanCalls.remove, { params: { id: data.id! } })).code).toBe(0);
  const renamed = await clerk.ask(keyCalls.change, { params: { id: other.id }, body: { number: key.number } });
  expect(renamed).toRefuse(numberTaken, key.number);
  expect((await remove()).code).toBe(0);
  const foreign = { number: 'X', place: '库房', keeper: staff.userId };
  expect(await staff.ask(keyCalls.add, { body: foreign })).toRefuse(forbidden, '新增钥匙');
});

test('a loan is seen by its borrower and the keeper, and by nobody else without a wider scope: page, list, export and figures', async () => {
  const key = await addKey();
  const id = await lend(staff, key.id);
  await take(librarian, id);
  const listed = async (who: Client) =>
    (await who.get(loanCalls.list, { query: { key_id: key.id, status: loanStatus.out } })).value.map((row) => row.id);
  for (const who of [staff, librarian, clerk]) expect(await listed(who)).toEqual([id]);
  expect(await listed(stranger)).toEqual([]);
  expect(await stranger.ask(loanCalls.get, { params: { id } })).toRefuse(absent, '钥匙借用');
  const counted = await school.hire('另一处负责人', { dept: school.elsewhere, roles: ['dept_fzr'] });
  const figures = async (who: Client) => {
    const { value } = await who.get(keyStatistics.call, {});
    return 'by_key' in value ? value.by_key.filter(({ key: of }) => of === String(key.id)) : [];
  };
  expect(await figures(clerk)).toMatchObject([{ name: key.title, loans: 1, out: 1, overdue: 0 }]);
  expect(await figures(counted)).toEqual([]);
});

test('a key that is not back in time is reminded of once a day, to the borrower and the keeper, and counted as overdue', async () => {
  const key = await addKey();
  const id = await lend(staff, key.id);
  await take(librarian, id);
  await began(id, 5, 2);
  const remind = (days: number) => app.services.databases.write((tx) => remindOfKeys(tx, daysLater(new Date(), days)));
  const reminders = async (who: Client) =>
    (await heard(who, id)).filter((title) => title === `钥匙逾期未还：${key.title}`).length;
  await remind(0);
  await remind(0);
  expect([await reminders(staff), await reminders(librarian)]).toEqual([1, 1]);
  await remind(1);
  expect([await reminders(staff), await reminders(librarian)]).toEqual([2, 2]);
  const late = await clerk.get(loanCalls.list, { query: { key_id: key.id, overdue: true } });
  expect(late.value.map((row) => [row.id, row.overdue])).toEqual([[id, true]]);
  const { value } = await clerk.get(keyStatistics.call, { query: { dim: 'key' } });
  expect(Array.isArray(value) && value.find(({ key: of }) => of === String(key.id))).toMatchObject({ overdue: 1 });
  await giveBack(librarian, id);
  await remind(2);
  expect(await reminders(staff)).toBe(2);
  expect((await loan(staff, id)).overdue).toBe(true);
});
