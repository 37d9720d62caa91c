import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { sql } from 'drizzle-orm';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { delegations } from './contract.ts';

const form = {
  title: '水管漏水',
  category: 'network',
  place: '一号楼 301',
  urgency: 'urgent',
  description: '洗手池',
  amount: 300,
};
const [submit, headAgrees, headRefuses] = [2, 3, 4];

let school: Awaited<ReturnType<typeof openSchool>>;
let app: TestOffice;
let repair: number;
let leave: number;
let staff: Client;
let head: Client;
let deputy: Client;
let third: Client;

beforeAll(async () => {
  school = await openSchool({}, { leader: '王副校长' });
  ({ office: app, staff, head } = school);
  [deputy, third] = [await school.hire('王五'), await school.hire('赵六')];
  [repair, leave] = [await school.flowOf('it_service'), await school.flowOf('leave')];
});
afterAll(() => app.close());

const day = 86_400_000;
const at = (days: number) => momentText(new Date(Date.now() + days * day));
const asks = (from: Client, to: Client, more: object = {}) =>
  from.ask(delegations.create, {
    body: { delegate: to.username, start: at(-1), end: at(1), ...more },
  });
const begin = (by = staff) =>
  by.get(tickets.start, { body: { workflow_id: repair, transition_id: submit, ...form } }).then(({ id }) => id);
const duties = async (who: Client) =>
  (await who.get(tickets.list, { query: { category: 'duty', per_page: 100 } })).value.map((row) => row.id);
const badge = async (who: Client) => (await who.get(tickets.jiaobiao)).total;
const buttons = (who: Client, id: number) => who.ask(tickets.transitions, { params: { id } });
const does = (who: Client, id: number, transition_id: number, more: object = {}) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...more } });
const told = async (who: Client, id: number) =>
  (await who.get(messages.unread, { query: { per_page: 100 } })).value.some((one) =>
    one.web_path.endsWith(`/ticket/detail/${id}`),
  );
/** Ends whatever runs, so that each test begins with nobody away. */
const clear = () =>
  app.services.databases.write((tx) => tx.execute(sql`update stand_in set ended_at = now() where ended_at is null`));

describe('a delegation', () => {
  test('ends when the account of the delegate is deactivated, and the person who gave it is told so', async () => {
    const leaver = await school.hire('将离');
    await asks(head, leaver);
    await app.services.databases.write((tx) =>
      tx.execute(sql`update app_user set is_active = false where id = ${leaver.userId}`),
    );
    const given = async () => (await head.get(delegations.list)).value.find((row) => row.delegate.alias === '将离');
    await eventually(async () => expect((await given())?.state).toBe('over'));
    const heard = (await head.get(messages.unread, { query: { per_page: 100 } })).value.map(({ title }) => title);
    expect(heard).toContain('您对将离的委托已结束');
    await clear();
  });

  test('for an absent person is set and ended by their administrator and nobody else; both people are told', async () => {
    const ticket = await begin();
    const more = { delegator: head.username };
    expect((await asks(third, deputy, more)).code).toBe(4004);
    expect((await asks(app.admin, head, more)).msg).toBe('代办人不能就是委托人，请选择其他人');
    const { data, code } = await asks(app.admin, deputy, more);
    expect([code, await duties(deputy)]).toEqual([0, expect.arrayContaining([ticket])]);
    const heard = (await head.get(messages.unread, { query: { per_page: 100 } })).value.map(({ title }) => title);
    expect(heard).toContain('王五将代您办理');
    const [row] = (await app.admin.get(delegations.list, { query: { side: 'set' } })).value;
    expect(row).toMatchObject({ delegator: { alias: '李四' }, delegate: { alias: '王五' }, actions: ['end'] });
    expect((await third.ask(delegations.end, { params: { id: data.id } })).code).toBe(4004);
    expect((await app.admin.ask(delegations.end, { params: { id: data.id } })).code).toBe(0);
    expect(await duties(deputy)).not.toContain(ticket);
    const again = await asks(app.admin, deputy, more);
    expect((await head.ask(delegations.end, { params: { id: again.data.id } })).code).toBe(0);
    const told = (await app.admin.get(messages.unread, { query: { per_page: 100 } })).value.map(({ title }) => title);
    expect(told, 'who set it hears that it was ended').toContain('您为李四设置的委托已结束');
    await clear();
  });

  test('that an administrator set with themselves as delegate reports its end to them once, not twice', async () => {
    const { data } = await asks(app.admin, app.admin, { delegator: head.username });
    await head.get(delegations.end, { params: { id: data.id! } });
    const { rows } = await app.db.execute<{ title: string }>(sql`
      select title from msg join msg_user u on u.msg_id = msg.id
      where event = 'DELEGATION_ENDED' and object_id = ${data.id!} and u.user_id = ${app.admin.userId}`);
    expect(rows).toEqual([{ title: '李四对您的委托已结束' }]);
    await clear();
  });
});

describe('a delegate', () => {
  test('decides tasks that already waited, in the absent person’s name, until the delegation is ended and no longer', async () => {
    const [first, second] = [await begin(), await begin()];
    expect((await deputy.ask(tickets.get, { params: { id: first } })).code).toBe(4004);
    const { data, msg } = await asks(head, deputy, { reason: '出差' });
    expect(msg).toBe('委托已生效，期间代办人可处理您的待办');
    const later = await asks(staff, deputy, { start: '2098-02-01 00:00', end: '2098-03-01 00:00' });
    expect(later.msg).toBe('委托已保存，自 2098-02-01 00:00 起生效，期间代办人可处理您的待办');
    expect(await duties(deputy)).toEqual(expect.arrayContaining([first, second]));
    expect(await badge(deputy)).toBe((await duties(deputy)).length);
    expect((await deputy.get(tickets.userMsg)).duty).toBe(await badge(deputy));
    expect(await duties(head)).toEqual(expect.arrayContaining([first, second]));

    const detail = (await deputy.get(tickets.get, { params: { id: first } })).value;
    expect(detail.on_behalf_of).toBe('李四');
    const ofTasks = (offers: typeof detail.transitions) =>
      offers.flatMap((one) => (one.task_no ? one.transition_name : []));
    expect(ofTasks(detail.transitions)).toEqual(ofTasks((await buttons(head, first)).data.value));
    expect((await buttons(deputy, first)).data.value).toEqual(detail.transitions);
    expect(detail.field_list.map((field) => field.field_key)).toContain('amount');
    expect((await buttons(deputy, first)).data.value.find((one) => one.code === 'approve')?.on_behalf_of).toBe('李四');

    expect((await does(deputy, first, headAgrees)).code).toBe(0);
    const { value } = await staff.get(tickets.flowlogs, { params: { id: first } });
    const last = value.at(-1)!;
    expect([last.participant_info?.alias, last.on_behalf_of?.alias]).toEqual(['王五', '李四']);
    const worked = async (who: Client) =>
      (await who.get(tickets.list, { query: { category: 'worked', per_page: 100 } })).value.map((row) => row.id);
    expect([(await worked(deputy)).includes(first), (await worked(head)).includes(first)]).toEqual([true, true]);

    expect((await head.ask(delegations.end, { params: { id: data.id! } })).code).toBe(0);
    expect(await duties(deputy)).not.toContain(second);
    expect((await deputy.ask(tickets.get, { params: { id: second } })).code).toBe(4004);
    expect((await does(deputy, second, headAgrees)).code).toBe(4004);
    expect((await deputy.ask(tickets.get, { params: { id: first } })).code).toBe(0);
    expect((await does(head, second, headAgrees)).code).toBe(0);
  });

  test('who decides at the same moment as the absent person does not decide a second time: one of the two answers counts', async () => {
    await clear();
    const id = await begin();
    await asks(head, deputy);
    const answers = await Promise.all([
      does(head, id, headAgrees),
      does(deputy, id, headRefuses, { suggestion: '不行' }),
    ]);
    expect(answers.map((answer) => answer.code).filter((code) => code === 0)).toHaveLength(1);
  });

  test('may take every action that a task offers them, and is refused the actions that it does not offer', async () => {
    await clear();
    await asks(head, deputy);
    const target_username = third.username;
    const said = { suggestion: '请看' };
    const ways = {
      deliver: { call: ticketActions.deliver, body: { target_username, ...said } },
      delegate: { call: ticketActions.delegate, body: { target_username, ...said } },
      add_node: { call: ticketActions.addNode, body: { target_username: [target_username], ...said } },
      return: { call: ticketActions.giveBack, body: { state_id: 1, ...said } },
    } as const;
    for (const [code, { call, body }] of Object.entries(ways)) {
      const id = await begin();
      const offer = (await buttons(deputy, id)).data.value.find((one) => one.code === code)!;
      expect([offer.on_behalf_of, offer.task_no !== null]).toEqual(['李四', true]);
      const asked = { params: { id }, body: { ...body, task_no: offer.task_no! } };
      expect((await deputy.ask(call as typeof ticketActions.deliver, asked as never)).msg).toBe(call.message);
      const { value } = await staff.get(tickets.flowlogs, { params: { id } });
      expect([value.at(-1)!.participant_info?.alias, value.at(-1)!.on_behalf_of?.alias]).toEqual(['王五', '李四']);
      expect((await deputy.ask(call as typeof ticketActions.deliver, asked as never)).code).toBe(4010);
    }
    const id = await begin();
    const cc = { params: { id }, body: { target_username: [target_username], suggestion: '' } };
    expect((await buttons(deputy, id)).data.value.some((one) => one.code === 'cc')).toBe(false);
    expect((await deputy.ask(ticketActions.cc, cc)).code).toBe(4010);
  });

  test('takes back their own decision while the delegation lasts and nobody has acted after it', async () => {
    await clear();
    const { data } = await asks(head, deputy);
    const retreat = (who: Client, id: number) =>
      who.ask(ticketActions.retreat, { params: { id }, body: { suggestion: '看错了' } });
    const id = await begin();
    expect((await retreat(deputy, id)).code).toBe(4010);
    await does(deputy, id, headRefuses, { suggestion: '不行' });
    const offer = (await buttons(deputy, id)).data.value.find((one) => one.code === 'retreat');
    expect(offer?.on_behalf_of).toBe('李四');
    expect((await retreat(deputy, id)).msg).toBe('已撤回');
    const { value } = await staff.get(tickets.flowlogs, { params: { id } });
    expect([value.at(-1)!.participant_info?.alias, value.at(-1)!.on_behalf_of?.alias]).toEqual(['王五', '李四']);
    expect(await duties(head)).toContain(id);
    // Only the delegate may take back what the delegate decided, not the absent person.
    await does(head, id, headRefuses, { suggestion: '不行' });
    expect((await retreat(deputy, id)).code).toBe(4004);
    expect((await retreat(head, id)).code).toBe(0);
    await does(deputy, id, headRefuses, { suggestion: '不行' });
    await head.ask(delegations.end, { params: { id: data.id! } });
    expect((await retreat(deputy, id)).code).toBe(4010);
  });

  test('never approves a ticket that they created', async () => {
    await clear();
    await asks(head, deputy);
    const id = await begin(deputy);
    expect(await duties(deputy)).not.toContain(id);
    expect((await buttons(deputy, id)).data.value.filter((one) => one.transition_id !== null)).toEqual([]);
    expect((await does(deputy, id, headAgrees)).code).toBe(4010);
    expect((await does(head, id, headAgrees)).code).toBe(0);
  });

  test('does not get tickets that the absent person created', async () => {
    await clear();
    await asks(staff, third);
    const id = await begin();
    await does(head, id, headRefuses, { suggestion: '请补充' });
    expect(await duties(staff)).toContain(id);
    expect(await duties(third)).not.toContain(id);
    expect((await third.ask(tickets.get, { params: { id } })).code).toBe(4004);
  });

  test('gets only tasks of the workflows chosen in the delegation', async () => {
    await clear();
    const id = await begin();
    await asks(head, deputy, { workflow_ids: [leave] });
    expect(await duties(deputy)).not.toContain(id);
    expect((await does(deputy, id, headAgrees)).code).toBe(4004);
    await asks(head, third, { workflow_ids: [repair] });
    expect(await duties(third)).toContain(id);
  });

  test('passes tasks on to a further delegate only as often as the absent person allowed', async () => {
    await clear();
    const id = await begin();
    await asks(head, deputy);
    await asks(deputy, third);
    expect([(await duties(deputy)).includes(id), (await duties(third)).includes(id)]).toEqual([true, false]);
    await clear();
    await asks(head, deputy, { chain_limit: 2 });
    await asks(deputy, third);
    expect(await duties(third)).toContain(id);
    expect((await does(third, id, headAgrees)).code).toBe(0);
  });

  test('is notified only of tasks that reach them within the chain limit and that they may decide', async () => {
    await clear();
    await asks(head, deputy);
    await asks(deputy, third);
    const short = await begin();
    expect([await told(deputy, short), await told(third, short)]).toEqual([true, false]);
    await clear();
    await asks(head, deputy, { chain_limit: 2 });
    await asks(deputy, third);
    const [long, own] = [await begin(), await begin(deputy)];
    expect([await told(deputy, long), await told(third, long)]).toEqual([true, true]);
    expect([await told(head, own), await told(third, own)]).toEqual([true, false]);
    await does(third, long, headAgrees);
    expect([await told(head, long), await told(deputy, long), await told(third, long)]).toEqual([false, false, false]);
  });

  test('who decides a task is notified of the next task that they get as delegate of somebody else', async () => {
    await clear();
    await asks(head, deputy);
    await asks(school.leader, deputy);
    const { id } = await staff.get(tickets.start, {
      body: { workflow_id: repair, transition_id: submit, ...form, amount: 6000 },
    });
    const asked = async () =>
      (
        await app.db.execute(sql`select 1 from msg join msg_user u on u.msg_id = msg.id
          where module = 'tickets' and object_id = ${id} and event = 'TODO' and u.user_id = ${deputy.userId}`)
      ).rows.length;
    expect(await asked()).toBe(1);
    expect((await does(deputy, id, headAgrees)).code).toBe(0);
    expect([await asked(), await told(deputy, id)]).toEqual([2, true]);
  });

  test('gets no more to-dos once the delegation is ended or has expired, nor does a further delegate through them', async () => {
    await clear();
    const asked = (id: number) => Promise.all([head, deputy, third].map((who) => told(who, id)));
    const { data } = await asks(head, deputy, { chain_limit: 2 });
    await asks(deputy, third);
    const [ended, own] = [await begin(), await begin(deputy)];
    expect([await asked(ended), await asked(own)]).toEqual([
      [true, true, true],
      [true, false, false],
    ]);
    await head.get(delegations.end, { params: { id: data.id! } });
    expect([await asked(ended), await asked(own)]).toEqual([
      [true, false, false],
      [true, false, false],
    ]);
    const again = await asks(head, deputy);
    const late = await begin();
    expect(await asked(late)).toEqual([true, true, false]);
    const { pool } = app.services.databases;
    await pool.query('update stand_in set ends_at = now() where id = $1', [again.data.id]);
    await pool.query(`select graphile_worker.reschedule_jobs(array[id], run_at => now()) from graphile_worker.jobs
      where key = 'stand-in:${again.data.id}'`);
    await eventually(async () => expect(await asked(late)).toEqual([true, false, false]));
  });

  test('of a delegate never approves the ticket of the delegate in between', async () => {
    await clear();
    await asks(head, deputy, { chain_limit: 2 });
    await asks(deputy, third);
    const [own, others] = [await begin(deputy), await begin()];
    const lent = await duties(third);
    expect([lent.includes(own), lent.includes(others), await badge(third)]).toEqual([false, true, lent.length]);
    expect((await third.ask(tickets.get, { params: { id: own } })).code).toBe(4004);
    expect((await does(third, own, headAgrees)).code).toBe(4004);
    expect((await does(head, own, headAgrees)).code).toBe(0);
  });

  test('has no rights before the delegation begins', async () => {
    await clear();
    const id = await begin();
    await asks(head, deputy, { start: at(1), end: at(2) });
    expect(await duties(deputy)).not.toContain(id);
    const { value } = await head.get(delegations.list);
    expect([value[0]!.state_name, value[0]!.actions]).toEqual(['未开始', ['end']]);
    expect((await deputy.get(delegations.list, { query: { side: 'taken' } })).value[0]!.actions).toEqual([]);
  });
});

describe('a delegation is refused', () => {
  test('when it would be the second for the same workflow and time, even if both are requested at once', async () => {
    await clear();
    const answers = await Promise.all([asks(head, deputy), asks(head, third)]);
    expect(answers.map((answer) => answer.code).toSorted()).toEqual([0, 4009]);
    expect((await asks(head, third, { workflow_ids: [leave] })).msg).toMatch(/已有一项范围重叠的委托，请先结束它/);
    expect((await asks(head, third, { start: at(1), end: at(2) })).code).toBe(0);
  });

  test('when it would close a ring of delegates, and the refusal names the people of the ring', async () => {
    await clear();
    await asks(head, deputy);
    await asks(deputy, third);
    const { code, msg } = await asks(third, head);
    expect([code, msg]).toEqual([-1, '委托会绕成一圈（赵六 → 李四 → 王五 → 赵六），请另选代办人']);
    expect((await asks(third, head, { start: at(2), end: at(3) })).code).toBe(0);
  });

  test('for oneself, for somebody outside one’s reach, for a past or reversed period; nobody ends another person’s', async () => {
    await clear();
    expect((await asks(head, head)).msg).toBe('代办人不能就是委托人，请选择其他人');
    const nobody = await head.ask(delegations.create, { body: { delegate: 'nobody', start: at(0), end: at(1) } });
    expect(nobody.msg).toBe('用户“nobody”不存在或已停用，请重新选择代办人');
    expect((await asks(head, deputy, { start: at(-2), end: at(-1) })).msg).toMatch(/已经过去/);
    expect((await asks(head, deputy, { start: at(2) })).msg).toBe('结束时间：要晚于开始时间');
    expect((await asks(head, deputy, { end: '2026-02-30 10:00' })).code).toBe(4000);
    expect((await asks(head, deputy, { workflow_ids: [999_999] })).msg).toMatch(/所选流程不存在/);
    const { data } = await asks(head, deputy);
    expect((await deputy.ask(delegations.end, { params: { id: data.id! } })).code).toBe(4004);
  });
});
