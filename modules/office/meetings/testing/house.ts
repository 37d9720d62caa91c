import { expect } from 'vitest';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { offices } from '#modules/platform/rooms/contract/offices.ts';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';
import { rooms } from '#modules/platform/rooms/contract/rooms.ts';
import { meetCalls as calls } from '../contract/meetings.ts';

export { calls };
/** A moment the given number of days from now, at a time. */
export const on = (days: number, time: string) => `${dayOf(new Date(Date.now() + days * 86_400_000))} ${time}:00`;
/** An interval, tomorrow by default. */
export const period = (from: string, to: string, days = 1) => ({ start_time: on(days, from), end_time: on(days, to) });
const always = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };

/** A school with rooms: 直约 rooms need no approval, 审批 rooms need their manager's. */
export async function openMeetings() {
  const school = await openSchool();
  const { staff, head, hire } = school;
  const keeper = await hire('会务员', { roles: ['meet_manager'] });
  const made = async (name: string, more: object) =>
    (
      await keeper.get(offices.create, {
        body: { name, managers: [keeper.userId], open_hours: always, ...more },
      })
    ).id!;
  const free = await made('直约会务', {});
  const strict = await made('审批会务', { need_approve: true });
  let serial = 0;
  const room = async (more: object = {}, office_id = free) =>
    (
      await keeper.get(rooms.create, {
        body: { name: `会议室${(serial += 1)}`, office_id, capacity: 20, ...more },
      })
    ).id!;
  const body = (more: object = {}) => ({
    title: '例会',
    host_id: staff.userId,
    submit: true,
    ...period('09:00', '10:00'),
    ...more,
  });
  const ask = (more: object = {}, who: Client = staff) => who.ask(calls.create, { body: body(more) });
  /** Sends a meeting, which is approved at once if its room needs no approval. */
  const meet = async (more: object = {}, who: Client = staff) => (await who.get(calls.create, { body: body(more) })).id;
  const get = async (id: number, who: Client = staff) => (await who.get(calls.get, { params: { id } })).value;
  const decide = async (id: number, who: Client, way: '同意' | '退回起草人', of?: number) => {
    const ticket = of ?? (await get(id)).ticket_id!;
    const { value } = await who.get(tickets.transitions, { params: { id: ticket }, query: {} } as never);
    const found = value.find((one) => one.transition_name === way);
    return who.ask(tickets.handle, {
      params: { id: ticket },
      body: { transition_id: found?.transition_id ?? 0, suggestion: '已阅' },
    });
  };
  /** Approves a meeting as the head, then as the room's manager. */
  const agree = async (id: number) => {
    expectOk(await decide(id, head, '同意'));
    expectOk(await decide(id, keeper, '同意'));
  };
  const blocks = async (room_id: number, days = 1) => {
    const { rooms: all } = await keeper.get(roomTimes.day, { query: { date: on(days, '00:00').slice(0, 10) } });
    return all.find((one) => one.id === room_id)!.blocks;
  };
  const times = async (room_id: number, days = 1) =>
    (await blocks(room_id, days)).map(
      (one) => `${one.record_id} ${one.start_time.slice(11, 16)}–${one.end_time.slice(11, 16)}`,
    );
  /** Titles of the news a person received about a meeting. */
  const heard = async (who: Client, title: string) =>
    (await who.get(messages.read, { query: { per_page: 50, all: true } })).value
      .map((one) => one.title)
      .filter((one) => one.includes(title));
  /** Checks that every booking belongs to a meeting that is in review or approved and not over, and that each such meeting has exactly its own. */
  const consistent = async () => {
    const { rows } = await school.office.services.databases.pool.query(`
      select coalesce(m.id, b.record_id) id, m.act_state, m.meet_status, m.start_time, b.start_time taken, b.resource_id, m.room_id
      from (select * from booking where module = 'meetings' and slot = '' and free_at > now()) b
      full join (select * from meet where room_id is not null and not is_deleted and act_state in (1, 4) and meet_status in (0, 1) and end_time > now()) m on m.id = b.record_id
      where m.id is null or b.record_id is null or m.room_id <> b.resource_id or m.start_time <> b.start_time or m.end_time <> b.end_time
        or (b.state = 'held') <> (m.act_state = 1)
      union all
      select record_id, null, null, null, start_time, resource_id, null from booking b where module = 'meetings' and slot like 'wanted%' and free_at > now()
        and not exists (select from meet_change c where c.record_id = b.record_id and not c.is_deleted and c.act_state in (1, 6))`);
    expect(rows).toEqual([]);
  };
  return {
    ...school,
    keeper,
    made,
    free,
    strict,
    room,
    ask,
    meet,
    get,
    decide,
    agree,
    blocks,
    times,
    heard,
    consistent,
    body,
  };
}

export function expectOk(answer: { code: number; msg: string }): void {
  expect(answer.code, answer.msg).toBe(0);
}
