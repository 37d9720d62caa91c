import type pg from 'pg';
import { timedInTurns } from './calls.ts';
import { asOperator } from './contracts.ts';
import { shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

/** A clerk at the service desk. */
const clerk = 'ren.shuzhen';
const open = 200;
const allowed = 80;
const mark = '报修测量';

/** Orders of eight years, most of them rated long ago, the latest waiting at the desk like those of visitors. */
const fill =
  (size: number) =>
  async (client: pg.Client): Promise<void> => {
    await client.query(`
    insert into repair_order (sn, title, category_id, team_id, building, room, description, level, source, creator_id, reporter_id, dept_id, contact, handler_id,
      act_state, stage, score, accept_at, finish_at, finish_met, response_due, due_at, warn_at, search, gmt_created)
    select 'BENCH' || n, '${mark} ' || n, c.ids[1 + n % cardinality(c.ids)], c.team, n % 40 || ' 号楼', (100 + n % 600)::text, '测量', n % 3, case when is_open then 5 else 1 end,
      case when not is_open then u.ids[1 + n % cardinality(u.ids)] end, case when not is_open then u.ids[1 + n % cardinality(u.ids)] end, d.ids[1 + n % cardinality(d.ids)], '来访人',
      case when not is_open then u.ids[1 + n % 7] end, case when is_open then 1 else 4 end, case when is_open then 10 else 80 end, case when is_open then null else 1 + n % 5 end,
      case when not is_open then at end, case when not is_open then at + interval '5 hours' end, case when not is_open then n % 9 > 0 end, at + interval '4 hours',
      case when is_open then at + interval '4 hours' end, case when is_open then at + interval '3 hours' end, '', at
    from generate_series(1, ${size}) n cross join lateral (select n <= ${open} as is_open, now() - n * interval '4 minutes' as at) how,
      (select array_agg(id) ids from app_user) u, (select array_agg(id) ids from dept where not is_deleted) d,
      (select array_agg(id) ids, min(team_id) team from order_category where not is_deleted) c`);
    await client.query('vacuum analyze repair_order');
  };
const clear = async (client: pg.Client): Promise<void> =>
  void (await client.query(`delete from repair_order where title like '${mark}%'`));

/** Measures the desk's lists among a million orders, one connection in turns. */
export async function measureOrders(stage: Stage, times: number, size: number): Promise<Table> {
  await asOperator(stage, fill(size));
  const token = await stage.signIn(clerk);
  const asked: [string, string][] = [
    ['全部，20 张', '/api/order/?category=all&per_page=20'],
    ['待办，20 张', '/api/order/?category=duty&per_page=20'],
    ['待受理，按时限 30 张', '/api/order/?stage=10&order_by=due_at&per_page=30'],
    ['已评价，20 张', '/api/order/?stage=80&per_page=20'],
    ['已超时', '/api/order/?overdue=true&per_page=20'],
    ['按楼宇和房间', '/api/order/?building=7%20%E5%8F%B7%E6%A5%BC&room=207&per_page=20'],
    ['数量', '/api/order/count/'],
  ];
  const found = await timedInTurns(
    stage,
    asked.map(([, path]) => path),
    token,
    times,
  );
  const rows = asked.map(([name], at) => [name, shown(found[at]!.p50), shown(found[at]!.p95)]);
  await asOperator(stage, clear);
  return {
    name: 'orders',
    title: '订单',
    about: `${shown(size)} 张订单，其中 ${shown(open)} 张待受理，受理员一个连接逐次轮流请求。目标：列表 p95 小于 ${allowed} ms。`,
    columns: ['调用', 'p50 ms', 'p95 ms'],
    rows,
  };
}
