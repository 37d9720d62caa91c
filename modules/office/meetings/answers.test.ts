import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { leaders } from '#modules/office/leaders/contract.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { secretaryTable } from '#modules/platform/people/tables.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { substituteSends } from './contract/refusals.ts';
import { calls, expectOk, openMeetings, period } from './testing/house.ts';
import { timesOf } from './testing/passing.ts';

// Answers of leaders to meetings, given there or in their schedules.
let house: Awaited<ReturnType<typeof openMeetings>>;
let times: ReturnType<typeof timesOf>;
beforeAll(async () => {
  house = await openMeetings();
  times = timesOf(house);
});
afterAll(() => house.office.close());

const entries = async (id: number) =>
  (
    await house.office.db.execute<{ id: number; leader: number; state: number; note: string }>(
      sql`select s.id, a.leader_id leader, a.state, a.note from leader_schedule s join leader_attend a on a.schedule_id = s.id
        where s.source_module = 'meetings' and s.source_id = ${id} and s.cancelled_at is null order by a.leader_id`,
    )
  ).rows;
const asks = async (who: Client) =>
  (await who.get(waiting.list, { query: { per_page: 100 } as never })).value.flatMap((row) =>
    ['meet/attend', 'leader/list'].includes(row.page) ? row.title : [],
  );
const mine = async (id: number, who: Client) => (await house.get(id, who)).mine!;
const reply = (who: Client, id: number, body: object) => who.ask(calls.reply, { params: { id }, body: body as never });
/** Answers on the entry with the given id. */
const inSchedule = (who: Client, id: number, body: object) =>
  who.ask(leaders.reply, { params: { id }, body: body as never });
const edit = (id: number, body: object) => house.staff.get(calls.edit, { params: { id }, body: body as never });

const leader = (name: string) => house.hire(name, { roles: ['xld'] });
const assist = async (name: string, ...whom: Client[]) => {
  const who = await house.hire(name, { roles: ['secretary'] });
  await house.office.services.databases.write((tx) =>
    tx.insert(secretaryTable).values(whom.map((one) => ({ secretary_id: who.userId, leader_id: one.userId }))),
  );
  return who;
};
/** A meeting for one leader, with the id of their entry. */
const invite = async (title: string, who: Client, more: object = {}) => {
  const id = await house.meet({ title, location: '一会', audience: { users: [who.userId] }, ...more });
  return { id, entry: (await entries(id))[0]!.id };
};
/** The states on the entry, by the given people. */
const states = async (id: number, ...people: Client[]) => {
  const found = await entries(id);
  expect(found).toHaveLength(people.length);
  return people.map((one) => found.find((row) => row.leader === one.userId)?.state);
};

describe('a leader’s answer to a meeting', () => {
  test('is given once, in the meeting or in the schedule, and asked anew in both when the time changes', async () => {
    const xld = await house.hire('单校长', { roles: ['xld'] });
    const id = await house.meet({ title: '一答会', location: '一会', audience: { users: [xld.userId] } });
    expect((await asks(xld)).filter((title) => title === '一答会')).toHaveLength(1);
    expectOk(await reply(xld, id, { reply: 1 }));
    expect(await entries(id)).toMatchObject([{ state: 1 }]);
    expect(await asks(xld)).not.toContain('一答会');
    const [entry] = await entries(id);
    expectOk(await inSchedule(xld, entry!.id, { result: 2, note: '外出' }));
    expect(await mine(id, xld)).toMatchObject({ reply: 2, reply_reason: '外出' });
    expectOk(await reply(xld, id, { reply: 2, reason: '出差' }));
    expect(await entries(id)).toMatchObject([{ state: 2 }]);
    await edit(id, period('15:00', '16:00'));
    expect(await entries(id)).toMatchObject([{ state: 0 }]);
    expect(await mine(id, xld)).toMatchObject({ reply: 0 });
    expectOk(await inSchedule(xld, entry!.id, { result: 1 }));
    expect(await mine(id, xld)).toMatchObject({ reply: 1 });
    expect(await asks(xld)).not.toContain('一答会');
  });

  test('may name a substitute once: a leader is asked in both places, anybody else in the meeting', async () => {
    const [xld, other] = [
      await house.hire('双校长', { roles: ['xld'] }),
      await house.hire('替校长', { roles: ['xld'] }),
    ];
    const id = await house.meet({ title: '改派会', location: '一会', audience: { users: [xld.userId] } });
    const [entry] = await entries(id);
    expectOk(await inSchedule(xld, entry!.id, { result: 3, to: other.username }));
    expect(await mine(id, xld)).toMatchObject({ reply: 3, substitute_info: { id: other.userId }, substitute_state: 0 });
    expectOk(await inSchedule(other, entry!.id, { result: 1 }));
    expect(await mine(id, xld)).toMatchObject({ substitute_state: 1 });
    expectOk(await reply(xld, id, { reply: 3, substitute_id: house.colleague.userId, reason: '另有安排' }));
    expect((await entries(id)).find((one) => one.leader === xld.userId)).toMatchObject({ state: 2 });
  });
});

describe('a leader who sends another leader to a meeting', () => {
  test('stays represented when the place or the people change, and nobody is asked again', async () => {
    const [xld, other] = [await leader('地点校长'), await leader('地点替')];
    const audience = { users: [xld.userId, house.colleague.userId] };
    const { id, entry } = await invite('换地点会', xld, { audience });
    expectOk(await inSchedule(xld, entry, { result: 3, to: other.username }));
    expectOk(await inSchedule(other, entry, { result: 1 }));
    await edit(id, { location: '二会' });
    await edit(id, { audience: { users: [xld.userId] } });
    expect(await states(id, xld, other)).toEqual([3, 1]);
    expect(await mine(id, xld)).toMatchObject({ reply: 3, substitute_state: 1 });
    for (const who of [xld, other]) expect(await asks(who)).not.toContain('换地点会');
  });

  test('and then a third one, in the same words, leaves only the last asked', async () => {
    const [xld, first, last] = [await leader('换人校长'), await leader('先替'), await leader('后替')];
    const { id } = await invite('换人会', xld);
    expectOk(await reply(xld, id, { reply: 3, substitute_id: first.userId }));
    expectOk(await reply(xld, id, { reply: 3, substitute_id: last.userId }));
    expect(await states(id, xld, last)).toEqual([3, 0]);
    const asked = await Promise.all([xld, first, last].map(async (who) => (await asks(who)).includes('换人会')));
    expect(asked).toEqual([false, false, true]);
    expect((await asks(last)).filter((title) => title === '换人会')).toHaveLength(1);
  });

  test('and comes after all, frees the other, who is told', async () => {
    const [xld, other] = [await leader('仍去校长'), await leader('不必替')];
    const { id, entry } = await invite('仍去会', xld);
    expectOk(await inSchedule(xld, entry, { result: 3, to: other.username }));
    expectOk(await inSchedule(other, entry, { result: 1 }));
    expectOk(await inSchedule(xld, entry, { result: 1 }));
    expect(await states(id, xld)).toEqual([1]);
    expect(await mine(id, xld)).toMatchObject({ reply: 1, substitute_state: null });
    expect(await house.heard(other, '不必替会')).toHaveLength(1);
    expect(await asks(other)).not.toContain('仍去会');
  });

  test('is asked again, with their secretary, once the other declines in either place', async () => {
    const [xld, other] = [await leader('再问校长'), await leader('不能替')];
    const secretary = await assist('再问秘书', xld);
    const { id, entry } = await invite('再问会', xld);
    for (const decline of [
      () => inSchedule(other, entry, { result: 2, note: '出差' }),
      () => reply(other, id, { accept: false }),
    ]) {
      expectOk(await inSchedule(secretary, entry, { result: 3, to: other.username }));
      expect(await asks(secretary)).not.toContain('再问会');
      expectOk(await decline());
      expect(await states(id, xld, other)).toEqual([0, 2]);
      for (const who of [xld, secretary]) expect((await asks(who)).filter((one) => one === '再问会')).toHaveLength(1);
    }
    expect(await house.heard(xld, '替会')).toHaveLength(2);
    expectOk(await inSchedule(secretary, entry, { result: 1 }));
    expect(await mine(id, xld)).toMatchObject({ reply: 1 });
    for (const who of [xld, secretary, other]) expect(await asks(who)).not.toContain('再问会');
  });

  test('and asks the same one once more, shows no reason that they gave before', async () => {
    const [xld, other] = [await leader('又请校长'), await leader('又请替')];
    const { id, entry } = await invite('又请会', xld);
    const sent = async () => (await entries(id)).find((one) => one.leader === other.userId);
    expectOk(await reply(xld, id, { reply: 3, substitute_id: other.userId }));
    expectOk(await inSchedule(other, entry, { result: 2, note: '出差' }));
    expect(await sent()).toMatchObject({ state: 2, note: '出差' });
    expectOk(await reply(xld, id, { reply: 3, substitute_id: other.userId }));
    expect(await sent()).toMatchObject({ state: 0, note: '' });
  });

  test('by a secretary of both needs no second answer', async () => {
    const [xld, other] = [await leader('同秘校长'), await leader('同秘替')];
    const secretary = await assist('共同秘书', xld, other);
    const { id, entry } = await invite('同秘会', xld);
    expectOk(await inSchedule(secretary, entry, { result: 3, to: other.username }));
    expect(await states(id, xld, other)).toEqual([3, 1]);
    expect(await mine(id, xld)).toMatchObject({ reply: 3, substitute_state: 1 });
    for (const who of [xld, other, secretary]) expect(await asks(who)).not.toContain('同秘会');
  });

  test('is the one who sends somebody else; the other only comes or declines', async () => {
    const [xld, other, third] = [await leader('原校长'), await leader('转派替'), await leader('第三位')];
    const { id, entry } = await invite('转派会', xld);
    expectOk(await inSchedule(xld, entry, { result: 3, to: other.username }));
    expect(await inSchedule(other, entry, { result: 3, to: third.username })).toRefuse(substituteSends, '转派替');
    expect(await states(id, xld, other)).toEqual([3, 0]);
  });
});

test('a leader who has not answered is asked in neither place once the meeting has begun', async () => {
  const xld = await leader('已开校长');
  const secretary = await assist('已开秘书', xld);
  const { id, entry } = await invite('已开的会', xld);
  expect(await asks(secretary)).toContain('已开的会');
  await times.begin(id, -5);
  await house.office.services.databases.write((tx) =>
    tx.execute(
      sql`update leader_schedule s set start_time = m.start_time, end_time = m.end_time from meet m where m.id = ${id} and s.id = ${entry}`,
    ),
  );
  for (const who of [xld, secretary]) {
    expect(await asks(who)).not.toContain('已开的会');
    expect((await inSchedule(who, entry, { result: 1 })).code).toBe(codes.notNow);
  }
  expect((await reply(xld, id, { reply: 1 })).code).toBe(codes.notNow);
});

test('a leader who joins an invited department later has the meeting in their schedule once they are invited', async () => {
  const dept = await house.office.dept('后设部门', house.dept);
  const id = await house.meet({ title: '后到会', location: '一会', audience: { depts: [dept] } });
  const xld = await house.hire('后到校长', { dept, roles: ['xld'] });
  expect(await entries(id)).toEqual([]);
  await house.staff.get(calls.notice, { params: { id }, body: { expand: true } as never });
  expect(await entries(id)).toMatchObject([{ leader: xld.userId, state: 0 }]);
});

test('a leader who takes over a meeting from one who leaves has it in their schedule', async () => {
  const [gone, heir] = [await leader('离任校长'), await leader('继任校长')];
  const id = await house.meet({ title: '移交会', location: '一会', host_id: gone.userId });
  expect((await entries(id)).map((one) => one.leader)).toEqual([gone.userId]);
  const body = { target_username: heir.username, kinds: ['meetings'] };
  await house.office.admin.get(leaving.handOver, { params: { id: gone.userId }, body } as never);
  expect((await entries(id)).find((one) => one.leader === heir.userId)).toMatchObject({ state: 0 });
});
