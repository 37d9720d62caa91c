import { afterAll, expect, test } from 'vitest';
import type { CodeOf } from '#kernel/contract/codes.ts';
import { dayAfter, dayOf, daysLater, momentText } from '#kernel/contract/moment.ts';
import { notWithAuthor } from '#modules/workflow/records/contract.ts';
import { absent, forbidden, notOverAll } from '#kernel/contract/refusal.ts';
import { nounInUse } from '#kernel/contract/noun.ts';
import { links } from '#modules/platform/links/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { dataScope } from '#modules/platform/access/contract/roles.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import {
  daysWrong,
  keeperAsked,
  keyCalls,
  keyGone,
  keyOut,
  keyState,
  keyStatistics,
  lentAlready,
  loanCalls,
  loanOver,
  loanStatus,
  notCalledOff,
  notHandedOn,
  notKeeper,
  notNow,
  numberTaken,
  stillOut,
  tooEarly,
  tooLate,
} from './contract.ts';
import { remindOfKeys } from './reminders.ts';

const school = await openSchool();
const { office: app, librarian, clerk, stranger, approve } = school;
afterAll(() => app.close());

// The house decides who may borrow keys: these may.
const borrows = await app.role({ 'key/loan': ['Create', 'Retrieve'] }, dataScope.own);
const [staff, colleague] = [
  await school.hire('钱借用', { roles: [borrows] }),
  await school.hire('孙借用', { roles: [borrows] }),
];

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
async function lend(who: Client, key_id: number, body: object = {}) {
  const { data } = await ask(who, key_id, body);
  await approve(data.ticket_id);
  return data.id!;
}
const loan = async (who: Client, id: number) => (await who.get(loanCalls.get, { params: { id } })).value;
const take = (who: Client, id: number) => who.ask(loanCalls.take, { params: { id } });
const giveBack = (who: Client, id: number) => who.ask(loanCalls.giveBack, { params: { id } });
const revoke = async (who: Client, id: number) => {
  const { ticket_id } = await loan(app.admin, id);
  return who.ask(ticketActions.revoke, { params: { id: ticket_id }, body: { suggestion: '不借了' } });
};
/** Lets somebody act in the place of another today. */
const delegated = (from: Client, to: Client) =>
  from.get(delegations.create, {
    body: {
      delegate: to.username,
      start: momentText(daysLater(new Date(), -1)),
      end: momentText(daysLater(new Date(), 1)),
    },
  });
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
  expect(await loan(staff, id)).toMatchObject({ status: null, participant_info: { participant_alias: '周馆长' } });
  expect(await take(librarian, id)).toRefuse(notNow, key.title, '待审', '登记领出');
  await approve(data.ticket_id);
  expect(await loan(librarian, id)).toMatchObject({ act_state: actState.finished, status: loanStatus.waiting });
  expect((await loan(librarian, id)).actions).toContain('take');
  expect((await loan(staff, id)).actions).not.toContain('take');
  expect(await take(staff, id)).toRefuse(notKeeper, key.title, '周馆长');
  expect((await take(librarian, id)).code).toBe(0);
  expect(await loan(staff, id)).toMatchObject({ status: loanStatus.out, returned_at: null });
  expect(await keyOf(key.number)).toMatchObject({ state: keyState.out, borrower_info: { alias: '钱借用' } });
  expect(await take(librarian, id)).toRefuse(notNow, key.title, '已领出', '登记领出');
  expect((await giveBack(librarian, id)).code).toBe(0);
  expect(await loan(staff, id)).toMatchObject({ status: loanStatus.back, overdue: false });
  expect(await keyOf(key.number)).toMatchObject({ state: keyState.there, borrower_info: null });
  expect(await heard(staff, id)).toEqual(
    expect.arrayContaining([`钥匙已领出：${key.title}`, `钥匙已归还：${key.title}`]),
  );
});
const keyOf = async (number: string, who = staff, search_value = number) =>
  (await who.get(keyCalls.list, { query: { search_value } })).value.find((row) => row.number === number)!;

test('a key that is not back is not handed out again, and the database refuses it too', async () => {
  const key = await addKey();
  const out = await lend(staff, key.id);
  await take(librarian, out);
  const due = dayAfter(today, -1);
  await began(out, 3, 1);
  const waiting = await lend(colleague, key.id);
  expect(await take(librarian, waiting)).toRefuse(keyOut, key.title, '钱借用', due);
  await expect(write('update key_loan set taken_at = now() where id = $1', [waiting])).rejects.toThrow('key_loan_out');
  await giveBack(librarian, out);
  const answers = await Promise.all([take(librarian, waiting), take(librarian, waiting)]);
  expect(answers.map(({ code }) => code).filter((code) => code === 0)).toHaveLength(1);
});

test('a key is lent to one person on each day: the other is refused when it is sent, when it is agreed to, and by the database', async () => {
  const key = await addKey();
  const days = (from: number, to: number) => ({ start_date: dayAfter(today, from), due_date: dayAfter(today, to) });
  const [wide, inside] = [await ask(staff, key.id, days(2, 6)), await ask(colleague, key.id, days(4, 4))];
  const { lent: before } = await keyOf(key.number, colleague);
  await approve(wide.data.ticket_id);
  const { lent } = await keyOf(key.number, colleague);
  expect([before, lent]).toEqual([[], [days(2, 6)]]);
  const late = await approving(librarian, inside.data.ticket_id);
  expect(late.msg).toContain(lentAlready(key.title, days(2, 6), '钱借用'));
  expect(late.msg).toContain('请退回起草人修改');
  expect((await school.press(librarian, inside.data.ticket_id, '退回起草人')).code).toBe(0);
  const again = await ask(colleague, key.id, days(6, 8));
  expect(again.msg).toContain(`${lentAlready(key.title, days(2, 6))}，请改选其他日期或钥匙`);
  expect(again.msg).not.toContain('钱借用');
  const other = await lend(colleague, key.id, days(7, 8));
  const moved = write('update key_loan set start_date = start_date - 1 where id = $1', [other]);
  await expect(moved).rejects.toThrow('key_loan_free');
});

test('a keeper who agrees late reads who had the key on the days that are over', async () => {
  const key = await addKey();
  const long = await ask(colleague, key.id, { due_date: dayAfter(today, 4) });
  const short = await lend(staff, key.id);
  await began(short, 3, 2);
  await began(long.data.id!, 3, -1);
  const late = await approving(librarian, long.data.ticket_id);
  const days = { start_date: dayAfter(today, -3), due_date: dayAfter(today, -2) };
  expect(late.msg).toContain(lentAlready(key.title, days, '钱借用'));
});
/** The answer to the keeper who agrees to a loan. */
const approving = (who: Client, ticket: number) => school.press(who, ticket, '同意');

test('a loan whose key is or was out is neither revoked nor reopened; before that its borrower calls it off', async () => {
  const key = await addKey();
  const id = await lend(staff, key.id);
  await take(librarian, id);
  expect(await revoke(app.admin, id)).toRefuse(stillOut, key.title);
  await giveBack(librarian, id);
  expect(await revoke(staff, id)).toRefuse(loanOver, key.title);
  const unwanted = await lend(staff, key.id);
  expect((await revoke(staff, unwanted)).code).toBe(0);
  expect(await loan(staff, unwanted)).toMatchObject({ act_state: actState.closed, status: null });
  expect((await keyOf(key.number)).lent).toEqual([]);
  await expect(write('update key_loan set taken_at = now() where id = $1', [unwanted])).rejects.toThrow(
    'key_loan_approved',
  );
});

test('the office calls off the loan of somebody who left, whose days are free from then on; colleagues and the keeper cannot', async () => {
  const key = await addKey();
  const leaver = await school.hire('蒋离岗', { roles: [borrows] });
  const id = await lend(leaver, key.id);
  await write('update app_user set is_active = false where id = $1', [leaver.userId]);
  for (const who of [librarian, colleague]) expect((await revoke(who, id)).code, who.username).not.toBe(0);
  expect((await revoke(clerk, id)).code).toBe(0);
  expect((await keyOf(key.number)).lent).toEqual([]);
  expect((await ask(colleague, key.id)).code).toBe(0);
});

test('a key is handed out from the first day of its loan to the last; a loan whose key was not fetched by then has lapsed, wherever it is shown', async () => {
  const key = await addKey();
  const [start_date, due_date] = [dayAfter(today, 3), dayAfter(today, 4)];
  const later = await lend(staff, key.id, { start_date, due_date });
  expect((await loan(librarian, later)).actions).not.toContain('take');
  const early = await take(librarian, later);
  expect(early).toRefuse(tooEarly, key.title, start_date);
  expect(early.msg).toContain(`请借用人${ticketActions.revoke.summary}`);
  const missed = await lend(staff, key.id);
  await began(missed, 3, 1);
  expect((await loan(librarian, missed)).actions).not.toContain('take');
  expect(await take(librarian, missed)).toRefuse(tooLate, key.title, dayAfter(today, -1));
  expect(await giveBack(librarian, missed)).toRefuse(notNow, key.title, '已过期', '登记归还');
  expect((await loan(librarian, missed)).status).toBe(loanStatus.lapsed);
  const listed = async (status: CodeOf<typeof loanStatus>) =>
    (await librarian.get(loanCalls.list, { query: { key_id: key.id, status } })).value.map((row) => [
      row.id,
      row.status,
    ]);
  expect(await listed(loanStatus.waiting)).toEqual([[later, loanStatus.waiting]]);
  expect(await listed(loanStatus.lapsed)).toEqual([[missed, loanStatus.lapsed]]);
  const cards = await librarian.get(links.candidates, { query: { module: 'keys', search_value: key.number } });
  const stateOf = (id: number) => cards.find((card) => card.id === id)?.state;
  expect([stateOf(later), stateOf(missed)]).toEqual(['待领出', '已过期']);
});

test('only those whom it concerns read who has a key; others read that it is out, and do not find it by the name', async () => {
  const key = await addKey();
  const id = await lend(staff, key.id);
  await take(librarian, id);
  const keeper = await school.hire('周保管', { roles: [borrows] });
  const reads = await app.clerk({ 'key/list': ['Retrieve'] }, { dataScope: dataScope.own });
  await write('update door_key set keeper = $2 where id = $1', [key.id, keeper.userId]);
  const delegate = await school.hire('孔代办', { roles: [borrows] });
  await delegated(keeper, delegate);
  for (const who of [staff, keeper, delegate, clerk, reads])
    for (const words of [key.number, '钱借用'])
      expect((await keyOf(key.number, who, words)).borrower_info, who.username).toMatchObject({ alias: '钱借用' });
  expect(await keyOf(key.number, colleague)).toMatchObject({ state: keyState.out, borrower_info: null });
  expect(await keyOf(key.number, colleague, '钱借用')).toBeUndefined();
});

test('the keeper’s delegate and who may change keys register loans of others, of which the keeper hears, and nobody their own', async () => {
  const keeper = await school.hire('吴保管');
  const [first, second] = [await addKey(keeper), await addKey(keeper)];
  const id = await lend(staff, first.id);
  expect(await take(colleague, id)).toRefuse(absent, '钥匙借用');
  await delegated(keeper, colleague);
  expect((await loan(colleague, id)).actions).toContain('take');
  expect((await take(colleague, id)).code).toBe(0);
  expect((await giveBack(clerk, id)).code).toBe(0);
  expect((await heard(keeper, id)).filter((title) => title === `钥匙领还登记：${first.title}`)).toHaveLength(2);
  for (const who of [colleague, clerk]) {
    const own = await lend(who, second.id);
    expect((await loan(who, own)).actions).not.toContain('take');
    expect(await take(who, own)).toRefuse(notKeeper, second.title, '吴保管');
    expect((await take(keeper, own)).code).toBe(0);
    await giveBack(keeper, own);
    expect((await heard(keeper, own)).filter((title) => title.startsWith('钥匙领还登记'))).toEqual([]);
  }
});

test('keepers and their delegates list the loans whose keys they have to hand out or to take back, and nobody else’s', async () => {
  const [keeper, delegate] = [await school.hire('卫保管'), await school.hire('严代办', { roles: [borrows] })];
  const [first, second, foreign] = [await addKey(keeper), await addKey(keeper), await addKey()];
  const desk = async (who: Client, query: object = {}) =>
    (await who.get(loanCalls.list, { query: { category: 'desk', ...query } })).value
      .map((row) => row.id)
      .toSorted((a, b) => a - b);
  const [out, waiting] = [await lend(staff, first.id), await lend(staff, second.id)];
  await take(keeper, out);
  await ask(colleague, second.id, { start_date: dayAfter(today, 3), due_date: dayAfter(today, 3) });
  await lend(staff, foreign.id);
  expect(await desk(keeper)).toEqual([out, waiting]);
  expect(await desk(keeper, { status: loanStatus.waiting })).toEqual([waiting]);
  for (const who of [staff, clerk, delegate]) expect(await desk(who), who.username).toEqual([]);
  await delegated(keeper, delegate);
  expect(await desk(delegate)).toEqual([out, waiting]);
  const own = await addKey(keeper);
  const borrowed = await lend(delegate, own.id);
  expect(await desk(delegate)).toEqual([out, waiting]);
  expect(await desk(keeper)).toEqual([out, waiting, borrowed]);
  await take(keeper, borrowed);
  await giveBack(keeper, borrowed);
  await began(waiting, 3, 1);
  await giveBack(keeper, out);
  expect(await desk(keeper)).toEqual([]);
});

test('what keepers ask for themselves is decided by their superior', async () => {
  const keeper = await school.hire('郑保管', { roles: [borrows] });
  const key = await addKey(keeper);
  const { data } = await ask(keeper, key.id);
  expect((await loan(keeper, data.id!)).participant_info.participant_alias).toBe('李四');
  await approve(data.ticket_id);
  expect((await take(keeper, data.id!)).code).toBe(0);
});

test('a key changes its keeper once nobody waits for the old one, and leavers list the keys they keep and their loans', async () => {
  const keeper = await school.hire('冯保管', { roles: [borrows] });
  const [kept, taken, wanted] = [await addKey(keeper), await addKey(), await addKey()];
  const { data } = await ask(staff, kept.id);
  const change = () => clerk.ask(keyCalls.change, { params: { id: kept.id }, body: { keeper: librarian.userId } });
  expect(await change()).toRefuse(keeperAsked, kept.title, 1, '冯保管');
  const lent = await lend(keeper, taken.id);
  await take(librarian, lent);
  const waiting = await lend(keeper, wanted.id);
  const missed = await lend(keeper, (await addKey()).id);
  await began(missed, 3, 1);
  const params = { id: keeper.userId };
  const held = async () =>
    (await app.admin.get(leaving.open, { params })).value
      .filter(({ key }) => key.startsWith('key'))
      .map(({ title, rows }) => [title, ...rows.map((row) => `${row.title} ${row.note}`)]);
  expect(await held()).toEqual([
    ['保管的钥匙', `${kept.title} 保管人`],
    ['未结束的钥匙借用', `${taken.title} 尚未归还`, `${wanted.title} 待领出，移交时作废`],
  ]);
  const body = { target_username: librarian.username, kinds: ['keys', 'key_loans'] };
  // They administer people, and intervene in no workflow.
  const administrator = await app.clerk(
    { 'system/user': ['Retrieve', 'Update'], 'key/loan': ['Create', 'Retrieve'] },
    { roles: ['staff'] },
  );
  const handed = async (who: Client) => {
    const { moved, ended, kept: stay } = await who.get(leaving.handOver, { params, body });
    return [moved, ended, ...stay.map(({ msg }) => msg)];
  };
  const out = notHandedOn(taken.title).message;
  const notTheirs = [notOverAll(keyCalls.change.summary).message, out, notCalledOff(wanted.title).message];
  expect(await handed(administrator)).toEqual([0, 0, ...notTheirs]);
  expect(await handed(app.admin)).toEqual([0, 1, keeperAsked(kept.title, 1, '冯保管').message, out]);
  expect(await loan(librarian, waiting)).toMatchObject({ act_state: actState.closed, status: null });
  expect((await keyOf(wanted.number)).lent).toEqual([]);
  await approve(data.ticket_id);
  await giveBack(librarian, lent);
  expect(await handed(app.admin)).toEqual([1, 0]);
  expect(await held()).toEqual([['保管的钥匙'], ['未结束的钥匙借用']]);
  expect((await keyOf(kept.number)).keeper_info).toMatchObject({ alias: '周馆长' });
});

test('a loan names an existing key, ends after it begins, and is not sent when one of its days has passed', async () => {
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
  expect(sent.msg).toContain(`借用日期 ${dayAfter(today, -3)} 已经过去`);
  expect(sent.msg).toContain(`应还日期 ${dayAfter(today, -1)} 已经过去`);
  const renewed = { start_date: today, due_date: today, submit: true };
  const again = await staff.ask(loanCalls.again, { params: { id: draft.data.id! }, body: renewed });
  expect(again.code).toBe(0);
  expect(await staff.ask(loanCalls.update, { params: { id: draft.data.id! }, body: { reason: '改' } })).toRefuse(
    notWithAuthor,
    '钥匙借用',
    '待审',
    '修改',
  );
});

test('a key with a loan under way is not deleted; drafts do not keep it, and are not sent afterwards', async () => {
  const [key, other] = [await addKey(), await addKey()];
  const { data: draft } = await ask(staff, key.id, { submit: false });
  const { data } = await ask(colleague, key.id);
  const remove = () => clerk.ask(keyCalls.remove, { params: { id: key.id } });
  expect(await remove()).toRefuse(nounInUse, key.title, ['1 次未结束的借用']);
  const renamed = await clerk.ask(keyCalls.change, { params: { id: other.id }, body: { number: key.number } });
  expect(renamed).toRefuse(numberTaken, key.number);
  await school.press(librarian, data.ticket_id, '退回起草人');
  expect((await remove()).code).toBe(0);
  const sent = await staff.ask(loanCalls.again, { params: { id: draft.id! }, body: { submit: true } });
  expect(sent.msg).toContain('请选择其他钥匙');
  expect((await staff.ask(loanCalls.remove, { params: { id: draft.id! } })).code).toBe(0);
  const foreign = { number: 'X', place: '库房', keeper: staff.userId };
  expect(await staff.ask(keyCalls.add, { body: foreign })).toRefuse(forbidden, '新增钥匙');
});

test('a loan is seen by its borrower and the keeper, and by nobody else without a wider scope: page, list, export and figures', async () => {
  const key = await addKey();
  const id = await lend(staff, key.id);
  await take(librarian, id);
  const listed = async (who: Client, query: object = {}) =>
    (await who.get(loanCalls.list, { query: { key_id: key.id, status: loanStatus.out, ...query } })).value.map(
      (row) => row.id,
    );
  for (const who of [staff, librarian, clerk]) expect(await listed(who)).toEqual([id]);
  expect(await listed(clerk, { search_value: '周馆长' })).toEqual([id]);
  await ask(colleague, key.id, { start_date: dayAfter(today, 5), due_date: dayAfter(today, 5) });
  expect(await listed(clerk, { status: loanStatus.waiting })).toEqual([]);
  expect(await listed(stranger)).toEqual([]);
  expect(await stranger.ask(loanCalls.get, { params: { id } })).toRefuse(absent, '钥匙借用');
  const counted = await app.clerk(
    { 'key/statistics': ['Retrieve'] },
    { dept: school.elsewhere, dataScope: dataScope.below },
  );
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
  const { rows: told } = await write(
    `select m.content from msg m join msg_user u on u.msg_id = m.id
      where m.title = $1 and u.user_id = $2`,
    [`钥匙逾期未还：${key.title}`, librarian.userId],
  );
  expect(told).toEqual([{ content: expect.stringContaining('现由钱借用借用') }]);
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
