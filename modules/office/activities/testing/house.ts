import { sql } from 'drizzle-orm';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { dayMs, dayOf } from '#kernel/contract/moment.ts';
import { offices } from '#modules/platform/rooms/contract/offices.ts';
import { rooms } from '#modules/platform/rooms/contract/rooms.ts';
import { remindOfSummaries, turnActivities } from '../jobs.ts';
import { activities as calls, activityCalls } from '../contract/activities.ts';

/** A moment the given number of days from now, at a time of day. */
export const at = (days: number, time = '14:00') => `${dayOf(new Date(Date.now() + days * dayMs))} ${time}`;

/** A school with activities: their reviewers, a hall that has a keeper, and a small room without approval. */
export async function openHouse() {
  const school = await openSchool();
  const { office: app, hire, staff, clerk, elsewhere } = school;
  const safety = await hire('保卫科长', { roles: ['safety'], dept: elsewhere });
  const publicity = await hire('宣传干事', { roles: ['publicity'], dept: elsewhere });
  const foreign = await hire('外事干事', { roles: ['foreign'], dept: elsewhere });
  const keeper = await hire('礼堂管理员', { roles: ['meet_manager'], dept: elsewhere });
  const days = [1, 2, 3, 4, 5, 6, 7];
  const open_hours = { days, from: '00:00', to: '24:00', holidays: true };
  const { id: office } = await keeper.get(offices.create, {
    body: { name: '礼堂', managers: [keeper.userId], open_hours, max_ahead_days: 300 },
  });
  const roomOf = async (name: string, more: object) =>
    (
      await keeper.get(rooms.create, {
        body: { name, office_id: office, capacity: 500, max_minutes: 44_640, ...more } as never,
      })
    ).id!;
  const hall = await roomOf('大礼堂', { need_approve: 1, managers: [keeper.userId] });
  const room = await roomOf('小礼堂', { need_approve: 2 });
  let spread = 20;
  /** The default declaration: it needs no extra review, and no two are at the same time. */
  const body = (more: object = {}) => ({
    title: '读书会',
    type_id: 3,
    phone: '8001',
    content: '一起读书',
    location: '操场东侧',
    in_count: 50,
    out_count: 0,
    start_time: at((spread += 1)),
    end_time: at(spread, '16:00'),
    submit: true,
    confirm: true,
    ...more,
  });
  const declare = (more: object = {}, who = staff) => who.ask(calls.create, { body: body(more) as never });
  const declared = async (more: object = {}, who = staff) => {
    const { code, msg, data } = await declare(more, who);
    if (code !== 0) throw new Error(msg);
    return data;
  };
  const get = async (id: number, who = staff) => (await who.get(calls.get, { params: { id } })).value;
  const upload = async (who: Client, name = '预案.txt', text = '疏散路线') => {
    const form = new FormData();
    form.set('module', 'activities');
    form.set('file', new Blob([text]), name);
    const sent = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
    return ((await sent.json()) as { data: { id: number } }).data.id;
  };
  const query = async <Row extends Record<string, unknown>>(text: ReturnType<typeof sql>) =>
    (await app.services.databases.write((tx) => tx.execute<Row>(text))).rows;
  /** Makes an approved activity. */
  const approved = async (more: object = {}, who = staff) => {
    const made = await declared(more, who);
    await school.approve(made.ticket_id);
    return made.id;
  };
  /** Runs the clock's job at the given moment. */
  const turn = (now = new Date()) => app.services.databases.write((tx) => turnActivities(tx, now));
  const remind = (now = new Date()) => app.services.databases.write((tx) => remindOfSummaries(tx, now));
  return {
    ...school,
    app,
    turn,
    remind,
    safety,
    publicity,
    foreign,
    keeper,
    hall,
    room,
    office: clerk,
    body,
    declare,
    declared,
    approved,
    get,
    upload,
    query,
    again: (id: number, more: object, who = staff) =>
      who.ask(calls.again, { params: { id }, body: { confirm: true, ...more } }),
    cancel: (id: number, who = staff) =>
      who.ask(activityCalls.cancel, { params: { id }, body: { reason: '主讲人生病' } }),
    holds: (id: number) =>
      query<{ slot: string; resource_id: number; start: string; state: string }>(
        sql`select slot, resource_id, to_char(start_time, 'HH24:MI') as start, state from booking where module = 'activities' and record_id = ${id} order by slot`,
      ),
    /** Moves an activity in time by direct SQL, as the passing of time would. */
    shift: async (id: number, hours: number) => {
      const later = (key: string) => sql`${sql.identifier(key)} + make_interval(hours => ${hours})`;
      await query(
        sql`update activity set start_time = ${later('start_time')}, end_time = ${later('end_time')} where id = ${id}`,
      );
      await turn();
    },
  };
}
export { calls, activityCalls };
