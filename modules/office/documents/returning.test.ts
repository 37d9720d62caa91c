import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appoint } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { keepsFirst, sentBackTwice } from '#modules/workflow/records/testing/keeping.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { documents } from './contract.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
let second: Client;
let other: Client;
beforeAll(async () => {
  school = await openSchool();
  const { office: app, dept } = school;
  second = await app.signIn(await app.person({ alias: '钱副主任', dept, roles: ['office_admin'] }));
  other = await app.signIn(await app.person({ alias: '赵书记', dept, roles: ['xld'] }));
}, 180_000);
afterAll(() => school.office.close());

const unread = async (who: Client, about: string) =>
  (await who.get(messages.unread, { query: { search_value: about, per_page: 20 } })).value.map((one) => one.title);
const duty = (who: Client) => school.listed(who, 'duty');
let serial = 0;
const titled = () => `关于第${++serial}号值班安排的通知`;

describe('one refusal where any of several may decide', () => {
  test('by a member of the office returns a letter, tells its author and the other members, and binds them', async () => {
    const { author, clerk, write, goOn, handle, detail } = school;
    const title = titled();
    const { id, ticket_id } = await write({ title });
    await goOn(ticket_id, 7);
    expect(await duty(second)).toContain(id);
    const refused = await handle(clerk, ticket_id, 8, { suggestion: '请补充附件' });
    expect(refused.data).toMatchObject({ act_state: 2, stays: false, state_name: '拟稿' });
    expect((await detail(author, id)).state_name).toBe('拟稿');
    expect(await unread(author, title)).toEqual([`党政办 退回了：${title}`]);
    expect(await unread(second, title)).toEqual([`党政办 已退回，现在在“拟稿”：${title}`]);
    expect(await duty(second)).not.toContain(id);
    const late = await handle(second, ticket_id, 7);
    expect([late.code, late.msg]).toEqual([4010, expect.stringContaining('党政办')]);
  });

  test('of an incoming letter has the same effect at review, proposal, a leader’s decision and completion', async () => {
    const { registrar: author, clerk, main, head, handle, detail } = school;
    const title = titled();
    const body = { doc_kind: 2 as const, title, from_org: '教育厅', received_date: '2026-11-20', submit: true };
    const first = await author.get(documents.create, { body });
    expect((await handle(second, first.ticket_id, 4, { suggestion: '未盖章' })).data.act_state).toBe(2);
    expect(await unread(author, title)).toEqual([`钱副主任 退回了：${title}`]);
    expect(await unread(clerk, title)).toEqual([`钱副主任 已退回，现在在“签收登记”：${title}`]);

    const params = { id: first.id };
    expect((await author.ask(documents.again, { params, body: {} })).code).toBe(0);
    await handle(clerk, first.ticket_id, 3);
    const proposed = { leaders: [main.username, other.username], lead_dept: school.dept };
    await handle(clerk, first.ticket_id, 5, proposed);
    expect((await handle(other, first.ticket_id, 7, { suggestion: '承办部门不对' })).data).toMatchObject({
      stays: false,
      state_name: '拟办',
    });
    expect(await unread(main, title)).toEqual([`赵书记 已退回，现在在“拟办”：${title}`]);
    expect(await unread(author, title)).toContain(`赵书记 已退回，现在在“拟办”：${title}`);
    await handle(clerk, first.ticket_id, 5, proposed);
    for (const leader of [main, other]) await handle(leader, first.ticket_id, 6);
    await handle(head, first.ticket_id, 8);
    await handle(second, first.ticket_id, 9);

    const apply = { params: { id: first.ticket_id }, body: { suggestion: '已报送' } };
    expect((await head.ask(ticketActions.applyFinish, apply)).code).toBe(0);
    expect((await handle(clerk, first.ticket_id, 12, { suggestion: '还缺回执' })).data.act_state).toBe(4);
    expect(await duty(second)).not.toContain(first.id);
    expect((await detail(author, first.id)).act_state).toBe(4);
    expect(await unread(second, title)).toContain(`党政办 没有确认办结：${title}`);
  });

  test('among countersigners is told to those who had agreed before', async () => {
    const { head, librarian, office: app, elsewhere, write, handle } = school;
    const third = await app.dept('人事处');
    const personnel = await app.signIn(await app.person({ alias: '冯处长', dept: third, roles: ['staff'] }));
    await appoint(app, third, { leader: personnel });
    const title = titled();
    const { ticket_id } = await write({ title, co_depts: [elsewhere, third] });
    await handle(head, ticket_id, 3);
    expect((await handle(librarian, ticket_id, 5)).data).toMatchObject({ stays: true, state_name: '会签' });
    await handle(personnel, ticket_id, 6, { suggestion: '另有安排' });
    expect(await unread(librarian, title)).toEqual([`冯处长 已退回，现在在“拟稿”：${title}`]);
  });
});

describe('a change made in the review of a signed letter', () => {
  test('is sent to the signer once, however many members of the office send it at the same time', async () => {
    const { clerk, main, write, goOn, handle, detail } = school;
    for (let round = 0; round < 5; round++) {
      const title = titled();
      const { id, ticket_id } = await write({ title });
      await goOn(ticket_id, 13);
      const patch = { params: { id }, body: { body_html: '复核时改过的正文。' } };
      expect((await clerk.ask(documents.update, patch)).code).toBe(0);
      const answers = await Promise.all(
        [clerk, second].map((who) => handle(who, ticket_id, 14, { suggestion: '有改动' })),
      );
      expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 4010]);
      const { state_name, participant_info } = await detail(main, id);
      expect([state_name, participant_info.participant_alias]).toEqual(['签发', '陈校长']);
      expect(await duty(other)).not.toContain(id);
    }
  });
});

describe('returning a letter to its author', () => {
  const takesBack = (who: Client, ticket: number) =>
    who.ask(ticketActions.retreat, { params: { id: ticket }, body: { suggestion: '再看' } });
  const offersIt = async (who: Client, ticket: number) =>
    (await who.get(tickets.transitions, { params: { id: ticket } })).value.some(({ code }) => code === 'retreat');
  const returns = (who: Client, ticket: number) =>
    who.get(ticketActions.giveBack, { params: { id: ticket }, body: { state_id: 1, suggestion: '请重写' } });

  test('after the signature cannot be taken back and is not offered, since the signature is cancelled by it', async () => {
    const { author, clerk, write, goOn, detail } = school;
    const { id, ticket_id } = await write({ title: titled() });
    await goOn(ticket_id, 13);
    await returns(clerk, ticket_id);
    expect(await offersIt(clerk, ticket_id)).toBe(false);
    expect(await takesBack(clerk, ticket_id)).toMatchObject({
      code: 4010,
      msg: expect.stringContaining('不能撤回') as unknown,
    });
    expect(await detail(author, id)).toMatchObject({ state_name: '拟稿', body_sha256: null });

    // Sent again, it has no signature that a return could cost.
    expect((await author.ask(documents.again, { params: { id }, body: {} })).code).toBe(0);
    await goOn(ticket_id, 7);
    await returns(clerk, ticket_id);
    expect(await offersIt(clerk, ticket_id)).toBe(true);
    expect((await takesBack(clerk, ticket_id)).code).toBe(0);
    expect((await detail(author, id)).state_name).not.toBe('拟稿');
  });

  test('before the signature may be taken back, and the letter is in its former state', async () => {
    const { author, clerk, write, goOn, detail } = school;
    const { id, ticket_id } = await write({ title: titled() });
    await goOn(ticket_id, 7);
    const { state_name } = await detail(author, id);
    await returns(clerk, ticket_id);
    expect(await offersIt(clerk, ticket_id)).toBe(true);
    expect((await takesBack(clerk, ticket_id)).code).toBe(0);
    expect((await detail(author, id)).state_name).toBe(state_name);
  });
});

test('a letter resubmitted unchanged needs no new approval; one with a visible change does, and the approver is shown it', async () => {
  await keepsFirst(school.office, 'document_sending');
  const { id, ticket_id: ticket } = await school.write({ title: titled() });
  const told = await sentBackTwice({
    ticket,
    first: school.head,
    second: school.clerk,
    again: (more) => school.author.ask(documents.again, { params: { id }, body: more }),
    change: { body_html: '现将期末考试安排再次通知如下。' },
  });
  expect(told).toEqual([['正文', expect.stringContaining('安排通知如下'), expect.stringContaining('再次通知如下')]]);
});
