import { leastCost } from '#kernel/server/testing/cost.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { counted } from '#apps/server/testing/counted.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { meetCalls } from './contract/meetings.ts';
import { minutes } from './contract/minutes.ts';
import { signing } from './contract/signing.ts';
import { openMeetings, period } from './testing/house.ts';
import { timesOf } from './testing/passing.ts';

let house: Awaited<ReturnType<typeof openMeetings>>;
let times: ReturnType<typeof timesOf>;
beforeAll(async () => {
  house = await openMeetings();
  times = timesOf(house);
});
afterAll(() => house.office.close());
const strict = () => house.room({ checkin_required: true, auto_release_minutes: 15 });
const checkin = (id: number) => house.staff.ask(signing.checkin, { params: { id } });
const dayFrom = (id: number) => house.get(id).then((one) => [one.meet_status, one.released]);

describe('a room that requires check-in', () => {
  test('is released some minutes after the start without a check-in, and counted as not used', async () => {
    const id = await house.meet({ room_id: await strict(), title: '无人到场' });
    await times.begin(id, -16);
    await times.pass();
    expect(await dayFrom(id)).toEqual([3, true]);
    expect((await house.get(id)).cancel_reason).toBe('未到场自动释放');
    const { rows } = await house.office.db.execute(
      sql`select 1 from booking where record_id = ${id} and free_at > now()`,
    );
    expect(rows).toEqual([]);
    expect(await house.heard(house.staff, '无人到场')).toContain('会议室已释放：无人到场');
    await house.consistent();
  });

  test('is kept by a check-in or by a participant’s signing in', async () => {
    const id = await house.meet({ room_id: await strict() });
    await times.begin(id, -3);
    expect((await checkin(id)).code).toBe(codes.ok);
    await times.pass(20);
    expect((await dayFrom(id))[0]).toBe(1);
    await house.staff.get(signing.end, { params: { id }, body: {} });
  });

  test('belongs to one of both when somebody checks in at the moment it is released', async () => {
    for (let round = 0; round < 12; round += 1) {
      const id = await house.meet({ room_id: await strict(), title: `同时${round}` });
      await times.begin(id, -16);
      const [came] = await Promise.all([checkin(id), times.pass()]);
      await times.pass();
      const [status, released] = await dayFrom(id);
      expect([status, released], `${came.code} ${came.msg}`).toEqual(came.code === codes.ok ? [1, false] : [3, true]);
      if (status === 1) await house.staff.get(signing.end, { params: { id }, body: {} });
    }
    await house.consistent();
  }, 180_000);

  test('is released once by two nodes, and also after downtime', async () => {
    const room = await house.room({ checkin_required: true, auto_release_minutes: 10 });
    const id = await house.meet({ room_id: room, title: '两个节点' });
    await times.begin(id, -45, 60);
    await Promise.all([times.pass(), times.pass()]);
    await times.pass();
    expect(await dayFrom(id)).toEqual([3, true]);
    expect((await house.heard(house.staff, '两个节点')).filter((one) => one.startsWith('会议室已释放'))).toHaveLength(
      1,
    );
  });
});

describe('the clock of meetings', () => {
  test('starts a meeting, and ends it a quarter of an hour after its end or when the next one begins', async () => {
    const room = await house.room();
    const [first, second] = [
      await house.meet({ room_id: room }),
      await house.meet({ room_id: room, ...period('11:00', '12:00') }),
    ];
    await times.begin(first, -70, 60);
    await times.begin(second, 2, 60);
    await times.pass(-20);
    expect((await house.get(first)).meet_status).toBe(1);
    await times.pass(1);
    expect((await house.get(first)).meet_status).toBe(1);
    await times.pass(3);
    const over = await house.get(first);
    expect(over.meet_status).toBe(2);
    expect(over.actual_end! <= (await house.get(second)).start_time!).toBe(true);
  });

  test('frees the rest of the time of an ended meeting, and marks people absent or excused', async () => {
    const room = await house.room();
    const id = await house.meet({
      room_id: room,
      sign_mode: 3,
      audience: { users: [house.colleague.userId, house.librarian.userId] },
    });
    await house.librarian.get(meetCalls.reply, { params: { id }, body: { reply: 2, reason: '出差' } as never });
    await times.begin(id, -20, 120);
    expect((await house.colleague.ask(signing.end, { params: { id }, body: {} })).code).toBe(codes.forbidden);
    await house.staff.get(signing.end, {
      params: { id },
      body: { minutes: '议定如下', decisions: [{ content: '修缮屋顶', due: '2027-01-31' }] } as never,
    });
    const [row] = (
      await house.office.db.execute<{ free: boolean }>(
        sql`select free_at <= now() as free from booking where record_id = ${id}`,
      )
    ).rows;
    expect(row?.free).toBe(true);
    const said = await house.staff.get(minutes.get, { params: { id } });
    expect(said.value[0]).toMatchObject({ no: 1, state: 1, content: '议定如下' });
    expect(said.decisions).toMatchObject([{ no: 1, content: '修缮屋顶', due: '2027-01-31', supervised: null }]);
    const { attendees } = await house.get(id);
    const stateOf = (person: number) => attendees!.find((one) => one.user_info.id === person)!.sign_state;
    expect([stateOf(house.colleague.userId), stateOf(house.librarian.userId)]).toEqual([3, 4]);
  });

  test('sends one reminder by whichever node, the set number of minutes before', async () => {
    const id = await house.meet({
      title: '要提醒的会',
      location: '操场',
      remind: [30],
      audience: { users: [house.colleague.userId] },
    });
    await times.begin(id, 29);
    await Promise.all([times.pass(), times.pass()]);
    await times.pass(1);
    expect((await house.heard(house.colleague, '要提醒的会')).filter((one) => one.startsWith('会议提醒'))).toHaveLength(
      1,
    );
  });

  test('starts and ends two thousand meetings at little cost', { timeout: 180_000 }, async () => {
    // Without a ticket each, because only the clock is tried here.
    await house.office.services.databases.pool.query('alter table meet disable trigger record_begins_with_ticket');
    const many = (title: string) =>
      house.office.services.databases.write((tx) =>
        tx.execute(sql`insert into meet (title, creator_id, host_id, act_state, start_time, end_time, search)
        select ${title}::text || n, ${house.staff.userId}, ${house.staff.userId}, 4, now() - interval '1 hour', now() - interval '20 minutes', ''
        from generate_series(1, 2000) n`),
      );
    const over = async (title: string) => {
      const { rows } = await house.office.db.execute<{ n: number }>(
        sql`select count(*)::int n from meet where starts_with(title, ${title}) and meet_status = 2`,
      );
      return rows[0]!.n;
    };
    await many('大量');
    expect(await leastCost(() => times.pass(), 1)).toBeLessThan(5000);
    expect(await over('大量')).toBe(2000);
    // In the database neither: they are begun and ended in portions of two hundred, not one by one.
    await many('更多');
    expect((await counted(house.staff, () => times.pass())).length).toBeLessThan(200);
    expect(await over('更多')).toBe(2000);
  });
});

describe('the minutes of a meeting', () => {
  test('go from the minute taker to the host and to everybody, and are fixed once published', async () => {
    const { staff, colleague, librarian, stranger } = house;
    const id = await house.meet({
      title: '有纪要的会',
      location: '操场',
      host_id: colleague.userId,
      recorder_id: staff.userId,
      audience: { users: [librarian.userId] },
    });
    await times.begin(id, -5);
    await times.pass();
    const keep = (who: typeof staff, body: object) => who.ask(minutes.keep, { params: { id }, body: body as never });
    const seenBy = async (who: typeof staff) => (await who.get(minutes.get, { params: { id } })).value;
    expect((await keep(staff, { act: 'hand_in' })).code).toBe(codes.refused);
    expect((await keep(staff, { act: 'save', content: '第一稿' })).code).toBe(codes.ok);
    expect((await keep(staff, { act: 'publish' })).code).toBe(codes.forbidden);
    expect((await keep(staff, { act: 'hand_in' })).code).toBe(codes.ok);
    expect((await keep(staff, { act: 'save', content: '偷改' })).code).toBe(codes.notNow);
    expect((await keep(colleague, { act: 'back' })).code).toBe(codes.refused);
    expect((await keep(colleague, { act: 'back', reason: '缺少结论' })).code).toBe(codes.ok);
    expect(await seenBy(librarian)).toEqual([]);
    await keep(staff, { act: 'hand_in', content: '第二稿' });
    expect((await keep(colleague, { act: 'publish' })).code).toBe(codes.ok);
    expect(await seenBy(librarian)).toMatchObject([{ no: 1, state: 3, content: '第二稿' }]);
    expect(await house.heard(librarian, '有纪要的会')).toContain('会议纪要：有纪要的会');
    await keep(staff, { act: 'save', content: '更正稿' });
    expect(await seenBy(librarian)).toHaveLength(1);
    expect(await seenBy(staff)).toMatchObject([
      { no: 2, state: 1 },
      { no: 1, state: 3, content: '第二稿' },
    ]);
    expect((await stranger.ask(minutes.get, { params: { id } })).code).toBe(codes.absent);
    const { databases } = house.office.services;
    await expect(
      databases.write((tx) =>
        tx.execute(sql`update meet_minutes set content = 'x' where meet_id = ${id} and state = 3`),
      ),
    ).rejects.toThrow('Failed query');
  });
});
