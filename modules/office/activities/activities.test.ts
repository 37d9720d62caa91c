import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { rooms } from '#modules/platform/rooms/contract/rooms.ts';
import { taken } from '#modules/platform/bookings/contract.ts';
import { boardCalls } from './contract/board.ts';
import { judgedBefore, notConfirmed, notNow, notYours, tooLate, useCancel } from './contract/refusals.ts';
import { activityRuleCalls } from './contract/rules.ts';
import { activityCalls, at, calls, openHouse } from './testing/house.ts';

const house = await openHouse();
const { app, staff, head, stranger, colleague, principal, office, safety, publicity, foreign, keeper, hall, room } =
  house;
const { declare, declared, approved, get, again, cancel, holds, approve, press, standsIn } = house;
afterAll(() => app.close());
const statesOf = async (ticket: number) => (await standsIn(ticket)).states;
const needy = async (more: object = {}) => ({
  safety_plan: await house.upload(staff),
  safety_officer: staff.userId,
  safety_phone: '8002',
  in_count: 201,
  ...more,
});
const guest = (more: object = {}) => ({
  name: '李教授',
  org: '某大学',
  topic: '新技术',
  background: '长期合作',
  ...more,
});

describe('a declaration of an activity', () => {
  test('must end after it begins, also as a draft and in a change', async () => {
    const turned = { title: '写反了', start_time: at(20, '16:00'), end_time: at(20, '14:00') };
    const said = `结束时间：${turned.end_time} 不晚于开始时间 ${turned.start_time}，请核对`;
    expect(await staff.ask(calls.create, { body: turned as never })).toMatchObject({ code: 4000, msg: said });
    expect(await declare(turned)).toMatchObject({ code: 4000, msg: said });
    const draft = await staff.get(calls.create, { body: { ...turned, end_time: at(20, '17:00') } as never });
    const later = { title: '写反了', end_time: turned.end_time };
    expect(await again(draft.id, { ...later, submit: false })).toMatchObject({ code: 4000, msg: said });
    const id = await approved();
    expect((await again(id, { start_time: turned.start_time, end_time: turned.end_time })).msg).toBe(said);
  });

  test('is saved as a draft with only its title, and is submitted once everything that the rules require is filled in', async () => {
    const draft = await staff.get(calls.create, { body: { title: '想法' } as never });
    expect(await get(draft.id)).toMatchObject({ act_state: 0, undertaker: staff.userId, dept_name: '教务处' });
    const answer = await again(draft.id, {});
    expect(answer.code).toBe(4000);
    expect((answer.data as never as { errors: { field: string }[] }).errors.map((one) => one.field)).toEqual([
      'type_id',
      'phone',
      'content',
      'start_time',
      'end_time',
      'location',
      'in_count',
      'out_count',
    ]);
    expect((await again(draft.id, house.body({ title: '有想法' }))).code).toBe(0);
    expect(await get(draft.id)).toMatchObject({ act_state: 1, state_name: '部门负责人审核', title: '有想法' });
  });

  test('needs a safety plan above the threshold of participants, but not at it', async () => {
    expect((await declare({ in_count: 200, out_count: 50 })).code).toBe(0);
    const more = await declare({ in_count: 201 });
    expect(more.msg).toContain('安全预案');
    const { id } = await declared({ ...(await needy({ in_count: 10, out_count: 51 })) });
    expect((await get(id)).steps.map((step) => step.name)).toEqual(['部门负责人审核', '保卫部门审核', '分管领导审批']);
  });

  test('is judged by trial thresholds on last year’s activities without saving them', async () => {
    const id = await approved({ in_count: 150 });
    await app.services.databases.write((tx) =>
      tx.execute(
        sql`update activity set start_time = now() - interval '2 days', end_time = now() - interval '1 day' where id = ${id}`,
      ),
    );
    const tried = (query: object) => office.get(boardCalls.effect, { query: query as never });
    const [strict, lax] = [await tried({ in_max: 149 }), await tried({ in_max: 150 })];
    expect(strict.safety - lax.safety).toBe(1);
    expect([strict.total, strict.was_safety]).toEqual([lax.total, lax.was_safety]);
    expect((await office.get(activityRuleCalls.rule, {})).value.in_max).toBe(200);
    expect((await staff.ask(boardCalls.effect, { query: {} })).code).toBe(4003);
  });

  test('keeps the rules by which it was judged when a threshold is lowered later, and names their version', async () => {
    const { id, ticket_id } = await declared({ in_count: 150 });
    const { version } = await office.get(activityRuleCalls.rule, {});
    await office.get(activityRuleCalls.saveRule, { body: { in_max: 100, version } });
    await press(head, ticket_id, '同意');
    expect(await statesOf(ticket_id)).toEqual(['分管领导审批']);
    const { rounds } = await get(id);
    expect(rounds).toMatchObject([{ round: 1, rule_version: version, verdict: { need_safety: false } }]);
    expect((await declare({ in_count: 150 })).msg).toContain('安全预案');
    await office.get(activityRuleCalls.saveRule, { body: { in_max: 200 } });
    await expect(house.query(sql`update activity_round set rule_version = 9`)).rejects.toMatchObject({
      cause: { message: 'activity_round is append-only' },
    });
  });

  test('asks only the reviewers that its steps name, and its page says why each is asked', async () => {
    const { id, ticket_id } = await declared({
      ...(await needy()),
      type_id: 1,
      guests: [guest()],
      out_count: 1,
      room_id: hall,
    });
    expect((await get(id)).steps).toEqual([
      { key: 'head', name: '部门负责人审核', why: '' },
      { key: 'publicity', name: '宣传部门审核', why: '学术讲座须宣传部门审核' },
      { key: 'safety', name: '保卫部门审核', why: '校内 201 人超过 200 人，须保卫部门审核' },
      { key: 'place', name: '场地审核', why: '大礼堂须场地管理人员审核' },
      { key: 'leader', name: '分管领导审批', why: '' },
    ]);
    const waiting = async () =>
      Promise.all(
        [publicity, safety, foreign, keeper].map(
          async (who) => (await get(id, who).catch(() => null))?.actions.includes('approve') ?? false,
        ),
      );
    await approve(ticket_id, { until: '宣传部门审核' });
    expect(await waiting()).toEqual([true, false, false, false]);
    await approve(ticket_id, { until: '保卫部门审核' });
    expect(await waiting()).toEqual([false, true, false, false]);
    await approve(ticket_id, { until: '场地审核' });
    expect(await waiting()).toEqual([false, false, false, true]);
    await approve(ticket_id);
    expect(await get(id)).toMatchObject({ act_state: 4, activity_status: 0 });
  });

  test('with warnings is submitted only after they were confirmed, and one without warnings needs no confirmation', async () => {
    const small = await declare({ in_count: 150, out_count: 0, room_id: room, confirm: false });
    expect(small.code).toBe(0);
    const crowded = { ...(await needy({ in_count: 600 })), room_id: room };
    expect(await declare({ ...crowded, confirm: false })).toRefuse(notConfirmed);
    expect((await declare(crowded)).code).toBe(0);
  });

  test('with an external guest needs a note about them, and a note from a visit within a year is reused', async () => {
    expect((await declare({ guests: [guest({ background: '' })], out_count: 1 })).msg).toContain('背景说明');
    const id = await approved({ guests: [guest()], out_count: 1 });
    await house.shift(id, -24 * 60);
    const before = (await colleague.get(activityCalls.guests, { query: { search_value: '李教授' } })).value;
    expect(before).toMatchObject([{ name: '李教授', topic: '新技术', noted: true, approved_by: '王五' }]);
    expect(JSON.stringify(before)).not.toContain('长期合作');
    const known = guest({ background: '', note_of: before[0]!.id });
    const next = await declared({ guests: [known], out_count: 1 });
    const noted = expect.stringContaining('沿用') as string;
    expect((await get(next.id)).guests[0]).toMatchObject({ noted, background: '' });
    expect((await get(next.id, head)).guests[0]).toMatchObject({ noted, background: '长期合作' });
    expect((await declare({ guests: [{ ...known, name: '王教授' }], out_count: 1 })).msg).toContain('可沿用');
    await house.shift(id, -24 * 366);
    expect((await declare({ guests: [known], out_count: 1 })).msg).toContain('可沿用');
  });

  test('with a character that no font has is refused, naming the title or the guest that has it', async () => {
    const rare = '\u{3FFFD}';
    const [known, other] = [guest({ name: '李教授' }), guest({ name: `${rare}教授` })];
    const asked: [more: object, field: string, label: string][] = [
      [{ title: `${rare}读书会` }, 'title', '活动名称'],
      [{ guests: [known, other], out_count: 2 }, 'guests', '嘉宾第 2 位'],
    ];
    for (const [more, field, label] of asked) {
      const refused = await declare(more);
      expect(refused).toMatchObject({ code: 4000, data: { errors: [{ field, label }] } });
      expect(refused.msg).toContain(`${label}：“${rare}”没有可用的字体`);
    }
  });

  test('may name only existing nationalities and current employees, when submitted and when amended', async () => {
    const unknown = await declare({ guests: [guest({ nationality: 'ZZ' })], out_count: 1 });
    expect(unknown.msg).toContain('请选择国籍');
    const { id } = await declared(await needy());
    const amended = await staff.ask(calls.update, { params: { id }, body: { safety_officer: 9999 } as never });
    expect(amended.msg).toBe('安全负责人：所选人员已离岗或不存在，请重新选择');
    const backwards = await staff.ask(boardCalls.data, { query: { start: '2026-03-02', end: '2026-03-01' } });
    expect(backwards.msg).toContain('结束日期 2026-03-01 早于开始日期 2026-03-02');
  });

  test('shows a leader with two confidential activities at one time as busy only once', async () => {
    const time = { start_time: at(120), end_time: at(120, '16:00') };
    for (const title of ['一', '二']) await declared({ ...time, title, leaders: [principal.userId] });
    const { value } = await stranger.get(activityCalls.leaders, { query: time });
    const busy = value.find((one) => one.id === principal.userId)!.busy;
    expect(busy).toEqual([`${time.start_time.slice(5)}–16:00 已有活动`]);
  });

  test('whose rules changed since it was judged can be submitted only through its own page', async () => {
    const { id, ticket_id } = await declared({ submit: false, in_count: 201 });
    expect(await press(staff, ticket_id, '提交申报')).toMatchObject({ code: 4000 });
    expect((await again(id, { ...(await needy()), submit: false })).code).toBe(0);
    await office.get(activityRuleCalls.saveRule, { body: { in_max: 300 } });
    expect(await press(staff, ticket_id, '提交申报')).toRefuse(judgedBefore);
    await office.get(activityRuleCalls.saveRule, { body: { in_max: 200 } });
    expect((await press(staff, ticket_id, '提交申报')).code).toBe(0);
  });
});

describe('the lead time of a declaration', () => {
  test('refuses one that is too late with the earliest day, unless it has an urgent reason, which every approver sees', async () => {
    const soon = { start_time: at(1), end_time: at(1, '16:00') };
    expect(await declare(soon)).toRefuse(tooLate);
    const { id, ticket_id } = await declared({ submit: false, ...soon });
    expect(await again(id, {})).toRefuse(tooLate);
    expect(await press(staff, ticket_id, '提交申报')).toRefuse(tooLate);
    expect((await again(id, { urgent_reason: '上级临时通知' })).code).toBe(0);
    expect(await get(id, head)).toMatchObject({ urgent: true, urgent_reason: '上级临时通知' });
    expect((await head.get(tickets.get, { params: { id: ticket_id } })).value.title).toBe('【急办】读书会');
  });

  test('is longer with foreign guests', async () => {
    const soon = { start_time: at(8), end_time: at(8, '16:00') };
    expect((await declare(soon)).code).toBe(0);
    const answer = await declare({ ...soon, guests: [guest({ nationality: 'US' })], out_count: 1 });
    expect(answer).toRefuse(tooLate);
    expect(answer.msg).toContain('10 个工作日');
  });
});

describe('a hall in a declaration', () => {
  test('is held while the declaration waits, and is freed by refusal, withdrawal, cancelling and deletion', async () => {
    const time = { start_time: at(100), end_time: at(100, '16:00'), room_id: hall };
    const other = async () => (await declare({ ...time, title: '抢占' }, colleague)).code;
    const first = await declared(time);
    expect(await holds(first.id)).toMatchObject([{ resource_id: hall, state: 'held', slot: '' }]);
    const second = await declare(time, colleague);
    expect(second.code).toBe(taken.code);
    expect(second.msg).toContain('大礼堂');
    await press(head, first.ticket_id, '退回申报人', { suggestion: '改期' });
    expect(await holds(first.id)).toEqual([]);
    expect((await again(first.id, {})).code).toBe(0);
    expect(await holds(first.id)).toHaveLength(1);
    await staff.get(ticketActions.retreat, {
      params: { id: first.ticket_id },
      body: { suggestion: '再想想' },
    });
    expect(await holds(first.id)).toEqual([]);
    expect((await again(first.id, {})).code).toBe(0);
    expect((await cancel(first.id)).code).toBe(0);
    expect(await get(first.id)).toMatchObject({ act_state: 5, activity_status: 4, cancel_reason: '主讲人生病' });
    expect(await holds(first.id)).toEqual([]);
    const third = await declared(time);
    await press(head, third.ticket_id, '退回申报人', { suggestion: '改期' });
    await staff.get(ticketActions.close, { params: { id: third.ticket_id }, body: { suggestion: '不办了' } });
    expect(await other()).toBe(0);
  });

  test('is confirmed with the approval, and freed in the same transaction as the cancelling', async () => {
    const id = await approved({ room_id: hall });
    expect(await holds(id)).toMatchObject([{ state: 'confirmed' }]);
    expect(await cancel(id, stranger)).toMatchObject({ code: 4004 });
    expect(await cancel(id, keeper)).toRefuse(notYours);
    expect(await cancel(id, principal)).toRefuse(notYours);
    expect((await cancel(id, head)).code).toBe(0);
    expect(await get(id)).toMatchObject({ act_state: 4, activity_status: 4 });
    expect(await holds(id)).toEqual([]);
    expect(await cancel(id)).toRefuse(notNow);
  });

  test('of an approved activity cannot be freed by an action on the activity’s ticket', async () => {
    const id = await approved({ room_id: hall });
    const params = { id: (await get(id)).ticket_id! };
    const body = { suggestion: '重审' };
    const answers = [
      await app.admin.ask(ticketActions.state, { params, body: { ...body, state_id: 2 } as never }),
      await app.admin.ask(ticketActions.revoke, { params, body }),
    ];
    for (const answer of answers) expect(answer).toRefuse(useCancel, '读书会');
    expect((await app.admin.ask(ticketActions.close, { params, body })).msg).toMatch(/^工单已通过，不能关闭/);
    expect(await get(id)).toMatchObject({ act_state: 4, activity_status: 0 });
    expect(await holds(id)).toMatchObject([{ state: 'confirmed' }]);
  });

  test('shows on the day of rooms the title of the activity only to those who may see it', async () => {
    const start = at(101);
    await approved({ room_id: hall, start_time: start, end_time: at(101, '16:00'), title: '内部活动' });
    const { roomTimes } = await import('#modules/platform/rooms/contract/looks.ts');
    const blocks = async (who = staff) =>
      (await who.get(roomTimes.day, { query: { date: start.slice(0, 10) } })).rooms.flatMap((one) =>
        one.blocks.map((block) => block.title),
      );
    expect(await blocks()).toEqual(['内部活动']);
    expect(await blocks(colleague)).toEqual(['已占用']);
    expect((await keeper.get(rooms.simple, { query: {} })).value.length).toBeGreaterThan(1);
  });
});

test('a clash or a guest’s note does not reveal another activity’s title to somebody who may not read it', async () => {
  const [title, where] = ['kanarie 校史讲座', '操场西侧'];
  const speaker = { name: '钱教授', org: '外校', background: '多次来访' };
  const first = await house.approved({ title, location: where, out_count: 5, guests: [speaker] }, house.office);
  await house.query(sql`update activity set activity_status = 1 where id = ${first}`);
  const [row] = await house.query<{ id: number; start: string; end: string }>(sql`
    select g.id, to_char(a.start_time, 'YYYY-MM-DD HH24:MI') as start, to_char(a.end_time, 'YYYY-MM-DD HH24:MI') as end
    from activity_guest g join activity a on a.id = g.activity_id where a.id = ${first}`);
  await house.query(sql`update activity set start_time = now() - interval '1 day' where id = ${first}`);
  const said = {
    start_time: row!.start,
    end_time: row!.end,
    location: where,
    undertaker: house.stranger.userId,
    out_count: 5,
  };
  const { id } = await house.declared(
    { ...said, guests: [{ ...speaker, background: '', note_of: row!.id }] },
    house.office,
  );
  expect((await house.stranger.ask(calls.get, { params: { id: first } })).code).toBe(4004);
  const shown = await house.get(id, house.stranger);
  expect(shown.rounds[0]!.verdict.warnings.join()).toContain('地点相同');
  expect(JSON.stringify(shown)).not.toContain('kanarie');
  expect(shown.guests[0]!.noted).toContain('沿用');
});
