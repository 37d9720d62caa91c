import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { leaders } from '#modules/leaders/contract.ts';
import { keep } from '#modules/leaders/service.ts';
import { at, openHouse } from './testing/house.ts';

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
  test('is asked for their time once it is approved, once; what they agree to moves with it and is struck with it', async () => {
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

  test('and who refuses, or does not come, does not cancel it; that shows on it at once', async () => {
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

  test('is not asked any more where it is cancelled before they answered; what they have besides is a clash and keeps nothing up', async () => {
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
