import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { counted } from '#apps/server/testing/counted.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { calendars } from '#modules/platform/calendars/contract.ts';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { meetCalls as calls } from './contract/meetings.ts';
import { series } from './contract/series.ts';
import { on, openMeetings, period } from './testing/house.ts';
import { timesOf } from './testing/passing.ts';

let house: Awaited<ReturnType<typeof openMeetings>>;
beforeAll(async () => {
  house = await openMeetings();
});
afterAll(() => house.office.close());

const datesOf = async (id: number) => (await house.staff.get(series.get, { params: { id } })).value;
const days = async (id: number) =>
  (await datesOf(id)).map((one) => `${one.start_time.slice(5, 16)} ${one.meet_status}${one.skipped ? ' 未安排' : ''}`);
const day = (ahead: number, time = '09:00') => on(ahead, time).slice(5, 16);
const daily = (count: number) => ({ freq: 'DAILY' as const, interval: 1, days: [], count });
/** A meeting repeated on the given number of days from tomorrow on. */
const repeated = (count: number, more: object = {}) => house.meet({ repeat: daily(count), ...more });
const edit = (id: number, body: object) => house.staff.ask(calls.edit, { params: { id }, body: body as never });
const cancel = (id: number, scope: 'this' | 'following' | 'all') =>
  house.staff.ask(calls.cancel, { params: { id }, body: { reason: '不开了', scope } as never });
const keeperCloses = (room_id: number, when: object) =>
  house.keeper.get(roomTimes.close, { body: { room_id, reason: '检修', ...when } as never });

describe('a repeated meeting', () => {
  test('under approval keeps its time, room and people, whichever dates a change is for; its texts may change', async () => {
    const room = await house.room({}, house.strict);
    const id = await repeated(3, { room_id: room });
    expect((await house.get(id)).act_state).toBe(1);
    const refused = [
      { observers: [house.colleague.userId] },
      { ...period('15:00', '16:00') },
      { location: '操场', room_id: null },
    ];
    for (const scope of ['this', 'following', 'all'])
      for (const body of refused)
        expect((await edit(id, { ...body, scope })).code, `${scope} ${Object.keys(body).join()}`).toBe(codes.notNow);
    expect((await edit(id, { agenda: '一、进度', room_id: room, scope: 'all' })).code).toBe(codes.ok);
  });

  test('sends one message with the dates if its room is closed for several of them', async () => {
    const room = await house.room();
    const who = house.colleague;
    const id = await repeated(4, { room_id: room, title: '停用的例会', audience: { users: [who.userId] } });
    await keeperCloses(room, { start_time: on(1, '00:00'), end_time: on(5, '23:00'), force: true });
    expect((await datesOf(id)).map((one) => one.meet_status)).toEqual([3, 3, 3, 3]);
    for (const one of [who, house.staff])
      expect((await house.heard(one, '停用的例会')).filter((title) => title.startsWith('会议取消'))).toHaveLength(1);
    await house.consistent();
  });

  test('books the free dates, names why the others were left out, and those can be booked once they are free', async () => {
    const room = await house.room();
    const other = await house.meet({ room_id: room, title: '挡路的会', ...period('09:30', '10:30', 2) });
    await keeperCloses(room, period('08:00', '12:00', 4));
    const id = await repeated(5, { room_id: room });
    const dates = await datesOf(id);
    expect(dates.map((one) => one.skipped)).toEqual([false, true, false, true, false]);
    // The reason is stored for all who see the meeting, so it names no other meeting, not even to those who may see that.
    expect(dates[1]!.reason).toMatch(/已被占用$/);
    expect(dates[3]!.reason).toContain('停用：检修');
    const skipped = dates.filter((one) => one.skipped).map((one) => one.id);
    const { value } = await house.keeper.get(calls.manage, { query: { room_id: room, per_page: 100 } as never });
    const listed = value.map((one) => one.id);
    expect(dates.flatMap((one) => (listed.includes(one.id) ? one.skipped : []))).toEqual([false, false, false]);
    await cancel(other, 'this');
    const { booked, left } = await house.staff.get(series.book, { params: { id }, body: { ids: skipped } as never });
    expect([booked, left.map((one) => one.start_time)]).toEqual([1, [dates[3]!.start_time]]);
    expect((await datesOf(id)).map((one) => one.skipped)).toEqual([false, false, false, true, false]);
    await house.consistent();
  });

  test('skips holidays and the days its author excludes, as shown before it is submitted', async () => {
    const holiday = on(3, '09:00').slice(0, 10);
    const left = on(5, '09:00').slice(0, 10);
    const set = (day: string, works: boolean) =>
      house.office.admin.get(calendars.setDay, { params: { day }, body: { works, name: works ? '上班' : '校庆' } });
    for (const ahead of [1, 2, 4, 5]) await set(on(ahead, '09:00').slice(0, 10), true);
    await set(holiday, false);
    onTestFinished(async () => {
      for (const ahead of [1, 2, 3, 4, 5])
        await house.office.admin.get(calendars.clearDay, { params: { day: on(ahead, '09:00').slice(0, 10) } });
    });
    const room_id = await house.room();
    const id = await repeated(5, { room_id, repeat: { ...daily(5), skip_holidays: true, left_out: [left] } });
    expect((await datesOf(id)).map((one) => one.start_time)).toEqual([1, 2, 4].map((ahead) => on(ahead, '09:00')));
    const { rule } = await house.staff.get(series.get, { params: { id } });
    expect(rule).toBe(`每天，共 5 次，跳过节假日，不含 ${left}`);
  });

  test('has no more dates in a week than its author’s quota, and a date that is not available costs none', async () => {
    const office = await house.made('限次会务', { max_per_user_week: 3 });
    const room_id = await house.room({}, office);
    const before = await house.meet({ room_id: await house.room({}, office), ...period('07:00', '08:00') });
    await keeperCloses(room_id, period('08:00', '12:00', 2));
    const id = await repeated(21, { room_id });
    const dates = await datesOf(id);
    const weekOf = (at: string) => Math.floor((Date.parse(`${at.slice(0, 10)}T00:00:00Z`) / 86_400_000 + 3) / 7);
    const closed = dates.find((one) => one.start_time === on(2, '09:00'))!;
    expect(closed.reason).toContain('停用：检修');
    const booked = [
      (await house.get(before)).start_time!,
      ...dates.flatMap((one) => (one.skipped ? [] : one.start_time)),
    ];
    const perWeek = new Map<number, number>();
    for (const at of booked) perWeek.set(weekOf(at), (perWeek.get(weekOf(at)) ?? 0) + 1);
    const possible = (week: number) => dates.filter((one) => one !== closed && weekOf(one.start_time) === week).length;
    for (const [week, had] of perWeek)
      expect(had).toBe(Math.min(3, possible(week) + (weekOf(booked[0]!) === week ? 1 : 0)));
    const full = dates.find((one) => one.skipped && one !== closed)!;
    expect(full.reason).toContain('每人每周最多申请 3 次');
    const again = await house.staff.get(series.book, { params: { id }, body: { ids: [full.id] } as never });
    expect([again.booked, again.left[0]!.reason]).toEqual([0, full.reason]);
    await house.consistent();
  });

  test('takes as many statements to be approved and returned for twenty dates as for two', async ({ skip }) => {
    skip(process.env['NODES'] !== undefined, 'counted in this process');
    const taken = [];
    for (const count of [2, 20]) {
      const room = await house.room({}, house.strict);
      const agreed = await repeated(count, { room_id: room });
      const back = await repeated(count, { room_id: room, ...period('14:00', '15:00') });
      expect((await house.decide(agreed, house.head, '同意')).code).toBe(0);
      const press = async (id: number, who: typeof house.keeper, name: string) => {
        const ticket = (await house.get(id)).ticket_id!;
        const { value } = await who.get(tickets.transitions, { params: { id: ticket }, query: {} } as never);
        const { transition_id } = value.find((one) => one.transition_name === name)!;
        const body = { transition_id, suggestion: '已阅' } as never;
        return (await counted(who, () => who.get(tickets.handle, { params: { id: ticket }, body }))).length;
      };
      taken.push({
        agreeing: await press(agreed, house.keeper, '同意'),
        returning: await press(back, house.head, '退回起草人'),
      });
    }
    expect(taken[1]).toEqual(taken[0]);
  });

  test('is submitted in as many statements for twenty dates as for three, also with a leader, who is told at once', async ({
    skip,
  }) => {
    skip(process.env['NODES'] !== undefined, 'counted in this process');
    const xld = await house.hire('周校长', { roles: ['xld'] });
    const taken = [];
    for (const [title, count] of [
      ['三次会', 3],
      ['二十次会', 20],
    ] as const) {
      const body = { room_id: await house.room(), title, audience: { users: [xld.userId] } };
      taken.push((await counted(house.staff, () => repeated(count, body))).length);
      const { rows } = await house.office.db.execute<{ entries: number; asked: number }>(
        sql`select count(distinct s.id)::int entries, count(*)::int asked from leader_schedule s
          join leader_attend a on a.schedule_id = s.id and a.leader_id = ${xld.userId} where s.title = ${title}`,
      );
      expect(rows).toEqual([{ entries: count, asked: count }]);
      expect(await house.heard(xld, `新日程：${title}`)).toHaveLength(2);
    }
    // The first call prepares statements that the next ones reuse.
    expect(taken[1]).toBeLessThanOrEqual(taken[0]!);
    await house.consistent();
  });

  test('names its faults: a further date by its time, people who left by their names', async () => {
    const id = await repeated(2, { location: '操场' });
    const further = (when: object) =>
      house.staff.ask(series.book, { params: { id }, body: { ids: [], further: [when] } as never });
    for (const when of [period('10:00', '09:00', 5), period('09:00', '10:00', 2), period('09:00', '10:00', -1)]) {
      const { code, msg } = await further(when);
      expect([code, msg]).toEqual([codes.refused, expect.stringContaining(when.start_time.slice(0, 16))]);
      expect(msg).toContain('请修改');
    }
    const single = await house.meet({ location: '操场' });
    expect((await house.staff.ask(series.get, { params: { id: single } })).msg).toBe(
      '“例会”没有设置重复，没有其他日期；需要再次召开的，请另行申请会议',
    );
    expect((await house.ask({ location: '操场', host_id: 999_999 })).msg).toBe(
      '所选人员“编号 999999”已离岗或不存在，请重新选择',
    );
  });

  test('is refused if a date is longer than its period', async () => {
    const answer = await house.ask({
      location: '操场',
      start_time: on(1, '09:00'),
      end_time: on(2, '10:00'),
      repeat: daily(3),
    });
    expect(answer.msg).toContain('一次会议长 25 小时，到下一次开始');
  });

  test('is approved once as a whole, and has no dates once it was returned', async () => {
    const room = await house.room({}, house.strict);
    const id = await repeated(3, { room_id: room, audience: { users: [house.colleague.userId] } });
    expect((await house.times(room, 2)).length).toBe(1);
    expect((await house.blocks(room, 2))[0]!.held).toBe(true);
    await house.agree(id);
    expect((await datesOf(id)).map((one) => one.act_state)).toEqual([4, 4, 4]);
    expect((await house.blocks(room, 3))[0]!.held).toBe(false);
    const third = (await datesOf(id))[2]!.id;
    expect((await house.get(third, house.colleague)).mine).toMatchObject({ reply: 0 });
    await house.consistent();
    const back = await repeated(3, { room_id: room, ...period('14:00', '15:00') });
    await house.decide(back, house.head, '退回起草人');
    expect(await house.times(room, 2)).toHaveLength(1);
    expect(await datesOf(back)).toHaveLength(1);
    await house.consistent();
  });

  test('lets a single date be moved or cancelled, which stays so whatever happens to the rest', async () => {
    const room = await house.room();
    const id = await repeated(5, { room_id: room });
    const dates = await datesOf(id);
    expect((await cancel(dates[1]!.id, 'this')).code).toBe(codes.ok);
    expect((await edit(dates[2]!.id, period('15:00', '16:00', 3))).code).toBe(codes.ok);
    // Another meeting takes the gap.
    await house.meet({ room_id: room, title: '补位', ...period('09:00', '10:00', 2) });
    const answer = await edit(id, { ...period('10:00', '11:00'), scope: 'all' });
    expect([answer.code, answer.data.left]).toEqual([codes.ok, []]);
    expect(await days(id)).toEqual([
      `${day(1, '10:00')} 0`,
      `${day(2)} 3`,
      `${day(3, '15:00')} 0`,
      `${day(4, '10:00')} 0`,
      `${day(5, '10:00')} 0`,
    ]);
    await house.consistent();
    // A date that is blocked stays where it is.
    await house.meet({ room_id: room, title: '占着', ...period('12:00', '13:00', 4) });
    const moved = await edit(id, { ...period('12:00', '13:00'), scope: 'all' });
    expect(moved.data.left).toMatchObject([{ start_time: on(4, '10:00') }]);
    expect((await days(id))[3]).toBe(`${day(4, '10:00')} 0`);
    await house.consistent();
  });

  test('is changed from one date on, and earlier dates stay', async () => {
    const room = await house.room();
    const id = await repeated(4, { room_id: room });
    const dates = await datesOf(id);
    await edit(dates[2]!.id, { ...period('11:00', '12:00', 3), scope: 'following' });
    expect((await days(id)).map((one) => one.slice(6, 11))).toEqual(['09:00', '09:00', '11:00', '11:00']);
    await cancel(dates[1]!.id, 'following');
    expect((await datesOf(id)).map((one) => one.meet_status)).toEqual([0, 3, 3, 3]);
    await house.consistent();
  });

  test('does not change past dates or tell anybody of them, and tells the rest once instead of once a date', async () => {
    const room = await house.room();
    const id = await repeated(4, { room_id: room, title: '每日站会', audience: { users: [house.colleague.userId] } });
    const dates = await datesOf(id);
    await timesOf(house).begin(dates[0]!.id, -120, 60);
    await timesOf(house).pass();
    const past = await house.get(dates[0]!.id);
    expect(past.meet_status).toBe(2);
    const before = (await house.heard(house.colleague, '每日站会')).length;
    expect((await edit(dates[1]!.id, { ...period('11:00', '12:00', 2), scope: 'all' })).code).toBe(codes.ok);
    expect(await house.get(dates[0]!.id)).toMatchObject({ start_time: past.start_time, version: past.version });
    const heard = await house.heard(house.colleague, '每日站会');
    expect(heard.slice(0, heard.length - before)).toEqual(['会议变更：每日站会']);
    expect((await house.heard(house.staff, '每日站会'))[0]).toBe('会议变更：每日站会');
    await house.consistent();
  });

  test('invites an added person once for all dates, uninvites once, and refuses an outdated edit', async () => {
    const { colleague, librarian } = house;
    const id = await repeated(3, { location: '操场', title: '联席会', audience: { users: [colleague.userId] } });
    const { version } = await house.get(id);
    const audience = { users: [librarian.userId] };
    expect((await edit(id, { scope: 'all', version, audience })).code).toBe(codes.ok);
    expect(await house.heard(librarian, '联席会')).toEqual(['会议通知：联席会']);
    expect((await house.heard(colleague, '联席会')).filter((one) => one.startsWith('不必参加'))).toHaveLength(1);
    const { rows } = await house.office.services.databases.pool.query(
      `select count(told_at)::int told, count(*)::int asked from meet_attendee where user_id = ${librarian.userId}
        and meet_id = any('{${(await datesOf(id)).map((one) => one.id).join()}}')`,
    );
    expect(rows).toEqual([{ told: 3, asked: 3 }]);
    expect((await edit(id, { scope: 'all', version, agenda: '旧稿' })).code).toBe(codes.stale);
  });

  test('asks if the room is too small for added guests, and refuses a form older than a change of guests or topics', async () => {
    const room_id = await house.room({ capacity: 2 });
    const id = await repeated(2, { room_id });
    const { version } = await house.get(id);
    const guests = ['赵六', '钱七'].map((name) => ({ name, org: '', mobile: '' }));
    const sent = { scope: 'all', version, guests };
    expect((await edit(id, sent)).msg).toContain('座位不足');
    expect((await house.get(id)).guests).toEqual([]);
    expect((await edit(id, { ...sent, confirm: true })).code).toBe(codes.ok);
    expect((await edit(id, { scope: 'all', version, topics: [{ title: '旧的' }] })).code).toBe(codes.stale);
  });

  test('names to a person invited to one date only that date', async () => {
    const { colleague, librarian } = house;
    const id = await repeated(3, { location: '操场', title: '一次的客人', audience: { users: [colleague.userId] } });
    const [, second] = await datesOf(id);
    const audience = { users: [colleague.userId, librarian.userId] };
    expect((await edit(second!.id, { audience })).code).toBe(codes.ok);
    const { rows } = await house.office.services.databases.pool.query<{ content: string }>(
      `select content from msg join msg_user on msg_id = msg.id where title = '会议通知：一次的客人' and user_id = ${librarian.userId}`,
    );
    expect(rows.map((one) => one.content.includes('次：'))).toEqual([false]);
    expect(rows[0]!.content).toContain(second!.start_time.slice(0, 16));
  });

  test('at another place tells each participant once from where to where, and a request for more people says how many', async () => {
    const { colleague, librarian } = house;
    const users = [colleague.userId];
    const id = await repeated(3, { location: '操场', title: '晨练会', audience: { users } });
    const asked = await house.get(id);
    expect((await edit(id, { location: '体育馆', scope: 'all', reason: '下雨' })).code).toBe(codes.ok);
    expect(await house.heard(colleague, '晨练会')).toEqual(['会议变更：晨练会', '会议通知：晨练会']);
    const { rows } = await house.office.services.databases.pool.query<{ content: string }>(
      `select content from msg where title = '会议变更：晨练会'`,
    );
    expect(rows.map((one) => one.content)).toEqual([expect.stringMatching(/3 次.*操场.*体育馆.*下雨/)]);
    expect((await edit(id, { audience: { users: [...users, librarian.userId] }, scope: 'all' })).code).toBe(codes.ok);
    const dates = await datesOf(id);
    const counts = await Promise.all(dates.map(async (one) => (await house.get(one.id)).attend_count));
    expect(counts).toEqual(dates.map(() => asked.attend_count + 1));
  });

  test('lists the place of each date if they differ', async () => {
    const { colleague } = house;
    const id = await repeated(2, { location: '操场', title: '两地会', audience: { users: [colleague.userId] } });
    const [, second] = await datesOf(id);
    expect((await edit(second!.id, { location: '礼堂' })).code).toBe(codes.ok);
    expect((await edit(id, { location: '体育馆', scope: 'all' })).code).toBe(codes.ok);
    const { rows } = await house.office.services.databases.pool.query<{ content: string }>(
      `select content from msg where title = '会议变更：两地会' order by id desc limit 1`,
    );
    const dates = [1, 2].map((ahead) => on(ahead, '09:00').slice(0, 16));
    expect(rows[0]!.content).toMatch(new RegExp(`原为 ${dates[0]}.*，操场；${dates[1]}.*，礼堂；现为 .*，体育馆。`));
  });

  test('may be moved by a whole period onto its own dates', async () => {
    const room = await house.room();
    const id = await repeated(3, { room_id: room });
    expect((await edit(id, { ...period('09:00', '10:00', 2), scope: 'all' })).data.left).toEqual([]);
    expect((await datesOf(id)).map((one) => one.start_time)).toEqual([on(2, '09:00'), on(3, '09:00'), on(4, '09:00')]);
    await house.consistent();
  });
});

describe('simultaneous bookings', () => {
  test('of a repeat and a single meeting never get the same time', async () => {
    const room = await house.room();
    for (let round = 0; round < 4; round += 1) {
      const hour = String(8 + round * 2).padStart(2, '0');
      const when = period(`${hour}:00`, `${hour}:45`);
      const [made, single] = await Promise.all([
        house.ask({ room_id: room, repeat: daily(4), ...when }),
        house.ask({ room_id: room, title: '单次', ...period(`${hour}:00`, `${hour}:45`, 3) }, house.colleague),
      ]);
      expect(made.code, made.msg).toBe(codes.ok);
      const third = (await datesOf(made.data.id))[2]!;
      expect(third.skipped).toBe(single.code === codes.ok);
    }
    await house.consistent();
  });

  test('by an edit of one date and an edit of all leave each date as one of both set it', async () => {
    const room = await house.room();
    for (let round = 0; round < 4; round += 1) {
      const hour = 7 + round * 3;
      const at = (plus: number) => `${String(hour + plus).padStart(2, '0')}:00`;
      const id = await repeated(4, { room_id: room, ...period(at(0), at(1)) });
      const dates = await datesOf(id);
      const [all, one] = await Promise.all([
        edit(id, { ...period(at(1), at(2)), scope: 'all' }),
        edit(dates[2]!.id, period(at(2), at(3), 3)),
      ]);
      expect([all.code, one.code], `${all.msg} ${one.msg}`).toEqual([codes.ok, codes.ok]);
      const now = await datesOf(id);
      expect(now.map((date) => date.start_time.slice(11, 16))).toEqual([at(1), at(1), at(2), at(1)]);
      await house.consistent();
      await cancel(id, 'all');
    }
  });

  test('of the same date create it once', async () => {
    const id = await repeated(3, { location: '操场' });
    const { rows } = await house.office.db.execute<{ n: number }>(
      sql`select count(*)::int n from meet group by series_id, original_start having series_id is not null and count(*) > 1`,
    );
    expect(rows).toEqual([]);
    const further = [{ start_time: on(2, '09:00'), end_time: on(2, '10:00') }];
    expect((await house.staff.ask(series.book, { params: { id }, body: { further } as never })).code).toBe(
      codes.refused,
    );
  });
});

test('of a date that was left out leave it cancelled in its calendar file', async () => {
  const room = await house.room();
  await keeperCloses(room, period('08:00', '12:00', 2));
  const id = await repeated(3, { room_id: room });
  const skipped = (await datesOf(id)).find((one) => one.skipped)!;
  const answer = await house.staff.fetch(`/api/meet/${skipped.id}/ics/`);
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringMatching(/STATUS:CANCELLED[^]*END:VCALENDAR\r\n$/),
  ]);
});

describe('several dates at once', () => {
  const uploaded = async (name: string) => {
    const form = new FormData();
    form.set('module', 'meetings');
    form.set('file', new Blob([name]), name);
    const answer = await house.staff.fetch('/api/file/upload/', { method: 'POST', body: form });
    return ((await answer.json()) as { data: { id: number } }).data.id;
  };
  const topicsOf = async (id: number) => (await house.get(id)).topics.map((one) => one.title);

  test('keep their own topics, guests and files where only the wording changes, and share them where these are edited', async () => {
    const materials = [await uploaded('材料.txt')];
    const topics = [{ title: '议题一', reporter: '', minutes: null, files: [await uploaded('议题.txt')] }];
    const guests = [{ name: '王五', org: '外单位', mobile: '' }];
    const id = await repeated(3, { location: '操场', materials, topics, guests });
    const [, second, third] = (await datesOf(id)).map((one) => one.id) as [number, number, number];
    const filesOf = async (one: number) => {
      const { materials_info, topics: lines } = await house.get(one);
      return [materials_info.map((file) => file.name), lines.map((line) => line.files_info.map((file) => file.name))];
    };
    for (const one of [id, second, third]) expect(await filesOf(one)).toEqual([['材料.txt'], [['议题.txt']]]);
    expect((await house.get(second)).materials).not.toEqual(materials);
    expect((await edit(third, { topics: [{ title: '第三次自己的' }] })).code).toBe(codes.ok);
    // The form sends all present values and one changed word.
    const { agenda: _agenda, ...row } = await house.get(id);
    const same = { materials: row.materials, topics, guests: row.guests.map((one) => ({ ...one, mobile: '' })) };
    expect((await edit(id, { ...same, agenda: '新的议程', scope: 'all' })).msg).toBe('已保存');
    expect(await topicsOf(third)).toEqual(['第三次自己的']);
    for (const one of [id, second, third]) expect(await house.get(one)).toMatchObject({ agenda: '新的议程' });
    const added = await uploaded('补充.txt');
    expect((await edit(id, { materials: [...materials, added], scope: 'all' })).msg).toBe('已保存');
    for (const one of [id, second, third]) expect((await filesOf(one))[0]).toEqual(['材料.txt', '补充.txt']);
    expect(await topicsOf(third)).toEqual(['第三次自己的']);
    expect((await edit(id, { topics: [{ title: '共同的' }], guests: [{ name: '赵六' }], scope: 'all' })).msg).toBe(
      '已保存',
    );
    for (const one of [id, second, third])
      expect([await topicsOf(one), (await house.get(one)).guests.map((guest) => guest.name)]).toEqual([
        ['共同的'],
        ['赵六'],
      ]);
  });

  test('that a person declines or delegates are reported in one message to those concerned', async () => {
    const [who, other] = [await house.hire('出差的人'), await house.hire('替会的人')];
    const id = await repeated(3, { location: '操场', title: '三次请假', audience: { users: [who.userId] } });
    const answer = (body: object) =>
      who.ask(calls.reply, { params: { id }, body: { scope: 'all', reason: '出差', ...body } as never });
    expect((await answer({ reply: 2 })).code).toBe(codes.ok);
    expect((await house.heard(house.staff, '三次请假')).filter((one) => one.startsWith('参会请假'))).toHaveLength(1);
    expect((await answer({ reply: 3, substitute_id: other.userId })).code).toBe(codes.ok);
    expect(await house.heard(other, '三次请假')).toEqual(['请您替会：三次请假']);
    const { rows } = await house.office.services.databases.pool.query<{ content: string }>(
      `select content from msg where title in ('参会请假：三次请假', '请您替会：三次请假') order by id`,
    );
    for (const { content } of rows)
      for (const ahead of [1, 2, 3]) expect(content).toContain(on(ahead, '09:00').slice(0, 16));
  });

  test('are announced, moved, cancelled and answered once for all, listing the dates', async () => {
    const who = await house.hire('被请的人');
    const id = await repeated(4, { location: '操场', title: '四次会', audience: { users: [who.userId] } });
    const said = async () =>
      (
        await house.office.db.execute<{ event: string; content: string }>(
          sql`select event, content from msg join msg_user on msg_id = msg.id where user_id = ${who.userId} and module = 'meetings' order by msg.id`,
        )
      ).rows;
    const dates = [1, 2, 3, 4].map((ahead) => on(ahead, '09:00').slice(0, 16));
    const named = (text: string) => dates.map((date) => text.includes(date));
    const all = [true, true, true, true];
    expect((await said()).map((one) => [one.event, named(one.content)])).toEqual([['MEET_NOTICE', all]]);
    expect((await who.ask(calls.reply, { params: { id }, body: { reply: 1, scope: 'all' } as never })).code).toBe(
      codes.ok,
    );
    for (const { id: date } of await datesOf(id)) expect((await house.get(date, who)).mine).toMatchObject({ reply: 1 });
    expect((await edit(id, { location: '礼堂', scope: 'all' })).code).toBe(codes.ok);
    expect((await cancel(id, 'all')).code).toBe(codes.ok);
    expect((await said()).map((one) => [one.event, named(one.content)])).toEqual([
      ['MEET_NOTICE', all],
      ['MEET_CHANGE', all],
      ['MEET_CANCEL', all],
    ]);
  });
});
