import type { Client } from '#apps/server/testing.ts';
import { countDeadlocks } from '#apps/server/testing/deadlocks.ts';
import { calendars } from '#modules/platform/calendars/contract.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takenBy } from './record/clash.ts';
import { clashes, followsSource, notOnSide, notTheirSide, notPrivate } from './contract/refusals.ts';
import { keep, withdraw } from './service.ts';
import { at, calls, nextWeek, openLeaders } from './testing/house.ts';

let house: Awaited<ReturnType<typeof openLeaders>>;
beforeAll(async () => {
  house = await openLeaders();
});
afterAll(() => house.app.close());
const write = <R>(work: Parameters<typeof house.app.services.databases.write>[0]) =>
  house.app.services.databases.write(work) as Promise<R>;

test('an entry by a secretary or the office is valid at once; a department’s proposal needs its head, the office and the leader’s side', async () => {
  const own = await house.written(house.secretary, { start_time: at(1, '08:00'), end_time: at(1, '08:30') });
  expect(own.act_state).toBe(4);
  const office = await house.written(house.clerk, { start_time: at(1, '08:30'), end_time: at(1, '09:00') });
  expect(office.act_state).toBe(4);
  const proposed = await house.written(house.head, { start_time: at(1, '09:00'), end_time: at(1, '10:00') });
  expect(proposed.act_state).toBe(1);
  const { press, as } = house;
  expect((await press(house.clerk, proposed.ticket_id, '同意')).code).toBe(0);
  expect((await house.get(house.secretary, proposed.id)).can).toContain('force');
  expect((await press(await as(house.secretary.userId), proposed.ticket_id, '确认')).code).toBe(0);
  const row = await house.get(house.head, proposed.id);
  expect(row).toMatchObject({ act_state: 4, run_status: 0, can: ['texts'] });
  expect(row.leaders_info).toMatchObject([{ alias: '陈校长', state: 0 }]);
  expect(await house.titles(house.principal)).toContain('新日程：听取教务处汇报');
});

test('an entry for a leader and their secretary is 忙 to everybody else on every page, search, message and export', async () => {
  const song = 'kanarie';
  const words = {
    title: `${song}title`,
    address: `${song}place`,
    participants: `${song}people`,
    remark: `${song}remark`,
  };
  const time = { start_time: at(3, '14:00'), end_time: at(3, '15:30') };
  const { id } = await house.written(house.secretary, { ...words, ...time, visibility: 3 });
  const inside = [house.principal, house.secretary];
  const outside = [house.clerk, house.vice, house.colleague2, house.head, house.staff, house.app.admin];
  const leader = house.principal.username;
  for (const who of inside) {
    expect((await house.get(who, id)).title).toBe(words.title);
    expect(JSON.stringify(await house.board(who))).toContain(words.title);
    expect((await who.get(calls.list, { query: { search_value: words.title } as never })).total).toBe(1);
  }
  for (const who of outside) {
    const heard: string[] = [];
    const hear = async (asked: Promise<unknown>) => heard.push(JSON.stringify(await asked));
    expect(await house.codeOf(who, id)).toBe(4004);
    await hear(house.board(who));
    await hear(who.ask(calls.list, { query: { search_value: '', per_page: 100 } as never }));
    for (const searched of Object.values(words))
      expect((await who.get(calls.list, { query: { search_value: searched } as never })).total).toBe(0);
    const asked = { leaders: leader, start: time.start_time, end: time.end_time };
    await hear(who.ask(calls.busy, { query: asked as never }));
    await hear(house.write(who, { ...time, force: false }));
    await hear(who.ask(calls.redpoint));
    await hear(who.ask(calls.places, { query: { search_value: '' } }));
    await hear(house.titles(who));
    await hear(
      who.ask(calls.sms, { body: { date: nextWeek(3), users: [house.staff.username], preview: true } as never }),
    );
    expect(heard.join('\n')).not.toContain(song);
    const day = (await house.board(who)).entries.filter((one) => one.masked);
    expect(day.every((one) => one.id === null && one.title === '忙' && one.address === '')).toBe(true);
  }
  const seen = await house.vice.get(calls.busy, {
    query: { leaders: leader, start: time.start_time, end: time.end_time } as never,
  });
  expect(seen.value).toContainEqual({
    leader,
    start: `${time.start_time}:00`,
    end: `${time.end_time}:00`,
    label: '忙',
  });
  const sheet = await house.clerk.fetch(`/api/leader/?export=xlsx&start=${nextWeek(3)}`);
  expect(sheet.status).toBe(200);
  const { total } = await house.clerk.get(calls.list, { query: { start: nextWeek(3), end: nextWeek(3) } as never });
  expect(total).toBe(0);
  const ticket = await house.app.db.execute(sql`select title from ticket where title like ${`%${song}%`}`);
  const log = await house.app.db.execute(sql`select 1 from log where log::text like ${`%${song}%`}`);
  expect([ticket.rows.length, log.rows.length]).toEqual([0, 0]);
});

test('a text message about a schedule says only what its recipient may read on the board', async () => {
  const words = { title: '研究班子分工', address: '小会议室' };
  const time = { start_time: at(5, '19:00'), end_time: at(5, '20:00') };
  const { id } = await house.written(house.secretary, { ...words, ...time, visibility: 2 });
  const people = [house.vice, house.staff, house.secretary];
  const texts = async () =>
    Promise.all(
      people.map(async (who) => {
        const body = { ids: [id], users: [who.username], preview: true } as never;
        const { texts: sent } = await house.secretary.get(calls.sms, { body });
        const entry = (await house.board(who, nextWeek(5))).entries.find(
          (one) => one.start_time === `${time.start_time}:00`,
        )!;
        return [sent.some((one) => one.text.includes(words.title)), !entry.masked];
      }),
    );
  expect(await texts()).toEqual([
    [true, true],
    [false, false],
    [true, true],
  ]);
  expect((await house.edit(house.secretary, id, { visibility: 3 })).code).toBe(0);
  expect(await texts()).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ]);
});

test('a schedule is texted only to the chosen people, and previewing the text sends nothing', async () => {
  const { username } = await house.app.person({ alias: '收信人', phone: '13900005678' });
  const { id } = await house.written(house.secretary, { start_time: at(6, '07:00'), end_time: at(6, '07:30') });
  const texted = async () =>
    (
      await house.app.db.execute<{ content: string }>(
        sql`select content from sms_log where module = 'leaders' and mobile_tail = '5678'`,
      )
    ).rows;
  const send = async (preview: boolean) =>
    house.secretary.get(calls.sms, { body: { ids: [id], users: [username], preview } as never });
  expect(await send(true)).toMatchObject({ count: 1, failed: [], texts: [{ name: '收信人' }] });
  expect(await texted()).toEqual([]);
  expect(await send(false)).toMatchObject({ count: 1, failed: [] });
  expect(await texted()).toEqual([{ content: expect.stringContaining('陈校长') as string }]);
});

test('only the leader’s side may make an entry private, and an approved entry or a trip never is', async () => {
  const time = { start_time: at(4, '08:00'), end_time: at(4, '08:30'), visibility: 3 };
  for (const who of [house.clerk, house.colleague2, house.head])
    expect(await house.write(who, time)).toRefuse(notPrivate, '不是每位领导的本人或秘书');
  expect(await house.write(house.secretary, { ...time, type_id: 3 })).toRefuse(
    notPrivate,
    '外出报备须让大家知道领导不在',
  );
});

test('the kind of an approved schedule is not changed, and naming it is refused instead of dropped', async () => {
  const { id } = await house.written(house.principal, { start_time: at(4, '07:00'), end_time: at(4, '07:30') });
  const { version } = await house.get(house.secretary, id);
  const refused = await house.edit(house.secretary, id, { type_id: 3 });
  expect([refused.code, refused.msg]).toEqual([4000, expect.stringContaining('type_id')]);
  expect(await house.get(house.secretary, id)).toMatchObject({ type_id: 1, version });
});

test('only a leader’s own side and the office may move their time, not a colleague’s secretary', async () => {
  const { id } = await house.written(house.principal, { start_time: at(4, '09:00'), end_time: at(4, '10:00') });
  const moved = { start_time: at(4, '10:00'), end_time: at(4, '11:00') };
  for (const who of [house.colleague2, house.vice, house.head, house.staff])
    expect(await house.edit(who, id, moved)).toRefuse(notOnSide, '修改时间、地点和领导');
  expect((await house.edit(house.secretary, id, moved)).code).toBe(0);
  // Only another leader's own side can add that leader.
  const both = { leaders: [house.principal.username, house.vice.username], force: true };
  expect(await house.edit(house.secretary, id, both)).toRefuse(notTheirSide, '刘副校长');
  expect((await house.edit(house.clerk, id, { address: '图书馆' })).code).toBe(0);
  const { changes, address, act_state } = await house.get(house.secretary, id);
  expect({ address, act_state }).toEqual({ address: '图书馆', act_state: 4 });
  expect(changes.map((one) => [one.by, one.was])).toMatchObject([
    ['钱秘书', { 开始时间: at(4, '09:00') }],
    ['党政办', { 地点: '行政楼 301' }],
  ]);
});

test('of a hundred people entering the same hour of a leader one succeeds, and the others are told what is there', async () => {
  const time = { start_time: at(5, '09:00'), end_time: at(5, '10:00') };
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      house.write([house.secretary, house.clerk][index % 2]!, { ...time, title: `会谈 ${index}` }),
    ),
  );
  expect(answers.filter((one) => one.code === 0)).toHaveLength(1);
  for (const refused of answers.filter((one) => one.code !== 0))
    expect(refused).toMatchObject({ code: clashes.code, data: { can_force: true, clashes: [{ leader: '陈校长' }] } });
  expect((await house.write(house.clerk, { ...time, title: '并排的会', force: true })).code).toBe(0);
  const next = await house.write(house.head, time);
  expect(next).toMatchObject({ code: clashes.code, data: { can_force: false } });
  expect((next.data as unknown as { clashes: unknown[] }).clashes).toHaveLength(2);
  expect(await house.write(house.head, { ...time, force: true })).toMatchObject({ code: clashes.code });
  const touching = await house.write(house.secretary, { start_time: at(5, '10:00'), end_time: at(5, '10:30') });
  expect(touching.code).toBe(0);
  const { entries } = await house.board(house.clerk);
  expect(entries.filter((one) => one.clash.length > 0 && one.start_time === `${time.start_time}:00`)).toHaveLength(2);
}, 180_000);

test('one leader’s 不参加 leaves the entry of the others; 改派 asks another leader and is refused on a clash', async () => {
  const two = [house.principal.username, house.vice.username];
  const time = { start_time: at(1, '14:00'), end_time: at(1, '15:00') };
  const { id } = await house.written(house.clerk, { ...time, leaders: two, title: '开学典礼' });
  const answer = (who: typeof house.clerk, body: object) =>
    who.ask(calls.reply, { params: { id }, body: body as never });
  expect((await answer(house.clerk, { result: 1 })).msg).toBe('只有领导本人和其秘书可以答复，请与他们联系');
  expect((await answer(house.colleague2, { result: 2, note: '另有安排' })).code).toBe(0);
  const cells = async (leader: string) => {
    const { leaders, entries } = await house.board(house.staff);
    const half = leaders.find((one) => one.username === leader)!.cells[nextWeek(1)]!.pm;
    return half.map((place) => entries[place]!.title);
  };
  expect(await cells(house.principal.username)).toContain('开学典礼');
  expect(await cells(house.vice.username)).not.toContain('开学典礼');
  await house.written(house.colleague2, { ...time, leaders: [house.vice.username], title: '外事接待' });
  expect(await answer(house.secretary, { result: 3, to: house.vice.username })).toMatchObject({ code: clashes.code });
  expect((await answer(house.secretary, { result: 1 })).code).toBe(0);
  expect((await house.get(house.clerk, id)).leaders_info.map((one) => one.state).toSorted()).toEqual([1, 2]);
});

test('a meeting moves and cancels its schedule entries, and repeated or late notice of an older version has no effect', async () => {
  const source = { module: 'meetings', id: 77, path: '/meet/detail/77' };
  const base = { source, by: house.staff.userId, leaders: [house.vice.userId], title: '校长办公会', place: '301' };
  const hours = (from: string, to: string) => ({ start: at(2, from), end: at(2, to) });
  const id = await write<number>((tx) => keep(tx, { ...base, version: 1, ...hours('14:00', '15:00') }));
  expect(await write((tx) => keep(tx, { ...base, version: 3, ...hours('16:00', '17:00') }))).toBe(id);
  expect(await write((tx) => keep(tx, { ...base, version: 2, ...hours('15:00', '16:00') }))).toBeNull();
  expect((await house.get(house.vice, id)).start_time).toBe(`${at(2, '16:00')}:00`);
  expect(await house.edit(house.colleague2, id, { address: '302' })).toRefuse(followsSource, '修改时间、地点和领导');
  expect((await house.edit(house.colleague2, id, { visibility: 2 })).code).toBe(0);
  await write((tx) => withdraw(tx, source, 5));
  expect(await write((tx) => keep(tx, { ...base, version: 4, ...hours('08:00', '09:00') }))).toBeNull();
  expect(await house.get(house.vice, id)).toMatchObject({ run_status: 3, visibility: 2, cancel_reason: '来源已取消' });
  const gone = { module: 'meetings', id: 78 };
  await write((tx) => withdraw(tx, gone, 2));
  expect(await write((tx) => keep(tx, { ...base, source: gone, version: 1, ...hours('14:00', '15:00') }))).toBeNull();
});

test('冲突 is shown only beside the leader who has something else', async () => {
  const time = { start_time: at(6, '14:00'), end_time: at(6, '15:00') };
  const both = { ...time, leaders: [house.principal.username, house.vice.username], title: '两位都去的会' };
  const { id } = await house.written(house.clerk, both);
  const other = await house.written(house.clerk, {
    ...time,
    leaders: [house.vice.username],
    title: '只有一位的会',
    force: true,
  });
  const { entries } = await house.board(house.clerk);
  const of = (title: string) => entries.find((one) => one.title === title)!.clash;
  expect([of('两位都去的会'), of('只有一位的会')]).toEqual([[house.vice.userId], [house.vice.userId]]);
  expect((await house.get(house.clerk, id)).clash).toEqual([house.vice.username]);
  expect((await house.get(house.clerk, other.id)).clash).toEqual([house.vice.username]);
});

test('a reply and a move at the same time both take effect', async () => {
  const { id } = await house.written(house.clerk, { start_time: at(6, '09:00'), end_time: at(6, '10:00') });
  const [reply, moved] = await Promise.all([
    house.secretary.ask(calls.reply, { params: { id }, body: { result: 1 } as never }),
    house.edit(house.clerk, id, { start_time: at(6, '11:00'), end_time: at(6, '12:00') }),
  ]);
  expect([reply.code, moved.code]).toEqual([0, 0]);
  const row = await house.get(house.secretary, id);
  expect(row).toMatchObject({ start_time: `${at(6, '11:00')}:00`, leaders_info: [{ state: 1 }] });
  const span = { start_time: at(6, '11:30'), end_time: at(6, '11:45') };
  const taken = await write<unknown[]>((tx) => takenBy(tx, [house.principal.userId], span, house.clerk.userId));
  expect(taken).toHaveLength(1);
});

test('travel between campuses is a warning with minutes, and merging two places keeps all references', async () => {
  const day = { start_time: at(20, '09:00'), end_time: at(20, '10:00') };
  const { id } = await house.written(house.clerk, { ...day, address: '东校区 101' });
  await house.written(house.clerk, { start_time: at(21, '09:00'), end_time: at(21, '10:00'), address: '主楼 201' });
  const place = async (name: string) =>
    (await house.clerk.get(calls.places, { query: { search_value: name } })).value.find((one) => one.name === name)!;
  const save = async (name: string, body: object) =>
    (await house.clerk.ask(calls.savePlace, { params: { id: (await place(name)).id }, body: body as never })).code;
  for (const typed of ['dongxiaoqu', 'dxq', 'xiaoqu', '校区', '101'])
    expect(
      (await house.clerk.get(calls.places, { query: { search_value: typed } })).value.map((one) => one.name),
    ).toContain('东校区 101');
  expect(
    (await house.clerk.get(calls.places, { query: { search_value: 'zhulou' } })).value.map((one) => one.name),
  ).toEqual(['主楼 201']);
  expect(await save('东校区 101', { campus: '东校区' })).toBe(0);
  expect(await save('主楼 201', { campus: '主校区', shared: true })).toBe(0);
  const asked = {
    leaders: house.principal.username,
    start: at(20, '10:20'),
    end: at(20, '11:00'),
    address: '主楼 201',
  };
  const { travel } = await house.clerk.get(calls.busy, { query: asked as never });
  expect(travel).toEqual(['前一项日程在另一校区，间隔 20 分钟，路程约 40 分钟']);
  const wayOf = async (who: Client) => (await who.get(calls.busy, { query: asked as never })).travel;
  expect(await wayOf(house.stranger)).toEqual(travel);
  expect((await house.edit(house.secretary, id, { visibility: 3 })).code).toBe(0);
  expect(await wayOf(house.secretary)).toEqual(travel);
  // The place of a private entry is hidden from others.
  expect(await wayOf(house.stranger)).toEqual([]);
  expect((await house.edit(house.secretary, id, { visibility: 1 })).code).toBe(0);
  const { travel: enough } = await house.clerk.get(calls.busy, {
    query: { ...asked, start: at(20, '10:40') } as never,
  });
  expect(enough).toEqual([]);
  expect(await save('东校区 101', { into: (await place('主楼 201')).id })).toBe(0);
  expect(await place('主楼 201')).toMatchObject({ use_count: 2, shared: true });
  const drop = async (who: Client) => who.ask(calls.dropPlace, { params: { id: (await place('主楼 201')).id } });
  expect((await drop(house.secretary)).code).toBe(4003);
  expect((await drop(house.clerk)).code).toBe(0);
  expect(await place('主楼 201')).toBeUndefined();
});

test('an entry saved as a draft is submitted later with the changes made meanwhile', async () => {
  const { id, act_state } = await house.written(house.secretary, { submit: false });
  expect(act_state).toBe(0);
  const again = { params: { id }, body: { title: '改后再送' } as never };
  expect((await house.secretary.ask(calls.again, again)).code).toBe(0);
  const sent = await house.get(house.secretary, id);
  expect(sent).toMatchObject({ title: '改后再送' });
  expect(sent.act_state).toBeGreaterThan(0);
});

test('two places merged into each other at once end without a deadlock as one place', async () => {
  const before = await countDeadlocks(house.app);
  for (let round = 0; round < 20; round += 1) {
    const names = [`甲楼 ${round}`, `乙楼 ${round}`];
    for (const [hour, address] of names.entries()) {
      const day = { start_time: at(25 + round, `0${7 + hour}:00`), end_time: at(25 + round, `0${8 + hour}:00`) };
      await house.written(house.clerk, { ...day, address });
    }
    const places = (await house.clerk.get(calls.places, { query: { search_value: `楼 ${round}` } })).value.filter(
      (one) => names.includes(one.name),
    );
    const [one, two] = places.map((place) => place.id) as [number, number];
    const put = (id: number, into: number) =>
      house.clerk.ask(calls.savePlace, { params: { id }, body: { into } as never });
    const said = await Promise.all([put(one, two), put(two, one)]);
    expect(said.map(({ code }) => code).toSorted()).toEqual([0, 4004]);
  }
  expect(await countDeadlocks(house.app)).toBe(before);
});

test('an empty update by somebody without rights does not mark the entry as changed', async () => {
  const { id } = await house.written(house.clerk, { start_time: at(13, '09:00'), end_time: at(13, '10:00') });
  const before = await house.get(house.clerk, id);
  expect(await house.edit(house.stranger, id, {})).toMatchObject({ code: 4003 });
  expect((await house.get(house.clerk, id)).changed_at).toBe(before.changed_at);
});

test('a day outside the supported years is refused with a sentence in every call', async () => {
  const date = '1999-12-31';
  const asked = [
    house.clerk.ask(calls.list, { query: { end: date } as never }),
    house.clerk.ask(calls.board, { query: { date } as never }),
    house.clerk.ask(calls.weeks, { query: { from: date, to: date } as never }),
    house.clerk.ask(calls.publish, { body: { date, version: 0 } as never }),
    house.clerk.ask(calls.weekPdf, { query: { date } as never }),
  ];
  for (const { msg } of await Promise.all(asked)) expect(msg).toContain('请选择 2000 至 2099 年的日期');
});

test('choosing a leader for a schedule takes their duty into account, and offered times suit everybody chosen', async () => {
  const { principal, vice } = house;
  const day = nextWeek(10);
  await house.app.services.databases.pool.query(`
    with plan as (insert into duty_plan (keeper_id, name, work_from, work_to, rest_from, rest_to, lead_need, lead)
      values (${house.clerk.userId}, '带班', '08:00', '10:00', '08:00', '10:00', 1, '{}') returning id),
    shift as (insert into duty_shift (plan_id, day, name, kind, start_time, end_time, needs, published_at)
      select id, '${day}', '带班', 1, '${day} 08:00', '${day} 10:00', '{1,0,0}', now() from plan returning id)
    insert into duty_person (shift_id, start_time, end_time, post, user_id, why)
      select id, '${day} 08:00', '${day} 10:00', 1, ${vice.userId}, '' from shift`);
  await house.written(house.secretary, { start_time: `${day} 10:00`, end_time: `${day} 11:00`, title: '接访' });
  await house.app.admin.get(calendars.setDay, { params: { day }, body: { works: true, name: '调整' } });
  const asked = {
    leaders: [principal.username, vice.username].join(),
    start: `${day} 08:30`,
    end: `${day} 09:30`,
  };
  const { value, free } = await house.clerk.get(calls.busy, { query: { ...asked, suggest: true } as never });
  expect(value.find((one) => one.leader === vice.username)).toMatchObject({ label: '值班' });
  expect(free[0]).toEqual({ start_time: `${day} 11:00:00`, end_time: `${day} 12:00:00` });
  expect((await house.clerk.get(calls.busy, { query: asked as never })).free).toEqual([]);
});
