import type pg from 'pg';
import { answered, timedInTurns } from './calls.ts';
import { asOperator } from './contracts.ts';
import { shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

/** Manages rooms, and requests one like anybody. */
const clerk = 'zhao.yan';
const mark = '会议室测量';
const rooms = 200;
/** One-hour meetings in each room, from eight in the morning with half an hour between them. */
const daily = 7;
const series = 52;

/** Separate rooms that are open day and night, booked seven times a day from half a year ago to half a year ahead. */
const fill =
  (days: number) =>
  async (client: pg.Client): Promise<void> => {
    await client.query(`with office as (
        insert into meet_office (name, dept_id, managers, max_ahead_days, open_hours)
        select '${mark}', dept_id, array[id], 400, '{"days":[1,2,3,4,5,6,7],"from":"00:00","to":"24:00"}' from app_user where username = '${clerk}' returning id)
      insert into meet_room (name, office_id, capacity) select '${mark} ' || n, id, 30 from office, generate_series(1, ${rooms}) n`);
    await client.query(`insert into meet (title, creator_id, dept_id, act_state, room_id, start_time, end_time, host_id, meet_status, search)
      select '${mark} ' || n, u.id, u.dept_id, 4, r.id, at, at + interval '1 hour', u.id, case when at < now() then 2 else 0 end, ''
      from meet_room r cross join generate_series(0, ${days * daily} - 1) n cross join lateral
        (select current_date - ${Math.floor(days / 2)} + n / ${daily} + (8 + n % ${daily} * 1.5) * interval '1 hour' as at) a
      cross join lateral (select id, dept_id from app_user where username = '${clerk}') u where r.name like '${mark} %'`);
    await client.query(`insert into booking (module, record_id, resource, resource_id, start_time, end_time, free_at, state)
      select 'meetings', id, 'room', room_id, start_time, end_time, end_time, 'confirmed' from meet where title like '${mark} %'`);
    await client.query('vacuum analyze meet');
    await client.query('vacuum analyze booking');
  };

/** Measures the check of a free room, a day of all rooms, everybody's month, and a weekly series for a year. */
export async function measureBookings(stage: Stage, times: number, days: number): Promise<Table> {
  await asOperator(stage, fill(days));
  const token = await stage.signIn(clerk);
  const { pool } = stage.app.services.databases;
  const found = await pool.query<{ id: number; day: string; until: string }>(
    `select id, (current_date + 1)::text "day", (current_date + 31)::text until from meet_room where name like '${mark} %' order by id`,
  );
  const [{ id: room, day, until }] = found.rows as [(typeof found.rows)[number]];
  const at = (from: string, to: string) =>
    `/api/meet/is_apply/?room_id=${room}&start_time=${day}%20${from}:00&end_time=${day}%20${to}:00`;
  const asked: [string, string, number][] = [
    ['会议室是否可约：空着', at('20:00', '21:00'), 15],
    ['会议室是否可约：已占，给出其他选择', at('08:00', '12:00'), 15],
    ['日视图，全部会议室', `/api/meet/day/?date=${day}`, 25],
    ['会议日历，全部人一个月', `/api/meet/calendar/?start=${day}&end=${until}&scope=all`, 60],
  ];
  const paths = asked.map(([, path]) => path);
  const rows = (await timedInTurns(stage, paths, token, times)).map(({ p50, p95 }, index) => {
    const [name, , allowed] = asked[index]!;
    return [name, shown(p50), shown(p95), allowed];
  });
  const taken: number[] = [];
  for (const { id: room_id } of found.rows.slice(0, Math.min(times, rooms) / 2)) {
    const body = {
      title: `${mark}周会`,
      room_id,
      start_time: `${day} 20:00:00`,
      end_time: `${day} 21:00:00`,
      host_id: (await pool.query<{ id: number }>(`select id from app_user where username = '${clerk}'`)).rows[0]!.id,
      repeat: { freq: 'WEEKLY', count: series },
      submit: true,
    };
    const started = performance.now();
    await answered(`${stage.url}/api/meet/`, token, 'POST', body);
    taken.push(performance.now() - started);
  }
  const sorted = taken.slice(2).toSorted((a, b) => a - b);
  const share = (part: number) => shown(sorted[Math.floor(sorted.length * part)]!);
  rows.push([`提交 ${series} 次的周例会`, share(0.5), share(0.95), 400]);
  return {
    name: 'bookings',
    title: '会议室',
    about: `${rooms} 间会议室，一年 ${shown(rooms * days * daily)} 次占用，一个连接逐次轮流请求。`,
    columns: ['调用', 'p50 ms', 'p95 ms', '目标 p95'],
    rows,
  };
}
