import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Client } from '#apps/server/testing.ts';
import { links } from '#modules/platform/links/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { keepsFirst, sentBackTwice } from '#modules/workflow/records/testing/keeping.ts';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';
import { taken } from '#modules/platform/bookings/contract.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { rightsBeyond } from '#modules/platform/people/contract/refusals.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { takeRoom } from '#modules/platform/rooms/service.ts';
import { notNow, notYours } from './contract/refusals.ts';
import { activityRuleCalls } from './contract/rules.ts';
import { activityCalls, at, calls, openHouse } from './testing/house.ts';

const house = await openHouse();
const { app, staff, head, leader, principal, colleague, stranger, office, safety, foreign, keeper, hall, room } = house;
const { declare, declared, approved, get, again, cancel, holds, approve, press, shift, query } = house;
afterAll(() => app.close());
const day = 24;
const titles = async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title);
const guest = (more: object = {}) => ({
  name: '李教授',
  org: '某大学',
  topic: '新技术',
  background: '长期合作',
  ...more,
});
const summarise = (id: number, who = staff, more: object = {}) =>
  who.ask(activityCalls.summarise, {
    params: { id },
    body: { summary: '圆满结束', actual_in: 40, actual_out: 0, no_photos: true, ...more },
  });
const sendBack = (id: number, who = office) =>
  who.ask(activityCalls.returnSummary, { params: { id }, body: { reason: '请写明效果' } });
const changeTicket = async (id: number) => (await get(id)).change!.ticket_id!;

describe('a change of an approved activity', () => {
  test('leaves the approval and the room untouched until it is approved, and then moves both', async () => {
    const time = { start_time: at(40), end_time: at(40, '16:00'), room_id: hall };
    const id = await approved({ ...time, leaders: [principal.userId] });
    expect((await again(id, { start_time: at(41), end_time: at(41, '16:00'), reason: '主讲人改期' })).code).toBe(0);
    expect(await get(id)).toMatchObject({ act_state: 4, start_time: `${time.start_time}:00`, changing: true });
    // While a change is being decided, no second one can be written, and the button is not offered.
    expect((await get(id)).actions).not.toContain('change');
    expect((await again(id, { title: '另一个' })).msg).toContain('活动变更正在审批');
    expect(await holds(id)).toMatchObject([
      { slot: '', state: 'confirmed' },
      { slot: 'wanted', state: 'held' },
    ]);
    expect((await declare({ room_id: hall, start_time: at(41), end_time: at(41, '15:00') }, colleague)).code).toBe(
      taken.code,
    );
    const { change } = await get(id, head);
    expect(change!.fields.map((field) => [field.label, field.becomes])).toEqual([
      ['开始时间', at(41)],
      ['结束时间', at(41, '16:00')],
    ]);
    const ticket = await changeTicket(id);
    await approve(ticket);
    expect(await get(id)).toMatchObject({ start_time: `${at(41)}:00`, changing: false, act_state: 4 });
    expect(await holds(id)).toMatchObject([{ slot: '', state: 'confirmed', start: '14:00' }]);
    expect(await titles(principal)).toContain('活动变更：读书会');
    expect((await declare({ room_id: hall, start_time: at(40), end_time: at(40, '15:00') }, colleague)).code).toBe(0);
  });

  test('leaves everything as before when it is refused, also when it moves by an hour within one hall', async () => {
    const id = await approved({ start_time: at(43), end_time: at(43, '16:00'), room_id: hall });
    expect((await again(id, { start_time: at(43, '15:00'), end_time: at(43, '17:00') })).code).toBe(0);
    expect(
      (await declare({ room_id: hall, start_time: at(43, '16:00'), end_time: at(43, '17:00') }, colleague)).code,
    ).toBe(taken.code);
    await press(head, await changeTicket(id), '退回申报人', { suggestion: '不必' });
    expect(await get(id)).toMatchObject({ act_state: 4, start_time: `${at(43)}:00` });
    expect(await holds(id)).toMatchObject([{ slot: '', start: '14:00' }]);
    const date = at(43).slice(0, 10);
    const blocks = (await staff.get(roomTimes.day, { query: { date } })).rooms.flatMap((one) => one.blocks);
    expect(blocks).toMatchObject([{ start_time: `${date} 14:00:00`, end_time: `${date} 16:00:00` }]);
    // A returned change is with its author, who edits it and sends it again, or gives it up.
    expect((await get(id)).actions).toContain('change');
    expect((await again(id, { start_time: at(43, '15:00'), end_time: at(43, '17:00') })).code).toBe(0);
    await approve(await changeTicket(id));
    expect(await holds(id)).toMatchObject([{ slot: '', start: '15:00' }]);
    expect((await again(id, { title: '读书会（改）' })).code).toBe(0);
    expect((await staff.ask(activityCalls.withdrawChange, { params: { id } })).code).toBe(0);
    expect(await get(id)).toMatchObject({ title: '读书会', change: null, changing: false });
  });

  test('that adds a foreign guest asks the international office although the first approval did not', async () => {
    const id = await approved();
    const steps = (await get(id)).steps.map((step) => step.key);
    expect(steps).not.toContain('foreign');
    const added = await again(id, { guests: [guest({ nationality: 'FR' })], out_count: 1 });
    expect(added.code, added.msg).toBe(0);
    const ticket = await changeTicket(id);
    await approve(ticket, { until: '国际交流部门审核' });
    const shown = await get(id, foreign);
    expect(shown.change!.fields[1]).toMatchObject({
      label: '嘉宾',
      was: '—',
      becomes: '李教授 某大学 新技术 长期合作',
    });
    expect((await get(id)).guests).toEqual([]);
    await approve(ticket);
    expect((await get(id)).guests).toMatchObject([{ name: '李教授', nationality: 'FR' }]);
    expect((await get(id)).rounds.map((one) => [one.of_change, one.verdict.need_foreign])).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test('has a page that links to its activity for everybody who sees it', async () => {
    const id = await approved();
    await again(id, { title: '朗诵会' });
    const change = (await get(id)).change!.id;
    expect(await head.get(activityCalls.changeOf, { params: { id: change } })).toEqual({ activity_id: id });
    expect((await stranger.ask(activityCalls.changeOf, { params: { id: change } })).code).toBe(4004);
  });
});

describe('the clock of activities', () => {
  test('starts and ends an activity and sets its summary due a week later, however often it runs', async () => {
    const id = await approved();
    const { start_time: start } = await get(id);
    const hours = Math.floor((Date.parse(`${start!.replace(' ', 'T')}+08:00`) - Date.now()) / 3_600_000);
    await shift(id, -hours - 1);
    expect(await get(id)).toMatchObject({ activity_status: 1 });
    expect(await again(id, { title: '太晚' })).toRefuse(notNow);
    await shift(id, -2 * day);
    await house.turn();
    const { activity_status, summary_due, end_time } = await get(id);
    expect(activity_status).toBe(2);
    expect(Date.parse(summary_due!) - Date.parse(end_time!.slice(0, 10))).toBe(7 * day * 3_600_000);
  });

  test('keeps an activity that has already begun from being approved', async () => {
    const { id, ticket_id } = await declared();
    await approve(ticket_id, { until: '分管领导审批' });
    await shift(id, -400 * day);
    expect((await press(leader, ticket_id, '同意')).msg).toContain('已过，请退回改期');
  });
});

describe('the summary of an activity', () => {
  test('is handed in by the person who took over the activities of a leaver', async () => {
    const [gone, heir] = [await house.hire('离岗人', {}), await house.hire('接手人', {})];
    const id = await approved({ undertaker: gone.userId });
    const other = await declared({ undertaker: gone.userId });
    const body = { target_username: heir.username, kinds: ['activities'] };
    const give = { params: { id: gone.userId }, body } as never;
    const { value } = await app.admin.get(leaving.open, { params: { id: gone.userId } });
    expect(value.find((kind) => kind.key === 'activities')).toMatchObject({
      count: 2,
      rows: [
        { id, note: '承办人' },
        { id: other.id, note: '承办人' },
      ],
    });
    expect(await app.admin.get(leaving.handOver, give)).toEqual({ moved: 2, ended: 0, kept: [] });
    expect(await app.admin.get(leaving.handOver, give)).toEqual({ moved: 0, ended: 0, kept: [] });
    await shift(id, -400 * day);
    expect(await summarise(id, gone)).toMatchObject({ code: 4004 });
    expect((await summarise(id, heir)).code).toBe(0);
  });

  test('of a person with a workflow grant is not handed over by an administrator who could not give that grant', async () => {
    const [named, heir] = [await app.person({ alias: '被指定的人' }), await app.person()];
    const { id } = await declared({ undertaker: named.id });
    await query(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
      select min(id), 'admin', 'user', ${String(named.id)} from workflow where not is_deleted`);
    const clerk = await app.clerk({ 'system/user': ['Retrieve', 'Update'] });
    const give = { params: { id: named.id }, body: { target_username: heir.username, kinds: ['activities'] } };
    const { message } = rightsBeyond('被指定的人');
    expect(await clerk.get(leaving.handOver, give)).toMatchObject({ moved: 0, kept: [{ id, msg: message }] });
    expect((await get(id)).undertaker_info).toMatchObject({ id: named.id });
    expect(await app.admin.get(leaving.handOver, give)).toMatchObject({ moved: 1, kept: [] });
  });

  test('may link to pages, but not to scripts', async () => {
    const id = await approved();
    await shift(id, -400 * day);
    const said = (news_link: string) => summarise(id, staff, { news_link });
    expect((await said('javascript:alert(1)')).msg).toBe('新闻链接：请填写以 http:// 或 https:// 开头的网址');
    expect((await declare({ online_link: 'javascript:alert(1)' })).msg).toBe(
      '线上链接：请填写以 http:// 或 https:// 开头的网址',
    );
    expect((await said('https://news.example.edu/1')).code).toBe(0);
    expect(await get(id)).toMatchObject({ activity_status: 3, news_link: 'https://news.example.edu/1' });
  });

  test('is reminded of once a day, weekly when late, and no more once handed in; after a return the reminders restart', async () => {
    await query(sql`update activity set activity_status = 3, summary = '好' where activity_status = 2`);
    const id = await approved();
    await shift(id, -400 * day);
    const due = dayOf(new Date());
    await query(sql`update activity set summary_due = ${due} where id = ${id}`);
    const told = async (days: number) => house.remind(new Date(Date.now() + days * day * 3_600_000));
    expect(await told(0)).toBe(1);
    expect(await told(0)).toBe(0);
    expect(await told(7)).toBe(2);
    expect(await told(8)).toBe(0);
    expect(await told(14)).toBe(2);
    expect(await titles(head)).toContain('活动总结逾期：读书会');
    expect(await summarise(id, head)).toRefuse(notYours);
    expect((await summarise(id)).code).toBe(0);
    expect(await told(21)).toBe(0);
    expect(await sendBack(id, head)).toRefuse(notYours);
    expect((await sendBack(id)).code).toBe(0);
    expect(await get(id)).toMatchObject({ activity_status: 2, summary: '圆满结束', summary_return: '请写明效果' });
    expect(await told(1)).toBe(1);
    expect((await summarise(id, staff, { summary: '师生反响热烈' })).code).toBe(0);
    expect((await sendBack(id)).msg).toContain('已退回过一次');
  });

  test('warns the department’s next declaration when it is late, and three late ones block it', async () => {
    const late = async () => {
      const id = await approved();
      await shift(id, -400 * day);
      return id;
    };
    const first = [await late()];
    const check = async () => staff.get(activityCalls.check, { body: { title: '新活动' } });
    const { late_summaries } = await get(first[0]!);
    expect(late_summaries).toBeGreaterThan(0);
    expect((await check()).verdict.warnings).toEqual([`主办部门有 ${late_summaries} 场活动逾期未总结`]);
    while ((await check()).refused === null) first.push(await late());
    expect((await check()).refused).toBe('主办部门有 3 场活动逾期未总结，请先提交总结再申报');
    expect((await declare()).msg).toBe('主办部门有 3 场活动逾期未总结，请先提交总结再申报');
    const filter = async (query: object) =>
      (await office.get(calls.list, { query: { per_page: 100, ...query } as never })).total;
    expect(await filter({ overdue_summary: true })).toBe(3);
    for (const id of first) await summarise(id);
    expect(await filter({ overdue_summary: true })).toBe(0);
    await query(
      sql`update activity set activity_status = 3, summary = '补', summary_return = '' where activity_status = 2`,
    );
  });
});

describe('cancelling an activity', () => {
  test('tells its leaders and offices once, and recalls messages not yet sent', async () => {
    const id = await approved({
      leaders: [principal.userId],
      room_id: hall,
      // A day that no other test uses: the result depends on the number of activities on it.
      start_time: at(50),
      end_time: at(50, '16:00'),
      safety_officer: colleague.userId,
      title: '校庆',
    });
    expect(await titles(principal)).toContain('活动已通过：校庆');
    expect((await cancel(id, office)).code).toBe(0);
    for (const who of [principal, keeper, colleague, staff])
      expect((await titles(who)).filter((title) => title === '活动取消：校庆')).toHaveLength(1);
    expect(await titles(stranger)).toEqual([]);
  });

  test('ends a pending change and frees the room it held', async () => {
    const id = await approved({ start_time: at(47), end_time: at(47, '16:00'), room_id: hall });
    await again(id, { start_time: at(48), end_time: at(48, '16:00') });
    const ticket = await changeTicket(id);
    expect((await cancel(id)).code).toBe(0);
    expect(await holds(id)).toEqual([]);
    expect((await house.standsIn(ticket)).act_state).toBe(5);
  });
});

describe('notes about guests', () => {
  test('are read by reviewers, the declarer and the office, and appear in nothing that others see', async () => {
    const canary = 'kanarie41';
    const secret = guest({ background: canary, phone: canary, name: '白鹭' });
    const { id, ticket_id } = await declared({
      guests: [secret],
      out_count: 60,
      safety_plan: await house.upload(staff),
      safety_officer: colleague.userId,
      safety_phone: '1',
      leaders: [principal.userId],
    });
    const reads = async (who: Client) => {
      const shown = await who.ask(calls.get, { params: { id } });
      return shown.code === 0 ? JSON.stringify(shown.data).includes(canary) : null;
    };
    await approve(ticket_id, { until: '保卫部门审核' });
    expect([await reads(staff), await reads(head), await reads(safety), await reads(office)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([await reads(principal), await reads(colleague), await reads(stranger)]).toEqual([false, false, null]);
    await approve(ticket_id);
    await again(id, { guests: [{ ...secret, topic: '改题' }], out_count: 60 });
    expect([await reads(principal), await reads(colleague)]).toEqual([false, false]);
    for (const who of [principal, colleague, stranger, keeper, foreign]) {
      const seen = [
        await who.ask(calls.list, { query: { per_page: 100 } }),
        await who.ask(calls.list, { query: { search_value: canary } }),
        await who.ask(activityCalls.guests, { query: { search_value: '白鹭' } }),
        await who.ask(activityCalls.leaders, { query: {} }),
      ];
      expect(JSON.stringify(seen)).not.toContain(canary);
    }
    expect((await office.get(calls.list, { query: { search_value: canary } })).total).toBe(0);
  });
});

describe('simultaneous actions on activities', () => {
  const both = async <T>(one: () => Promise<T>, other: () => Promise<T>) => Promise.all([one(), other()]);
  const codes = (answers: readonly { code: number }[]) => answers.map((one) => one.code).toSorted((a, b) => a - b);

  test('give one hall to one of two declarations, or to the declaration or a meeting', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const time = { room_id: room, start_time: at(60 + turn), end_time: at(60 + turn, '16:00') };
      expect(
        codes(
          await both(
            () => declare(time),
            () => declare(time, colleague),
          ),
        ),
      ).toEqual([0, taken.code]);
      const later = { room_id: room, start_time: `${at(70 + turn)}:00`, end_time: `${at(70 + turn, '16:00')}:00` };
      const user = viewerOf((await personWithRights(app.db, colleague.userId))!, 0);
      const meets = () =>
        app.services.databases
          .write((tx) => takeRoom(tx, { module: 'meetings', record_id: 900 + turn }, later, { user, now: new Date() }))
          .then(
            () => ({ code: 0 }),
            (stop: { code: number }) => ({ code: stop.code }),
          );
      expect(codes(await both(meets, () => declare(later)))).toEqual([0, taken.code]);
    }
  });

  test('approve and cancel one: the hall stays held exactly if the activity takes place', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const { id, ticket_id } = await declared({
        room_id: room,
        start_time: at(80 + turn),
        end_time: at(80 + turn, '16:00'),
      });
      await approve(ticket_id, { until: '分管领导审批' });
      await both(
        () => press(leader, ticket_id, '同意') as Promise<unknown>,
        () => cancel(id),
      );
      const { activity_status } = await get(id);
      expect(activity_status).toBe(4);
      expect(await holds(id)).toEqual([]);
    }
  });

  test('approve a change and cancel the activity: nothing stays held for the cancelled activity', async () => {
    const id = await approved({ room_id: room, start_time: at(90), end_time: at(90, '16:00') });
    await again(id, { start_time: at(91), end_time: at(91, '16:00') });
    const ticket = await changeTicket(id);
    await approve(ticket, { until: '分管领导审批' });
    await both(
      () => press(leader, ticket, '同意') as Promise<unknown>,
      () => cancel(id),
    );
    if ((await get(id)).activity_status !== 4) expect((await cancel(id)).code).toBe(0);
    expect(await holds(id)).toEqual([]);
  });

  test('hand in one summary twice: it counts once, and a return before or after it is consistent', async () => {
    const id = await approved();
    await shift(id, -400 * day);
    const { version } = await get(id);
    expect(
      codes(
        await both(
          () => summarise(id, staff, { version }),
          () => summarise(id, staff, { version }),
        ),
      )[0],
    ).toBe(0);
    await both(
      () => sendBack(id),
      () => sendBack(id),
    );
    expect(await get(id)).toMatchObject({ activity_status: 2, summary: '圆满结束' });
  });

  test('start one by the clock and cancel it: state and answers agree', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const id = await approved();
      await query(
        sql`update activity set start_time = now() - interval '1 hour', end_time = now() + interval '1 hour' where id = ${id}`,
      );
      await both(
        () => house.turn() as Promise<unknown>,
        () => cancel(id),
      );
      expect(await get(id)).toMatchObject({ activity_status: 4 });
    }
  });

  test('submit one while a rule is edited: the declaration and its ticket use the same version of the rule', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const most = turn % 2 === 0 ? 100 : 200;
      const plan = {
        safety_plan: await house.upload(staff),
        safety_officer: staff.userId,
        safety_phone: '1',
        in_count: 150,
      };
      const [made] = await Promise.all([
        declare(plan),
        office.ask(activityRuleCalls.saveRule, { body: { in_max: most } }),
      ]);
      const { id, ticket_id } = made.data;
      const [round] = (await get(id)).rounds;
      await approve(ticket_id, { until: '分管领导审批' });
      const [asked] = await query<{ n: number }>(
        sql`select count(*)::int n from ticket_task where ticket_id = ${ticket_id} and assignee_id = ${safety.userId}`,
      );
      expect(asked!.n > 0).toBe(round!.verdict.need_safety);
    }
    await office.get(activityRuleCalls.saveRule, { body: { in_max: 200 } });
  });

  test('edit one twice: the second editor gets the present state and loses no text', async () => {
    const id = await approved();
    const { version } = await get(id);
    expect((await staff.ask(calls.update, { params: { id }, body: { phone: '8009', version } })).code).toBe(0);
    const late = await staff.ask(calls.update, { params: { id }, body: { publicity_plan: '海报', version } });
    expect(late).toMatchObject({ code: 4011, data: { current: { phone: '8009' } } });
    expect(await get(id)).toMatchObject({ phone: '8009', publicity_plan: '' });
  });
});

test('an approved activity gets one album, which its organisers fill and its page links to', async () => {
  const id = await approved({ title: '校园歌手赛' });
  const rows = await query(sql`select c.id, c.name, c.manager_ids, p.name above from photo_category c
    left join photo_category p on p.id = c.parent_id where c.source_module = 'activities' and c.source_id = ${id}`);
  expect(rows).toMatchObject([{ name: '校园歌手赛', above: '活动', manager_ids: [staff.userId] }]);
  const { value } = await staff.get(links.list, { query: { module: 'activities', id } });
  const album = Number(rows[0]!['id']);
  expect(value).toMatchObject([
    { name: '照片', record: { module: 'photos', id: album, page: `/photo/list?category=${album}` } },
  ]);
});

test('an activity resubmitted unchanged needs no new approval; one with a visible change does, and the approver is shown it', async () => {
  await keepsFirst(app, 'activity');
  const { id, ticket_id: ticket } = await declared();
  const change = { leaders: [principal.userId] };
  const told = await sentBackTwice({ ticket, first: head, second: leader, again: (more) => again(id, more), change });
  expect(told).toEqual([['出席校领导', [], [principal.username]]]);
});
