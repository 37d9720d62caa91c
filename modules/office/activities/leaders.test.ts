import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { leaders } from '#modules/office/leaders/contract.ts';
import { keep } from '#modules/office/leaders/service.ts';
import { activityCalls, at, openHouse } from './testing/house.ts';

const house = await openHouse();
const { app, staff, principal, approved, get, again, cancel, approve, press, query } = house;
afterAll(() => app.close());

const entry = async (id: number) =>
  (
    await query<{
      id: number;
      ticket_id: number;
      act_state: number;
      start: string;
      cancelled: boolean;
      clash: boolean;
    }>(
      sql`select id, ticket_id, act_state, left(start_time::text, 16) "start", cancelled_at is not null cancelled, forced_by is not null clash
        from leader_schedule where source_module = 'activities' and source_id = ${id}`,
    )
  )[0];
const answers = async (id: number) => (await get(id)).leader_answers.map((one) => [one.alias, one.words, one.declined]);
const refs = (id: number) =>
  query<{ schedule_ref: number | null }>(sql`select schedule_ref from activity_leader where activity_id = ${id}`);
const time = (day: number) => ({ start_time: at(day), end_time: at(day, '16:00') });

describe('a leader who attends an activity', () => {
  test('is shown as busy from their own schedule, and declaring against it warns, without the title of a confidential entry', async () => {
    const span = (day: number) => ({ start: at(day, '15:00'), end: at(day, '17:00') });
    const entries = [
      { id: 801, title: '安全检查', ...span(81), visibility: 1 as const },
      { id: 802, title: '个别谈话', ...span(82), visibility: 3 as const },
    ];
    for (const { id, ...one } of entries)
      await app.services.databases.write((tx) =>
        keep(tx, {
          ...one,
          source: { module: 'trial', id },
          version: 1,
          by: staff.userId,
          leaders: [principal.userId],
        }),
      );
    const busyOf = async (day: number) => {
      const { value } = await staff.get(activityCalls.leaders, { query: time(day) });
      return value.find((one) => one.id === principal.userId)!.busy;
    };
    expect(await busyOf(81)).toEqual([`${at(81, '15:00').slice(5)}–17:00 安全检查`]);
    expect(await busyOf(82)).toEqual([`${at(82, '15:00').slice(5)}–17:00 忙`]);
    expect(await busyOf(83)).toEqual([]);
    const warningsOf = async (day: number) => {
      const body = house.body({ ...time(day), leaders: [principal.userId], submit: undefined, confirm: undefined });
      return (await staff.get(activityCalls.check, { body: body as never })).verdict.warnings;
    };
    expect(await warningsOf(81)).toEqual([`陈校长 ${at(81, '15:00').slice(5)}–17:00 已有“安全检查”`]);
    expect(await warningsOf(82)).toEqual([`陈校长 ${at(82, '15:00').slice(5)}–17:00 已有“忙”`]);
    const unread = await house.declare({ ...time(81), leaders: [principal.userId], confirm: false });
    expect(unread).toMatchObject({ code: 4009, data: { can_force: true } });
    const own = await approved({ ...time(84), leaders: [principal.userId] });
    expect((await busyOf(84)).length).toBe(1);
    expect((await get(own)).rounds.at(-1)!.verdict.warnings).toEqual([]);
  });

  test('is asked for their time once it is approved; their entry moves with the activity and is removed with it', async () => {
    const id = await approved({ ...time(60), leaders: [principal.userId] });
    const asked = (await entry(id))!;
    expect(asked).toMatchObject({ act_state: 1, start: at(60), clash: false });
    expect(await answers(id)).toEqual([['陈校长', '待确认', false]]);
    expect(await refs(id)).toEqual([{ schedule_ref: asked.id }]);
    await approve(asked.ticket_id);
    expect(await answers(id)).toEqual([['陈校长', '待答复', false]]);
    expect((await again(id, { ...time(61), reason: '改期' })).code).toBe(0);
    expect((await entry(id))!.start).toBe(at(60));
    await approve((await get(id)).change!.ticket_id!);
    expect(await entry(id)).toMatchObject({ id: asked.id, act_state: 4, start: at(61), cancelled: false });
    expect((await cancel(id)).code).toBe(0);
    expect(await entry(id)).toMatchObject({ act_state: 4, cancelled: true });
    expect(await refs(id)).toEqual([{ schedule_ref: asked.id }]);
  });

  test('and refuses or does not come leaves the activity standing, and its page shows that at once', async () => {
    const refused = await approved({ ...time(63), leaders: [principal.userId] });
    const asked = (await entry(refused))!;
    await approve(asked.ticket_id, { until: '领导或秘书确认' });
    expect((await press(principal, asked.ticket_id, '退回起草人', { suggestion: '另有安排' })).code).toBe(0);
    expect(await answers(refused)).toEqual([['陈校长', '未同意', true]]);
    const away = await approved({ ...time(64), leaders: [principal.userId] });
    await approve((await entry(away))!.ticket_id);
    const body = { result: 2, note: '出差' } as never;
    await principal.get(leaders.reply, { params: { id: (await entry(away))!.id }, body });
    expect(await answers(away)).toEqual([['陈校长', '不参加', true]]);
    for (const id of [refused, away]) expect(await get(id)).toMatchObject({ act_state: 4, activity_status: 0 });
  });

  test('is no longer asked once it is cancelled; another entry at that time is shown as a clash and blocks nothing', async () => {
    const span = { start: at(66, '13:00'), end: at(66, '15:00') };
    const kept = { source: { module: 'trial', id: 1 }, version: 1, by: staff.userId, title: '调研', ...span };
    await app.services.databases.write((tx) => keep(tx, { ...kept, leaders: [principal.userId] }));
    const id = await approved({ ...time(66), leaders: [principal.userId] });
    expect(await entry(id)).toMatchObject({ act_state: 1, clash: true });
    expect((await cancel(id)).code).toBe(0);
    expect(await entry(id)).toMatchObject({ act_state: 5 });
    expect(await answers(id)).toEqual([['陈校长', '已撤回', false]]);
  });
});
