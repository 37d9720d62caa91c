import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counted } from '#apps/server/testing/counted.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import {
  endBeforeStart,
  intoItself,
  noLeader,
  notForAll,
  sharesPlaces,
  weekMoved,
  weekPending,
} from './contract/refusals.ts';
import { remindToday, remindTomorrow } from './beside/brief.ts';
import { remindSoon } from './beside/soon.ts';
import { printWeeks } from './board/weeks.ts';
import { keep } from './service.ts';
import { at, calls, nextWeek, openLeaders } from './testing/house.ts';

let house: Awaited<ReturnType<typeof openLeaders>>;
beforeAll(async () => {
  house = await openLeaders();
});
afterAll(() => house.app.close());
const publish = (who: typeof house.clerk, more: object = {}) =>
  who.ask(calls.publish, { body: { date: nextWeek(3), version: 0, ...more } as never });
const pdf = async (who: typeof house.clerk, query: string) =>
  Buffer.from(await (await who.fetch(`/api/leader/week/pdf/?date=${nextWeek(1)}${query}`)).arrayBuffer());

test('a published week does not change; later changes show old and new with time, and its printed pages stay identical', async () => {
  const time = (day: number, from: string, to: string) => ({ start_time: at(day, from), end_time: at(day, to) });
  const { id } = await house.written(house.secretary, { ...time(2, '09:00', '10:00'), title: '办公会' });
  await house.written(house.secretary, { ...time(2, '14:00', '15:00'), title: '保密谈话', visibility: 3 });
  await house.written(house.clerk, { ...time(3, '14:00', '15:00'), title: '内部会', visibility: 2 });
  expect(await publish(house.secretary)).toRefuse(notForAll, '发布一周安排');
  expect((await publish(house.clerk)).data).toEqual({ version: 1 });
  expect(await publish(house.clerk)).toRefuse(weekMoved, 1);
  const { databases } = house.app.services;
  await printWeeks(databases.fresh, databases.write);
  const [all, open] = [await pdf(house.clerk, '&scope=all'), await pdf(house.staff, '&scope=open')];
  expect(all.subarray(0, 5).toString()).toBe('%PDF-');
  expect(
    (
      await house.staff
        .ask(calls.weekPdf, { query: { date: nextWeek(1), scope: 'all' } as never })
        .catch(() => ({ code: 4003 }))
    ).code,
  ).toBe(4003);
  expect((await house.edit(house.secretary, id, { ...time(4, '09:00', '10:00'), address: '302' })).code).toBe(0);
  await house.written(house.secretary, { ...time(5, '09:00', '10:00'), title: '临时会' });
  const { entries, published } = await house.board(house.staff);
  expect(published).toMatchObject({ version: 1, changes: 2, published_by: '党政办' });
  const was = Object.fromEntries(entries.map((one) => [one.title, one.was]));
  expect(was['办公会']).toBe(`原为 ${at(2, '09:00').slice(5)}–10:00，行政楼 301`);
  expect(was['临时会']).toBe('新增');
  expect(entries.find((one) => one.title === '办公会')!.changed_at).toMatch(/^20/);
  expect((await publish(house.clerk, { version: 1 })).data).toEqual({ version: 2 });
  expect((await house.board(house.staff)).published!.changes).toBe(0);
  expect(await pdf(house.clerk, '&scope=all&version=1')).toEqual(all);
  expect(await pdf(house.staff, '&scope=open&version=1')).toEqual(open);
  const kept = await house.app.db.execute<{ words: string }>(
    sql`select string_agg(snapshot::text, '') words from leader_week`,
  );
  expect(kept.rows[0]!.words).not.toContain('保密谈话');
  await expect(house.app.db.execute(sql`update leader_week set snapshot = '{}'`)).rejects.toThrow('leader_week');
  expect(
    (await house.staff.get(calls.weeks, { query: { from: nextWeek(1), to: nextWeek(7) } as never })).value,
  ).toMatchObject([{ version: 2 }]);
});

test('publishing during edits keeps the week consistent: later edits show as changes', async () => {
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      house.written(house.secretary, {
        start_time: at(6, `0${index + 1}:00`),
        end_time: at(6, `0${index + 1}:30`),
        title: `并行 ${index}`,
      }),
    ),
  );
  const [published] = await Promise.all([
    publish(house.clerk, { version: 2 }),
    ...made.map(({ id }) => house.edit(house.secretary, id, { address: '新地点' })),
  ]);
  expect(published.code).toBe(0);
  const { rows } = await house.app.db.execute<{ place: string }>(
    sql`select e ->> 'address' place from leader_week, jsonb_array_elements(snapshot -> 'entries') e where version = 3 and e ->> 'title' like '并行%'`,
  );
  expect(rows).toHaveLength(6);
  const changed = (await house.board(house.staff)).entries.filter(
    (one) => one.title.startsWith('并行') && one.was !== '',
  );
  expect(changed).toHaveLength(rows.filter((one) => one.place !== '新地点').length);
});

test('clashes are confirmed before a week is published', async () => {
  const time = { start_time: at(14, '09:00'), end_time: at(14, '10:00') };
  await house.written(house.secretary, time);
  await house.written(house.clerk, { ...time, force: true });
  const next = { date: nextWeek(14), version: 0 };
  expect(await publish(house.clerk, next)).toRefuse(weekPending, 2);
  expect((await publish(house.clerk, { ...next, force: true })).code).toBe(0);
});

test('the morning brief and the 17:00 reminder are sent once, respect quiet hours, and skip cancelled entries', async () => {
  const day = nextWeek(21);
  const time = (from: string, to: string) => ({ start_time: `${day} ${from}`, end_time: `${day} ${to}` });
  const kept = await house.written(house.secretary, { ...time('09:00', '10:00'), title: '晨会' });
  const gone = await house.written(house.secretary, { ...time('15:00', '16:00'), title: '取消的会' });
  const cancelled = { params: { id: gone.id }, body: { reason: '改期' } as never };
  await house.clerk.get(calls.cancel, cancelled);
  await house.secretary.get(messages.keepPreference, { body: { quiet_from: '22:00', quiet_to: '08:00' } });
  const heard = async (who: typeof house.clerk) =>
    (await house.titles(who)).filter((one) => one.includes('今日日程') || one.includes('明日日程'));
  const run = (work: typeof remindToday, hour: string, on = day) =>
    house.app.services.databases.write((tx) => work(tx, momentOf(`${on} ${hour}`)) as Promise<void>);
  const evening = (hour: string) => run(remindTomorrow as never, hour, nextWeek(20));
  await evening('17:00');
  await evening('17:05');
  expect(await heard(house.secretary)).toEqual(['明日日程：晨会']);
  await run(remindToday, '07:20');
  expect(await heard(house.principal)).toEqual(['明日日程：晨会']);
  await run(remindToday, '07:30');
  await run(remindToday, '07:40');
  expect(await heard(house.principal)).toEqual(['陈校长今日日程 1 项', '明日日程：晨会']);
  expect(await heard(house.secretary)).toEqual(['明日日程：晨会']);
  await run(remindToday, '08:00');
  await run(remindToday, '08:10');
  expect(await heard(house.secretary)).toEqual(['陈校长今日日程 1 项', '明日日程：晨会']);
  expect(kept.act_state).toBe(4);
});

test('leaders, secretaries and companions are reminded the chosen minutes before an entry, once each, of its present time', async () => {
  const [day, eve] = [nextWeek(23), nextWeek(22)];
  const time = (from: string, to: string) => ({ start_time: `${day} ${from}`, end_time: `${day} ${to}` });
  const more = { title: '要提醒的事', remind: [60, 15], escort: [house.staff.username] };
  const { id } = await house.written(house.secretary, { ...time('14:00', '15:00'), ...more });
  const gone = await house.written(house.secretary, { ...time('16:00', '17:00'), title: '取消的事' });
  await house.clerk.get(calls.cancel, { params: { id: gone.id }, body: { reason: '改期' } as never });
  const whole = { leaders: [house.vice.username], ...time('00:00', '00:00'), all_day: true, title: '全天的事' };
  const allDay = await house.written(house.colleague2, whole);
  const pass = (hour: string, on = day) =>
    house.app.services.databases.write((tx) => remindSoon(tx, momentOf(`${on} ${hour}`)));
  const heard = async (who: typeof house.clerk) =>
    (await house.titles(who)).filter((one) => one.startsWith('日程提醒'));
  const one = '日程提醒：要提醒的事';
  await pass('23:00', eve);
  await pass('12:59');
  expect(await heard(house.principal)).toEqual([]);
  await Promise.all([pass('13:00'), pass('13:01')]);
  for (const who of [house.principal, house.secretary, house.staff]) expect(await heard(who)).toEqual([one]);
  await pass('13:46');
  expect(await heard(house.principal)).toEqual([one, one]);
  expect((await house.edit(house.secretary, id, time('17:00', '18:00'))).code).toBe(0);
  expect(await heard(house.principal)).toEqual([]);
  await pass('15:00');
  expect(await heard(house.principal)).toEqual([]);
  await pass('16:00');
  expect(await heard(house.principal)).toEqual([one]);
  expect(await heard(house.vice)).toEqual([]);
  const refused = await house.edit(house.colleague2, allDay.id, { remind: [30] });
  expect(refused.msg).toBe('日程是全天的，不能修改提醒');
});

test('the side of a leader chooses when to be reminded of an entry, also of one that follows a meeting, and nobody is told of a change', async () => {
  const source = { module: 'meetings', id: 91 };
  const time = { start: `${nextWeek(24)} 10:00`, end: `${nextWeek(24)} 11:00` };
  const kept = { source, version: 1, by: house.staff.userId, leaders: [house.principal.userId], title: '要提醒的会' };
  const id = (await house.app.services.databases.write((tx) => keep(tx, { ...kept, ...time })))!;
  expect(await house.get(house.secretary, id)).toMatchObject({ remind: [], changed_at: null });
  const change = (who: typeof house.clerk, remind: number[]) => house.edit(who, id, { remind });
  expect((await change(house.staff, [30])).code).not.toBe(0);
  expect((await change(house.secretary, [3])).code).not.toBe(0);
  expect((await change(house.secretary, [30])).code).toBe(0);
  const row = await house.get(house.secretary, id);
  expect(row).toMatchObject({ remind: [30], changed_at: null, changes: [] });
  expect(row.can).toContain('remind');
  expect((await house.titles(house.principal)).filter((title) => title.includes('要提醒的会'))).toEqual([
    '新日程：要提醒的会',
  ]);
  // The writer of an entry, who here called the meeting, is not one of those who chose the reminder.
  const pass = (hour: string) =>
    house.app.services.databases.write((tx) => remindSoon(tx, momentOf(`${nextWeek(24)} ${hour}`)));
  const reminded = async (who: typeof house.clerk, title: string) =>
    (await house.titles(who)).filter((one) => one === `日程提醒：${title}`).length;
  await pass('09:30');
  expect([await reminded(house.principal, '要提醒的会'), await reminded(house.staff, '要提醒的会')]).toEqual([1, 0]);
  // Of a private entry, only the leader and the secretary are.
  const hours = { start_time: `${nextWeek(24)} 15:00`, end_time: `${nextWeek(24)} 16:00` };
  const hidden = { ...hours, title: '私下的事', visibility: 3, escort: [house.staff.username] };
  await house.written(house.secretary, hidden);
  await pass('14:00');
  const heard = [house.principal, house.secretary, house.staff].map((who) => reminded(who, '私下的事'));
  expect(await Promise.all(heard)).toEqual([1, 1, 0]);
});

test('the database takes no reminders of trips, none out of range, and no repeat of an entry that follows a record', async () => {
  const { id } = await house.written(house.secretary, { start_time: at(54, '09:00'), end_time: at(54, '10:00') });
  const set = (columns: string) =>
    house.app.services.databases.pool.query(`update leader_schedule set ${columns} where id = ${id}`);
  for (const remind of ['{4}', '{10081}', '{5,6,7,8,9,10}'])
    await expect(set(`remind = '${remind}'`)).rejects.toThrow('leader_schedule_remind');
  await expect(set(`type_id = 3`)).rejects.toThrow('leader_schedule_remind');
  await expect(set(`series_id = id, source_module = 'meetings', source_id = 92`)).rejects.toThrow(
    'leader_schedule_repeats',
  );
});

test('the week of thirty leaders takes a handful of statements; shown changes count as seen until the next change', async () => {
  const { staff } = house;
  const { leaders: there } = await house.board(staff);
  const more = await Promise.all(Array.from({ length: 28 }, () => house.app.person({ roles: ['xld'] })));
  const monday = nextWeek(1);
  // Without a ticket each: here the board alone is tried.
  await house.app.services.databases.pool.query(
    'alter table leader_schedule disable trigger record_begins_with_ticket',
  );
  await house.app.services.databases.write((tx) =>
    tx.execute(sql`
    with made as (insert into leader_schedule (creator_id, title, start_time, end_time, act_state, direct, visibility)
      select ${staff.userId}, '满满的一周', ${monday}::date + d * interval '1 day' + h * interval '1 hour', ${monday}::date + d * interval '1 day' + (h + 1) * interval '1 hour', 4, true, 1 + (h % 2)
      from generate_series(0, 6) d, generate_series(8, 10) h, generate_series(1, 28) returning id)
    insert into leader_attend (schedule_id, leader_id) select id, (${sql.param(more.map((one) => one.id))}::int[])[1 + id % 28] from made`),
  );
  const before = await staff.get(calls.redpoint);
  expect(before.total).toBeGreaterThan(0);
  await house.board(staff);
  // Jobs of earlier calls may still run queries, which must not be counted.
  await expect
    .poll(
      async () =>
        (await counted(staff, () => house.board(staff))).filter((one) => !/^(begin|commit|set )/.test(one)).length,
      { timeout: 180_000 },
    )
    .toBeLessThanOrEqual(6);
  const { entries, leaders } = await house.board(staff);
  expect([leaders.length, entries.length > 588]).toEqual([there.length + 28, true]);
  expect(entries.every((one) => !one.unseen)).toBe(true);
  const one = entries.find((entry) => entry.id !== null && entry.title === '办公会')!;
  await house.edit(house.secretary, one.id!, { address: '303' });
  expect((await house.board(staff)).entries.find((entry) => entry.id === one.id)!.unseen).toBe(true);
});

test('复制上周 copies each entry to its weekday; clashes, trips and entries with a source are named and skipped', async () => {
  const week = (day: number, hour: string) => `${nextWeek(28 + day)} ${hour}`;
  const time = (day: number, from: string, to: string) => ({ start_time: week(day, from), end_time: week(day, to) });
  const own = { contact: house.staff.username, escort: [house.head.username], participants: '各处室', visibility: 3 };
  const first = await house.written(house.secretary, { ...time(1, '09:00', '10:00'), title: '周例会', ...own });
  const whole = await house.written(house.secretary, {
    start_time: week(2, '00:00'),
    end_time: week(3, '00:00'),
    all_day: true,
    title: '全天调研',
  });
  const other = await house.written(house.secretary, { ...time(4, '09:00', '10:00'), title: '会撞上的会' });
  await house.written(house.clerk, {
    start_time: `${nextWeek(39)} 09:30`,
    end_time: `${nextWeek(39)} 10:30`,
    title: '先到的会',
  });
  const ids = [first.id, whole.id, other.id, 999_999];
  const copied = await house.secretary.get(calls.copy, { body: { ids, date: nextWeek(38) } });
  expect([copied.made, copied.left.map((one) => one.id)]).toEqual([2, [other.id, 999_999]]);
  expect(copied.left[0]!.msg).toContain('先到的会');
  const { value } = await house.secretary.get(calls.list, {
    query: { start: nextWeek(36), end: nextWeek(42), category: 'side', order_by: 'start_time', desc: false } as never,
  });
  expect(value.map((row) => [row.title, row.start_time, row.act_state])).toEqual([
    ['周例会', `${nextWeek(36)} 09:00:00`, 4],
    ['全天调研', `${nextWeek(37)} 00:00:00`, 4],
    ['先到的会', `${nextWeek(39)} 09:30:00`, 4],
  ]);
  const made = await house.get(house.secretary, value[0]!.id);
  expect(made).toMatchObject({
    visibility: 3,
    participants: '各处室',
    contact_info: { username: house.staff.username },
    escort_info: [{ username: house.head.username }],
  });
  expect((await house.get(house.secretary, value[1]!.id)).end_time).toBe(`${nextWeek(38)} 00:00:00`);
  // The Friday of the last week that may be written lies in the next century.
  const last = { start_time: week(5, '00:00'), end_time: week(6, '00:00'), all_day: true, title: '周五调研' };
  const friday = await house.written(house.secretary, last);
  const late = await house.secretary.get(calls.copy, { body: { ids: [friday.id], date: '2099-12-31' } });
  expect([late.made, late.left.map((one) => one.msg)]).toEqual([0, [expect.stringContaining('请选择更早的日期')]]);
  // Users cannot copy an entry that they may not read.
  const blind = await house.clerk.get(calls.copy, { body: { ids: [first.id], date: nextWeek(45) } });
  expect([blind.made, blind.left[0]!.msg]).toEqual([0, '领导日程不存在，或您无权查看']);
  expect((await house.staff.ask(calls.copy, { body: { ids, date: nextWeek(38) } })).code).toBe(4003);
});

test('a weekly schedule is entered for the requested weeks, and weeks in which its leader is busy are named and skipped', async () => {
  const time = (day: number) => ({ start_time: `${nextWeek(day)} 16:00`, end_time: `${nextWeek(day)} 17:00` });
  const { id } = await house.written(house.secretary, { ...time(71), title: '碰头会' });
  await house.written(house.clerk, { ...time(85), title: '早定的会' });
  const copied = await house.secretary.get(calls.copy, { body: { ids: [id], date: nextWeek(80), weeks: 3 } });
  expect(copied).toMatchObject({
    made: 2,
    left: [{ id, week: nextWeek(85), msg: expect.stringContaining('早定的会') }],
  });
  const { value } = await house.secretary.get(calls.list, {
    query: { start: nextWeek(71), end: nextWeek(98), category: 'side', order_by: 'start_time', desc: false } as never,
  });
  expect(value.map((row) => [row.title, row.start_time.slice(0, 10)])).toEqual([
    ['碰头会', nextWeek(71)],
    ['碰头会', nextWeek(78)],
    ['早定的会', nextWeek(85)],
    ['碰头会', nextWeek(92)],
  ]);
  const body = { ids: Array.from({ length: 100 }, (_, at) => at + 1), date: nextWeek(80), weeks: 3 };
  expect((await house.secretary.ask(calls.copy, { body })).msg).toContain('一次最多复制 200 项');
});

test('the rules accept only leaders as main leaders, and refuse anybody else by name', async () => {
  const save = (main_leaders: string[]) => house.clerk.ask(calls.saveRule, { body: { main_leaders } as never });
  for (const name of ['nobody.here', house.staff.username])
    expect(await save([house.principal.username, name])).toRefuse(noLeader, name);
  expect((await house.clerk.get(calls.rule)).value.main_leaders).toEqual([]);
  expect((await save([house.principal.username])).code).toBe(0);
  expect((await save([])).code).toBe(0);
});

test('refusals about places, unpublished weeks and reversed times name what was asked for', async () => {
  const own = { start_time: at(1, '07:00'), end_time: at(1, '07:30'), address: '家门口' };
  await house.written(house.secretary, { ...own, title: '晨会' });
  const places = (await house.secretary.get(calls.places, { query: {} as never })).value;
  const place = places.find((one) => one.name === '家门口')!;
  const save = (body: object) =>
    house.secretary.ask(calls.savePlace, { params: { id: place.id }, body: body as never });
  expect(await save({ shared: true })).toRefuse(sharesPlaces);
  expect(await save({ into: place.id })).toRefuse(intoItself, '家门口');
  expect((await save({ shared: false, campus: '东区' })).code).toBe(0);
  const week = { date: nextWeek(80), version: 99 };
  expect((await house.clerk.ask(calls.publish, { body: week as never })).msg).toBe(
    '本周还没有发布过，请刷新核对后再发布',
  );
  const busy = { leaders: house.principal.username, start: at(2, '10:00'), end: at(2, '09:00') };
  expect(await house.clerk.ask(calls.busy, { query: busy as never })).toRefuse(endBeforeStart, busy.end, busy.start);
});

test('an entry that was made or changed after the moment of a reminder is not reminded of, since people were just told', async () => {
  const inMinutes = (minutes: number) => momentText(new Date(Date.now() + minutes * 60_000)).slice(0, 16);
  const time = { start_time: inMinutes(15), end_time: inMinutes(45) };
  const { id } = await house.written(house.secretary, { ...time, title: '临近的事', remind: [15], force: true });
  const pass = () => house.app.services.databases.write((tx) => remindSoon(tx, new Date()));
  const heard = async () => (await house.titles(house.principal)).filter((one) => one === '日程提醒：临近的事');
  await pass();
  expect(await heard()).toEqual([]);
  await house.app.services.databases.pool.query(
    `update leader_schedule set gmt_created = now() - interval '1 hour' where id = ${id}`,
  );
  await pass();
  expect(await heard()).toHaveLength(1);
  expect((await house.edit(house.secretary, id, { remark: '带上材料' })).code).toBe(0);
  await pass();
  expect(await heard()).toEqual([]);
});
