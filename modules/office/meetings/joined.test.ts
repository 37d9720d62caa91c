import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { codes } from '#kernel/contract/refusal.ts';
import { items } from '#modules/office/supervision/contract/supervise.ts';
import type { Client } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { feeds } from '#modules/platform/feeds/contract.ts';
import { keep as keepInSchedule } from '#modules/office/leaders/service.ts';
import { changeForLeaders } from './acts/leaders.ts';
import { calendar } from './contract/calendar.ts';
import { minutes } from './contract/minutes.ts';
import { calls, on, openMeetings, period } from './testing/house.ts';
import { timesOf } from './testing/passing.ts';

let house: Awaited<ReturnType<typeof openMeetings>>;
let times: ReturnType<typeof timesOf>;
let supervisor: Client;
beforeAll(async () => {
  house = await openMeetings();
  times = timesOf(house);
  supervisor = await house.hire('督办员', { roles: ['supervise_admin'] });
});
afterAll(() => house.office.close());

const raise = (id: number, who: Client, nos?: number[]) =>
  who.ask(minutes.raise, { params: { id }, body: { ...(nos && { nos }) } });
const said = (id: number, who: Client) => who.get(minutes.get, { params: { id } });
const keep = (id: number, body: object) => house.staff.get(minutes.keep, { params: { id }, body: body as never });
const raisedOf = async (id: number) =>
  (
    await house.office.db.execute<{ source_key: string; owner: number; due: string; source: number; status: number }>(
      sql`select source_key, owner, due_at::text due, source, status from supervise where source_module = 'meetings' and source_id = ${id}
        and not is_deleted order by source_key`,
    )
  ).rows;
/** A meeting under way with decisions, attended by its supervisor. */
const decided = async (...decisions: object[]) => {
  const { staff } = house;
  const audience = { users: [supervisor.userId, house.librarian.userId] };
  const id = await house.meet({ title: '议事会', location: '操场', host_id: staff.userId, audience });
  await times.begin(id, -5);
  await times.pass();
  await keep(id, { act: 'save', content: '议定如下', decisions });
  return id;
};
const publish = async (id: number) => {
  await keep(id, { act: 'hand_in' });
  await keep(id, { act: 'publish' });
};

describe('a decision of a meeting', () => {
  test('becomes one supervised item, however often and by however many people it is clicked', async () => {
    const { staff, librarian, stranger } = house;
    const id = await decided(
      { content: '修缮屋顶', owner_id: staff.userId, due: '2030-01-31' },
      { content: '更换门锁' },
      { content: '另行研究' },
    );
    expect((await raise(id, supervisor)).code).toBe(codes.notNow);
    await publish(id);
    expect((await said(id, supervisor)).actions).toEqual(['raise']);
    expect((await said(id, librarian)).actions).toEqual([]);
    expect((await raise(id, librarian)).code).toBe(codes.forbidden);
    expect((await raise(id, stranger)).code).toBe(codes.absent);
    const answers = await Promise.all(Array.from({ length: 12 }, () => raise(id, supervisor, [1, 2])));
    expect(answers.map((one) => one.code)).toEqual(answers.map(() => codes.ok));
    expect(new Set(answers.map((one) => JSON.stringify(one.data.value))).size).toBe(1);
    // The page of supervision sends the same call.
    const from = { module: 'meetings', id, key: '2' };
    const again = await supervisor.get(items.create, {
      body: { title: '更换门锁', source: 2, content: '', from, subs: [] } as never,
    });
    expect(again.id).toBe(answers[0]!.data.value[1]!.supervise_id);
    expect(await raisedOf(id)).toMatchObject([
      { source_key: '1', owner: staff.userId, due: expect.stringContaining('2030-01-31 23:59') as string, source: 2 },
      { source_key: '2', status: 0 },
    ]);
    const marks = (await said(id, librarian)).decisions.map((one) => one.supervised);
    expect(marks).toMatchObject([
      { sn: expect.stringMatching(/^DB/) as string, state: '草稿' },
      { state: '草稿' },
      null,
    ]);
    expect((await raise(id, supervisor, [7])).code).toBe(codes.refused);
    expect((await raise(id, supervisor)).data.value).toHaveLength(3);
    expect((await said(id, supervisor)).actions).toEqual([]);
  });

  test('stays as published while the next minutes are a draft, which others neither see nor act on', async () => {
    const id = await decided({ content: '已公布的事项' });
    await publish(id);
    await keep(id, { act: 'save', content: '草稿', decisions: [{ content: '未定稿' }] });
    const contents = async (who: Client) => (await said(id, who)).decisions.map((one) => one.content);
    expect(await contents(supervisor)).toEqual(['已公布的事项']);
    expect(await contents(house.staff)).toEqual(['未定稿']);
    const { value } = (await raise(id, supervisor)).data;
    expect(value.map((one) => one.no)).toEqual([1]);
    await publish(id);
    expect(await contents(supervisor)).toEqual(['已公布的事项', '未定稿']);
    const kept = house.office.services.databases.write((tx) =>
      tx.execute(sql`update meet_decision set content = '改' where meet_id = ${id} and no = 2`),
    );
    await expect(kept).rejects.toThrow('Failed query');
  });

  test('cannot be due before the meeting', async () => {
    const id = await decided({ content: '修缮屋顶' });
    const late = { act: 'save', decisions: [{ content: '修缮屋顶', due: '2020-01-01' }] };
    const { msg } = await house.staff.ask(minutes.keep, { params: { id }, body: late as never });
    expect(msg).toContain('“修缮屋顶”的时限 2020-01-01 早于会议日期');
  });

  test('is fixed once an item was made of it, and no later decision takes its number', async () => {
    const id = await decided({ content: '第一件' }, { content: '第二件' });
    await publish(id);
    await supervisor.get(items.create, {
      body: { title: '第二件', source: 2, content: '', from: { module: 'meetings', id, key: '2' }, subs: [] } as never,
    });
    await keep(id, { act: 'save', content: '更正', decisions: [{ content: '第三件' }] });
    const now = (await said(id, house.staff)).decisions;
    const { databases } = house.office.services;
    const gone = databases.write((tx) => tx.execute(sql`delete from meet_decision where meet_id = ${id} and no = 2`));
    await expect(gone).rejects.toThrow('Failed query');
    expect(now.map((one) => [one.no, one.content, one.supervised !== null])).toEqual([
      [2, '第二件', true],
      [3, '第三件', false],
    ]);
  });
});

describe('a leader invited to a meeting', () => {
  const entriesOf = async (id: number) =>
    (
      await house.office.db.execute<{
        title: string;
        start: string;
        address: string;
        cancelled: boolean;
        who: number[];
      }>(
        sql`select title, left(start_time::text, 16) "start", address, cancelled_at is not null cancelled,
          array(select leader_id from leader_attend a where a.schedule_id = s.id order by 1) who
          from leader_schedule s where source_module = 'meetings' and source_id = ${id}`,
      )
    ).rows;
  const edit = (id: number, body: object) =>
    house.staff.get(calls.edit, { params: { id }, body: { scope: 'this', ...body } as never });

  test('has it in their schedule, where it moves and is cancelled with it', async () => {
    const { staff, colleague } = house;
    const xld = await house.hire('王校长', { roles: ['xld'] });
    const id = await house.meet({
      title: '校务会',
      location: '一会',
      audience: { users: [xld.userId, colleague.userId] },
    });
    expect(await entriesOf(id)).toEqual([
      { title: '校务会', start: on(1, '09:00').slice(0, 16), address: '一会', cancelled: false, who: [xld.userId] },
    ]);
    expect(await house.heard(xld, '校务会')).toContain('新日程：校务会');
    await edit(id, period('14:00', '15:00'));
    await edit(id, { location: '二会' });
    expect(await entriesOf(id)).toMatchObject([
      { start: on(1, '14:00').slice(0, 16), address: '二会', cancelled: false },
    ]);
    const second = await house.hire('李校长', { roles: ['xld'] });
    await edit(id, { audience: { users: [second.userId] } });
    expect(await entriesOf(id)).toMatchObject([{ who: [second.userId] }]);
    await edit(id, { audience: { users: [colleague.userId] } });
    expect(await entriesOf(id)).toMatchObject([{ cancelled: true }]);
    await edit(id, { audience: { users: [second.userId] } });
    expect(await entriesOf(id)).toMatchObject([{ cancelled: false, who: [second.userId] }]);
    await staff.get(calls.cancel, { params: { id }, body: { reason: '改期另定', scope: 'this' } as never });
    expect(await entriesOf(id)).toMatchObject([{ cancelled: true }]);
    expect(await entriesOf(await house.meet({ location: '三会', audience: { users: [colleague.userId] } }))).toEqual(
      [],
    );
  });

  test('has each date of a repeat, and an outdated notice of a meeting has no effect', async () => {
    const xld = await house.hire('赵校长', { roles: ['xld'] });
    const id = await house.meet({
      title: '周例会',
      location: '一会',
      audience: { users: [xld.userId] },
      repeat: { freq: 'DAILY', interval: 1, days: [], count: 3 },
    });
    const { rows } = await house.office.db.execute<{ n: number }>(
      sql`select count(*)::int n from leader_schedule where title = '周例会' and cancelled_at is null`,
    );
    expect(rows[0]!.n).toBe(3);
    const old = { ...(await house.get(id)), start_time: on(1, '20:00'), end_time: on(1, '21:00'), version: 1 };
    await house.office.services.databases.write((tx) => changeForLeaders(tx, old as never, house.staff.userId));
    expect(await entriesOf(id)).toMatchObject([{ start: on(1, '09:00').slice(0, 16) }]);
  });

  test('has each date of a repeat at its new place, and reads the old and new place', async () => {
    const xld = await house.hire('孙校长', { roles: ['xld'] });
    const repeat = { freq: 'DAILY', interval: 1, days: [], count: 3 };
    const id = await house.meet({ title: '月例会', location: '一会', audience: { users: [xld.userId] }, repeat });
    await edit(id, { location: '二会', scope: 'all' });
    const { rows } = await house.office.db.execute<{ address: string }>(
      sql`select address from leader_schedule where title = '月例会' and cancelled_at is null`,
    );
    expect(rows.map((one) => one.address)).toEqual(['二会', '二会', '二会']);
    const { rows: told } = await house.office.db.execute<{ content: string }>(
      sql`select content from msg where title = '日程变更：月例会'`,
    );
    expect(new Set(told.map((one) => /由 .*，一会 改为 .*，二会$/.test(one.content)))).toEqual(new Set([true]));
  });

  test('is shown as busy by their schedule while people are chosen', async () => {
    const xld = await house.hire('钱校长', { roles: ['xld'] });
    const source = { module: 'trial', id: 1 };
    const span = { start: on(3, '09:00'), end: on(3, '10:00') };
    await house.office.services.databases.write((tx) =>
      keepInSchedule(tx, { source, version: 1, by: house.staff.userId, leaders: [xld.userId], title: '调研', ...span }),
    );
    await house.meet({ location: '一会', audience: { users: [xld.userId] }, ...period('10:00', '11:00', 3) });
    const asked = { users: [xld.userId], start_time: on(3, '08:00'), end_time: on(3, '12:00') };
    const { value } = await house.staff.get(calendar.busy, { body: asked });
    expect(value[0]!.busy.map((one) => one.start_time.slice(11, 16)).toSorted()).toEqual(['09:00', '10:00']);
  });

  test('has it once in their phone’s calendar, whichever source is subscribed, without a title that is not public', async () => {
    const xld = await house.hire('孙校长', { roles: ['xld'] });
    await house.meet({
      title: '不公开的会',
      location: '一会',
      audience: { users: [xld.userId] },
      ...period('16:00', '17:00'),
    });
    const keys = ['meetings', 'leaders', 'activities', 'supervision'];
    const textOf = async (chosen: string[], titles = false) => {
      const { path } = await xld.get(feeds.add, { body: { name: '手机', keys: chosen, titles } });
      return async () => (await (await house.office.stranger.fetch(path)).text()).replaceAll('\r\n ', '');
    };
    const uidsOf = async (chosen: string[]) => {
      const text = await (await textOf(chosen))();
      expect(text).not.toContain('不公开的会');
      return text.split('\r\n').filter((line) => line.startsWith('UID:'));
    };
    const [own, entry] = [await uidsOf(['meetings']), await uidsOf(['leaders'])];
    expect([own.length, entry.length]).toEqual([1, 1]);
    expect(await uidsOf(keys)).toEqual(own);
    expect(await uidsOf(keys.toReversed())).toEqual(own);
    // With its title if its owner chose so, as long as the house allows titles outside.
    const [asMeeting, asEntry] = [await textOf(['meetings'], true), await textOf(['leaders'], true)];
    const named = async () => [await asMeeting(), await asEntry()].map((text) => text.includes('SUMMARY:不公开的会'));
    expect(await named()).toEqual([true, true]);
    await house.office.admin.get(settings.saveSite, { body: { feed_titles: false } });
    expect(await named()).toEqual([false, false]);
  });
});
