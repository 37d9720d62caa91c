import type pg from 'pg';
import { timedInTurns } from './calls.ts';
import { asOperator } from './contracts.ts';
import { shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

/** Supervises all items; `owner` is responsible for a thousand. */
const supervisor = 'qian.weimin';
const owner = 'qin.haoyu';
const mark = '督办测量';
const parts = 5;
const leaders = 30;

/** Items with five parts each, two in five of them open, with all traffic-light states. */
const fillItems =
  (tasks: number) =>
  async (client: pg.Client): Promise<void> => {
    await client.query(`insert into supervise (sn, title, source, creator_id, supervisor, lead_dept, status, finish_at, issue_at, due_at, first_due_at,
        red_at, yellow_at, blue_at, search)
      select 'BENCH' || n, '${mark} ' || n, 2, s.id, s.id, d.ids[1 + n % cardinality(d.ids)], case when is_open then 1 else 3 end,
        case when not is_open then due end, due - interval '90 days', due, due, due, due - interval '5 days', due - interval '3 days', ''
      from generate_series(1, ${tasks / parts}) n cross join lateral (select n % 5 < 2 as is_open, now() + (n % 400 - 200) * interval '6 hours' as due) how,
        (select id from app_user where username = '${supervisor}') s, (select array_agg(id) ids from dept where not is_deleted) d`);
    await client.query(`insert into supervise_sub (supervise_id, title, dept, owner, due_at, first_due_at, issued_at, opened_at, next_feedback, status, progress,
        done_at, red_at, yellow_at, blue_at)
      select i.id, i.title || '-' || n, i.lead_dept, case when i.id % 50 = 0 then o.id else u.ids[1 + (i.id * 7 + n) % cardinality(u.ids)] end, i.due_at, i.due_at,
        i.issue_at, case when n > 1 then i.issue_at end, i.due_at, case when i.status = 3 then 3 when n = 1 then 0 else 1 end, case when i.status = 3 then 100 else n * 10 end,
        case when i.status = 3 then i.due_at end, i.red_at, i.yellow_at, i.blue_at
      from supervise i cross join generate_series(1, ${parts}) n, (select array_agg(id) ids from app_user) u, (select id from app_user where username = '${owner}') o
      where i.title like '${mark} %'`);
    for (const table of ['supervise', 'supervise_sub']) await client.query(`vacuum analyze ${table}`);
  };

/** Leaders with three entries a day each, in two years of weeks. */
async function fillWeeks(client: pg.Client): Promise<void> {
  await client.query(`insert into user_role (user_id, role_id) select u.id, r.id from (select id from app_user where is_active and not is_deleted order by id limit ${leaders}) u,
    (select id from role where code = 'xld') r on conflict do nothing`);
  await client.query(`insert into leader_schedule (title, start_time, end_time, address, creator_id, dept_id, act_state, direct, search)
    select '${mark} ' || n, at, at + interval '1 hour', '行政楼 ' || n % 9, s.id, s.dept_id, 4, true, ''
    from generate_series(0, ${leaders} * 3 * 7 * 104 - 1) n cross join lateral
      (select date_trunc('week', now()) - interval '52 weeks' + n / (${leaders} * 3) * interval '1 day' + (8 + n % 3 * 3) * interval '1 hour' as at) a,
      (select id, dept_id from app_user where username = 'zhao.yan') s`);
  await client.query(`insert into leader_attend (schedule_id, leader_id, state)
    select s.id, l.ids[1 + (substr(title, ${mark.length + 2})::int / 3) % ${leaders}], 1 from leader_schedule s,
      (select array_agg(id order by id) ids from (select id from app_user where is_active and not is_deleted order by id limit ${leaders}) u) l where title like '${mark} %'`);
  for (const table of ['leader_schedule', 'leader_attend', 'user_role']) await client.query(`vacuum analyze ${table}`);
}

/** Measures lists with traffic lights, badge counts, and the leaders' week. */
export async function measureSupervision(stage: Stage, times: number, tasks: number): Promise<Table> {
  await asOperator(stage, fillItems(tasks));
  await asOperator(stage, fillWeeks);
  const root = '/api/supervise/';
  const asked: [string, string, string, number][] = [
    ['任务列表 20 行，督办人', supervisor, `${root}sub/?per_page=20`, 60],
    ['红灯的任务', supervisor, `${root}sub/?per_page=20&light=4`, 60],
    ['我的任务', owner, `${root}sub/?per_page=20&mine=true`, 60],
    ['事项列表 20 行', supervisor, `${root}?per_page=20&category=all`, 60],
    ['红灯的事项', supervisor, `${root}?per_page=20&light=4`, 60],
    ['任务计数，督办人', supervisor, `${root}sub/count/`, 10],
    ['任务计数，责任人', owner, `${root}sub/count/`, 10],
    [`一周安排，${leaders} 位领导`, 'zhao.yan', '/api/leader/leader_index/', 40],
  ];
  const rows: Table['rows'] = [];
  for (const who of new Set(asked.map((one) => one[1]))) {
    const own = asked.filter((one) => one[1] === who);
    const paths = own.map((one) => one[2]);
    const found = await timedInTurns(stage, paths, await stage.signIn(who), times);
    rows.push(...found.map(({ p50, p95 }, at) => [own[at]![0], shown(p50), shown(p95), own[at]![3]]));
  }
  return {
    name: 'supervision',
    title: '督办与领导日程',
    about: `${shown(tasks)} 项任务，五分之二未完成；${leaders} 位领导每人每天 3 项日程，共 104 周。一个连接逐次轮流请求。`,
    columns: ['调用', 'p50 ms', 'p95 ms', '目标 p95'],
    rows,
  };
}
