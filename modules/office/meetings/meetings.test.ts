import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { keepsFirst, sentBackTwice } from '#modules/workflow/records/testing/keeping.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { rightsBeyond } from '#modules/platform/people/contract/refusals.ts';
import { cancelledBare } from './contract/meetings.ts';
import { tooManyThisWeek, roomTooSmall, useCancel } from './contract/refusals.ts';
import { signing } from './contract/signing.ts';
import { calls, expectOk, on, openMeetings, period } from './testing/house.ts';

let house: Awaited<ReturnType<typeof openMeetings>>;
beforeAll(async () => void (house = await openMeetings()));
afterAll(() => house.office.close());
const of = (id: number) => ({ params: { id } });

describe('a meeting', () => {
  test('in a room without approval is approved when it is submitted, and has the room', async () => {
    const room_id = await house.room();
    const id = await house.meet({ room_id });
    expect(await house.get(id)).toMatchObject({ act_state: 4, meet_status: 0, room_id, asked: 1 });
    expect(await house.times(room_id)).toEqual([`${id} 09:00–10:00`]);
  });

  test('in a room with approval waits for the head and the keeper, and blocks the time meanwhile', async () => {
    const room_id = await house.room({}, house.strict);
    const id = await house.meet({ room_id });
    expect((await house.get(id)).act_state).toBe(1);
    expect((await house.blocks(room_id))[0]).toMatchObject({ held: true });
    expect((await house.ask({ room_id, ...period('09:30', '10:30') }, house.colleague)).code).toBe(4009);
    await house.agree(id);
    expect((await house.get(id)).act_state).toBe(4);
    expect((await house.blocks(room_id))[0]).toMatchObject({ held: false });
  });

  test('names what is missing when it is submitted, and keeps what is there as a draft', async () => {
    const answer = await house.staff.ask(calls.create, { body: { title: '未定', submit: true } as never });
    expect(answer.msg).toContain('开始时间：请填写');
    const id = (await house.staff.get(calls.create, { body: { title: '未定' } as never })).id;
    expect(await house.get(id)).toMatchObject({ act_state: 0, start_time: null });
    expect((await house.ask({ ...period('09:00', '10:00', -1), location: '操场' })).msg).toContain('已过');
  });

  test('that is returned, withdrawn or cancelled frees its room and its quota in the same transaction', async () => {
    const office = await house.made('限次会务', { max_per_user_week: 1, need_approve: true });
    const room_id = await house.room({}, office);
    const ends: ((id: number) => Promise<unknown>)[] = [
      (id) => house.decide(id, house.head, '退回起草人'),
      async (id) =>
        house.staff.ask(ticketActions.retreat, {
          ...of((await house.get(id)).ticket_id!),
          body: { suggestion: '改期' } as never,
        }),
      (id) => house.staff.ask(calls.cancel, { ...of(id), body: { reason: '不开了' } as never }),
      async (id) => {
        await house.agree(id);
        return house.keeper.ask(calls.cancel, { ...of(id), body: { reason: '停电' } as never });
      },
    ];
    for (const end of ends) {
      const id = await house.meet({ room_id });
      expect(await house.ask({ room_id, ...period('15:00', '16:00') })).toRefuse(tooManyThisWeek);
      expectOk((await end(id)) as { code: number; msg: string });
      expect(await house.times(room_id)).toEqual([]);
    }
    await house.consistent();
  });

  test('that was approved is undone by no action on its ticket; closed before, it keeps its content', async () => {
    const room_id = await house.room({}, house.strict);
    const id = await house.meet({ room_id });
    const { ticket_id } = await house.get(id);
    const acts = (suggestion: string) => {
      const asked = { ...of(ticket_id!), body: { suggestion } };
      return {
        state: () => house.clerk.ask(ticketActions.state, { ...asked, body: { suggestion, state_id: 2 } as never }),
        close: () => house.clerk.ask(ticketActions.close, asked),
        revoke: () => house.clerk.ask(ticketActions.revoke, asked),
      };
    };
    await house.agree(id);
    const again = acts('重审');
    for (const act of [again.state, again.revoke]) expect(await act()).toRefuse(useCancel);
    expect((await again.close()).msg).toMatch(/^工单已通过，不能关闭/);
    const { actions } = await house.get(id, house.clerk);
    expect(actions.filter((action) => ['state', 'close', 'revoke'].includes(action))).toEqual([]);
    expect(await house.get(id)).toMatchObject({ act_state: 4, meet_status: 0 });
    expect(await house.times(room_id)).toEqual([`${id} 09:00–10:00`]);
    expectOk(await house.staff.ask(calls.cancel, { ...of(id), body: { reason: '不开了' } as never }));
    const other = await house.meet({ room_id });
    const ticket = of((await house.get(other)).ticket_id!);
    expectOk(await house.clerk.ask(ticketActions.close, { ...ticket, body: { suggestion: '礼堂检修' } }));
    expect(await house.get(other)).toMatchObject({ act_state: 5, meet_status: 3, cancel_reason: '礼堂检修' });
    await house.consistent();
  });

  test('that was returned is resubmitted with the room it now asks for', async () => {
    const room_id = await house.room({}, house.strict);
    const id = await house.meet({ room_id });
    await house.decide(id, house.head, '退回起草人');
    expectOk(await house.staff.ask(calls.again, { ...of(id), body: { ...period('13:00', '14:00') } as never }));
    expect(await house.times(room_id)).toEqual([`${id} 13:00–14:00`]);
  });

  test('next to another is no clash, and the buffer is applied once, whatever the body says', async () => {
    const room_id = await house.room({ buffer_minutes: 15 });
    await house.meet({ room_id });
    expect((await house.ask({ room_id, ...period('10:00', '11:00'), buffer_minutes: 0, padding: 0 })).code).toBe(4009);
    await house.meet({ room_id, ...period('10:15', '11:00') });
    await house.meet({ room_id, ...period('08:00', '08:45') });
  });

  test('with more people than seats asks once for confirmation', async () => {
    const room_id = await house.room({ capacity: 2 });
    const audience = { users: [house.head.userId, house.colleague.userId] };
    expect(await house.ask({ room_id, audience })).toRefuse(roomTooSmall);
    const id = await house.meet({ room_id, audience, confirm: true });
    expect((await house.get(id)).attend_count).toBe(3);
  });

  test('is seen by its participants, the room’s keeper and, if public, everybody; otherwise a room’s day says 已占用', async () => {
    const room_id = await house.room();
    const id = await house.meet({
      room_id,
      audience: { users: [house.head.userId] },
      location: '',
      online_url: 'https://a.cn/1',
      mode: 3,
    });
    for (const who of [house.head, house.keeper]) expect((await house.get(id, who)).title).toBe('例会');
    expect((await house.stranger.ask(calls.get, of(id))).code).toBe(4004);
    const seen = async (who: Client) =>
      (await who.get(roomTimes.day, { query: { date: on(1, '00:00').slice(0, 10) } })).rooms.find(
        (one) => one.id === room_id,
      )!.blocks[0]!.title;
    expect(await seen(house.stranger)).toBe('已占用');
    expect(await seen(house.head)).toBe('例会');
    const open = await house.meet({
      room_id,
      ...period('11:00', '12:00'),
      is_public: true,
      mode: 3,
      online_url: 'https://a.cn/2',
    });
    expect(await house.get(open, house.stranger)).toMatchObject({ online_url: '', attendees: null });
  });
});

describe('the content of a meeting', () => {
  test('may link to pages but not scripts, has no guest twice, and its minutes are text', async () => {
    const online = { mode: 2, online_url: 'javascript:alert(1)' };
    expect((await house.ask(online)).msg).toBe('线上会议链接：请填写以 http:// 或 https:// 开头的网址');
    const id = await house.meet({ mode: 2, online_url: 'https://a.cn/1' });
    const guest = (name: string) => ({ name, mobile: '13800138000' });
    const guests = [guest('李教授'), guest('王教授')];
    const twice = await house.staff.ask(calls.edit, { ...of(id), body: { guests } as never });
    expect(twice.msg).toBe('校外人员：王教授的手机号与另一位校外人员相同，请核对或只留一位');
    const kept = await house.staff.ask(calls.edit, { ...of(id), body: { agenda: '新' } as never });
    expect(kept.code).toBe(0);
    expect((await house.get(id)).online_url).toBe('https://a.cn/1');
    const minutes = await house.staff.ask(signing.end, { ...of(id), body: { minutes: 'a\u0001' } as never });
    expect(minutes.msg).toBe('会议纪要：不能包含控制字符');
  });

  test('passes to another host when the host leaves, once even if handed over twice at the same time', async () => {
    const [gone, heir] = [await house.hire('离岗人', {}), await house.hire('接手人', {})];
    const id = await house.meet({ host_id: gone.userId, recorder_id: gone.userId, location: '主楼' });
    const body = { target_username: heir.username, kinds: ['meetings'] };
    const give = { params: { id: gone.userId }, body } as never;
    const all = await Promise.all([1, 2, 3].map(() => house.office.admin.ask(leaving.handOver, give)));
    expect(all.map((one) => one.code)).toEqual([0, 0, 0]);
    expect(all.map((one) => one.data.moved).toSorted()).toEqual([0, 0, 1]);
    expect(await house.get(id)).toMatchObject({ host_id: heir.userId, recorder_id: heir.userId });
  });

  test('of a person with a workflow grant is not handed over by an administrator who could not give that grant', async () => {
    const { office } = house;
    const [named, heir] = [await office.person({ alias: '被指定的人' }), await office.person()];
    const id = await house.meet({ host_id: named.id, location: '主楼' });
    await office.services.databases.write((tx) =>
      tx.execute(sql`insert into workflow_grant (workflow_id, permission, holder_type, holder)
        select min(id), 'admin', 'user', ${String(named.id)} from workflow where not is_deleted`),
    );
    const keeper = await office.clerk({ 'system/user': ['Retrieve', 'Update'] });
    const give = { params: { id: named.id }, body: { target_username: heir.username, kinds: ['meetings'] } };
    const { message } = rightsBeyond('被指定的人');
    expect(await keeper.get(leaving.handOver, give)).toMatchObject({ moved: 0, kept: [{ id, msg: message }] });
    expect(await house.get(id)).toMatchObject({ host_id: named.id });
    expect(await office.admin.get(leaving.handOver, give)).toMatchObject({ moved: 1, kept: [] });
  });
});

describe('a change of a meeting', () => {
  test('to a room without approval takes effect at once, tells old and new, and asks for new answers', async () => {
    const room_id = await house.room();
    const id = await house.meet({ title: '改期的会', room_id, audience: { users: [house.head.userId] } });
    expectOk(await house.head.ask(calls.reply, { ...of(id), body: { reply: 1 } as never }));
    expect(
      await house.staff.get(calls.edit, { ...of(id), body: { ...period('14:00', '15:00'), reason: '撞课' } as never }),
    ).toMatchObject({ change: null });
    expect(await house.times(room_id)).toEqual([`${id} 14:00–15:00`]);
    expect(await house.get(id)).toMatchObject({ coming: 0, unanswered: 2 });
    // The person who moved it has to answer anew, too.
    for (const who of [house.head, house.staff])
      expect(await house.heard(who, '改期的会')).toContain('会议变更：改期的会');
    expectOk(
      await house.staff.ask(calls.edit, { ...of(id), body: { agenda: '一、工作汇报', materials: [] } as never }),
    );
    expect(await house.heard(house.head, '会议变更')).toHaveLength(1);
  });

  test('that needs approval leaves the meeting as it is until then, and after a refusal', async () => {
    const room_id = await house.room({}, house.strict);
    const id = await house.meet({ room_id });
    await house.agree(id);
    const wanted = { ...period('09:30', '10:30'), reason: '客人晚到' };
    const change = async () => (await house.staff.get(calls.edit, { ...of(id), body: wanted as never })).change!;
    expect(await change()).toMatchObject({ act_state: 1 });
    const before = await house.get(id);
    expect(before).toMatchObject({
      act_state: 4,
      start_time: on(1, '09:00'),
      change_pending: true,
      change: { start_time: on(1, '09:30') },
    });
    for (const other of [period('09:00', '09:30'), period('10:00', '10:30')])
      expect((await house.ask({ room_id, ...other }, house.colleague)).code).toBe(4009);
    expectOk(await house.decide(id, house.keeper, '退回起草人', before.change!.ticket_id!));
    expect(await house.get(id)).toMatchObject({ act_state: 4, start_time: on(1, '09:00') });
    expect(await house.times(room_id)).toEqual([`${id} 09:00–10:00`]);
    await house.consistent();
    expectOk(await house.staff.ask(calls.dropChange, of(id)));
    expect(await change()).toMatchObject({ act_state: 1 });
    expectOk(await house.decide(id, house.keeper, '同意', (await house.get(id)).change!.ticket_id!));
    expect(await house.get(id)).toMatchObject({ act_state: 4, start_time: on(1, '09:30'), change: null });
    expect(await house.times(room_id)).toEqual([`${id} 09:30–10:30`]);
    await house.consistent();
  });

  test('of its people tells only those added and removed', async () => {
    const id = await house.meet({
      location: '操场',
      audience: { users: [house.head.userId, house.colleague.userId] },
      title: '换人会',
    });
    expectOk(
      await house.staff.ask(calls.edit, {
        ...of(id),
        body: { audience: { users: [house.head.userId, house.librarian.userId] } } as never,
      }),
    );
    const about = (who: Client) => house.heard(who, '换人会');
    expect(await about(house.head)).toEqual(['会议通知：换人会']);
    expect(await about(house.librarian)).toEqual(['会议通知：换人会']);
    expect((await about(house.colleague)).toSorted()).toEqual(['不必参加：换人会', '会议通知：换人会']);
  });

  test('that still waits for approval may concern only its wording', async () => {
    const room_id = await house.room({}, house.strict);
    const id = await house.meet({ room_id });
    expectOk(await house.staff.ask(calls.edit, { ...of(id), body: { agenda: '一、汇报' } as never }));
    expect((await house.staff.ask(calls.edit, { ...of(id), body: period('11:00', '12:00') as never })).msg).toContain(
      '撤回',
    );
  });
});

describe('a person invited to a meeting', () => {
  test('is told once, however often it is sent; a later member of the department is told once invited', async () => {
    const dept = await house.office.dept('新设部门', house.dept);
    const first = await house.hire('先到', { dept });
    const id = await house.meet({ location: '礼堂', audience: { depts: [dept] }, notify: false });
    expect(await house.get(id)).toMatchObject({ asked: 0 });
    expect(await house.staff.get(calls.send, { ...of(id), body: {} as never })).toMatchObject({ sent: 2 });
    expect(await house.staff.get(calls.sendByGet, { ...of(id), query: {} as never })).toMatchObject({
      sent: 0,
      skipped: 2,
    });
    const second = await house.hire('后到', { dept });
    expect(await house.staff.get(calls.notice, { ...of(id), body: { expand: true } as never })).toMatchObject({
      sent: 1,
    });
    for (const who of [first, second]) expect(await house.heard(who, '会议通知')).toHaveLength(1);
  });

  test('answers until it starts, and gives a reason for declining', async () => {
    const id = await house.meet({ location: '礼堂', audience: { users: [house.head.userId, house.colleague.userId] } });
    const answer = (who: Client, body: object) => who.ask(calls.reply, { ...of(id), body: body as never });
    expect((await answer(house.head, { reply: 2 })).msg).toContain('请假原因');
    expectOk(await answer(house.head, { reply: 2, reason: '出差' }));
    expect((await answer(house.stranger, { reply: 1 })).code).toBe(4004);
    expect(await house.get(id)).toMatchObject({ excused: 1, unanswered: 2 });
    const { receipts } = await house.staff.get(calls.receipts, of(id));
    expect(receipts).toMatchObject({ total: 3, late: 2, to_urge: 1 });
    // The person who urges has not answered either, but needs no message.
    expect(await house.staff.get(calls.notice, { ...of(id), body: { urge: true } as never })).toMatchObject({
      sent: 1,
    });
    expect((await house.staff.ask(calls.notice, { ...of(id), body: { urge: true } as never })).code).toBe(4029);
    expectOk(await answer(house.colleague, { reply: 1 }));
    // The person who urges is the only one without an answer.
    expect(await house.staff.get(calls.receipts, of(id))).toMatchObject({ urge_wait: 0, receipts: { to_urge: 0 } });
    expect((await house.staff.ask(calls.notice, { ...of(id), body: { urge: true } as never })).msg).toBe(
      '没有可催的人：未回复的只有您本人，或已离职',
    );
  });

  test('may send a substitute, who counts once they accept', async () => {
    const id = await house.meet({ location: '礼堂', audience: { users: [house.head.userId, house.colleague.userId] } });
    const answer = (who: Client, body: object) => who.ask(calls.reply, { ...of(id), body: body as never });
    expect((await answer(house.head, { reply: 3, substitute_id: house.colleague.userId })).msg).toContain(
      '本来就要参加',
    );
    expectOk(await answer(house.head, { reply: 3, substitute_id: house.librarian.userId }));
    const line = async () => (await house.get(id)).attendees!.find((one) => one.user_info.id === house.head.userId)!;
    expect(await line()).toMatchObject({ substitute_state: 0, substitute_info: null });
    expect(await house.get(id)).toMatchObject({ coming: 0, unanswered: 3 });
    expect((await house.get(id, house.librarian)).mine).toMatchObject({ for_info: { id: house.head.userId } });
    expectOk(await answer(house.librarian, { accept: true }));
    expect((await line()).substitute_info?.id).toBe(house.librarian.userId);
    expect(await house.get(id)).toMatchObject({ coming: 1, unanswered: 2 });
    expect((await house.librarian.get(calls.attend, { query: {} as never })).value.map((one) => one.id)).toContain(id);
    expectOk(await answer(house.head, { reply: 1 }));
    expect(await house.heard(house.librarian, '不必替会')).toHaveLength(1);
    expect((await house.librarian.ask(calls.get, of(id))).code).toBe(4004);
  });
});

test('a meeting is cancelled at its own address only, and participants read if no reason was given', async () => {
  const id = await house.meet({ location: '操场' });
  const { bytes } = await house.staff.send(`/api/meet/${id}/cancel/`);
  expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({ code: 0 });
  expect(await house.get(id)).toMatchObject({ meet_status: 3, cancel_reason: cancelledBare });
  const asked = await house.staff.ask(calls.cancel, {
    ...of(await house.meet({ location: '操场' })),
    body: {} as never,
  });
  expect(asked).toMatchObject({ code: 4000, msg: '原因：请填写' });
});

test('only the office displaces a meeting for a higher-ranking one, and its caller is offered three alternatives', async () => {
  const room_id = await house.room();
  for (let n = 0; n < 3; n += 1) await house.room();
  const id = await house.meet({ room_id, type_id: 4, title: '让位会' });
  const higher = async (type_id: number) =>
    (
      await house.keeper.get(calls.create, {
        body: { ...house.body({ room_id, type_id, title: `会${type_id}` }), submit: false } as never,
      })
    ).id;
  const displace = (for_id: number, who = house.keeper, more: object = {}) =>
    who.ask(calls.displace, { ...of(id), body: { for_id, reason: '校务', ...more } as never });
  expect((await displace(await higher(4))).msg).toContain('只能为级别更高的会议让位');
  const [one] = [await higher(1)];
  expect((await displace(one, house.staff)).code).toBe(4003);
  expectOk(await displace(one));
  expect(await house.get(id)).toMatchObject({ meet_status: 3, act_state: 4 });
  // The slot is held for the meeting that displaced it, so nobody else can book it.
  expect(await house.times(room_id)).toHaveLength(1);
  expect((await house.ask({ room_id, title: '插队的会' }, house.colleague)).code).toBe(4009);
  expect((await house.ask({ room_id, title: '要开的会' }, house.keeper)).code).toBe(0);
  expect((await house.get(id)).cancel_reason.match(/会议室/g)!.length).toBeGreaterThanOrEqual(3);
});

test('a meeting’s wording is edited by its organiser, host and minute taker, its time and people by creator and office', async () => {
  const { head, colleague, librarian, staff } = house;
  const people = { contact_id: head.userId, recorder_id: colleague.userId, host_id: librarian.userId };
  const id = await house.meet({ ...people, location: '礼堂' });
  const edit = (who: Client, body: object) => who.ask(calls.edit, { ...of(id), body: body as never });
  for (const who of [head, colleague, librarian]) {
    expect((await edit(who, { host_id: who.userId, location: '操场' })).code).toBe(4003);
    expectOk(await edit(who, { agenda: '议程' }));
    expect((await house.get(id, who)).actions).not.toContain('move');
  }
  const cancel = (who: Client) => who.ask(calls.cancel, { ...of(id), body: { reason: '改期', scope: 'this' } });
  for (const who of [head, colleague]) expect((await cancel(who)).code).toBe(4003);
  expect((await house.get(id, staff)).actions).toEqual(expect.arrayContaining(['move', 'cancel']));
  expectOk(await cancel(librarian));
});

test('a meeting that is over or cancelled displaces none, and one that is not public is not named', async () => {
  const room_id = await house.room();
  const id = await house.meet({ room_id, type_id: 4, title: '周例会' });
  const wanted = { room_id, type_id: 1, title: '人事任免专题会' };
  const draft = async () =>
    (await house.keeper.get(calls.create, { body: { ...house.body(wanted), submit: false } as never })).id;
  const displace = (for_id: number) =>
    house.keeper.ask(calls.displace, { ...of(id), body: { for_id, reason: '校务' } as never });
  const gone = await house.meet({ ...wanted, room_id: await house.room() });
  expectOk(await house.staff.ask(calls.cancel, { ...of(gone), body: { reason: '取消', scope: 'this' } as never }));
  await house.office.services.databases.pool.query(`update meet set room_id = ${room_id} where id = ${gone}`);
  expect((await displace(gone)).msg).toBe('“人事任免专题会”已取消，不再等这段时间，请选择尚未通过的会议');
  const one = await draft();
  expectOk(await displace(one));
  const { cancel_reason } = await house.get(id);
  expect(cancel_reason).toContain('为级别更高的会议让位：校务');
  expect(cancel_reason).not.toContain('人事任免');
});

test('actions without effect are not offered: a notice when everybody was told, the sign-in screen days before', async () => {
  const told = await house.meet({ location: '礼堂', sign_mode: 1, audience: { users: [house.head.userId] } });
  expect((await house.get(told)).actions).toContain('notice');
  expect((await house.get(told)).actions).not.toContain('send');
  expect((await house.get(told)).actions).not.toContain('screen');
  const quiet = await house.meet({ location: '礼堂', notify: false, audience: { users: [house.head.userId] } });
  expect((await house.get(quiet)).actions).toContain('send');
});

test('a meeting resubmitted unchanged needs no new approval; one with a visible change does, and the approver is shown it', async () => {
  await keepsFirst(house.office, 'meeting');
  const id = await house.meet({ room_id: await house.room({}, house.strict), topics: [{ title: '期中检查' }] });
  const told = await sentBackTwice({
    ticket: (await house.get(id)).ticket_id!,
    first: house.head,
    second: house.keeper,
    again: (more) => house.staff.ask(calls.again, { ...of(id), body: more as never }),
    change: { topics: [{ title: '期末安排' }] },
  });
  expect(told).toEqual([['议题', expect.stringMatching(/^共 1 项/), expect.stringMatching(/^共 1 项/)]]);
});
