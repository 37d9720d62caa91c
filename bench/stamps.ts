import type pg from 'pg';
import { timedInTurns } from './calls.ts';
import { asOperator } from './contracts.ts';
import { ratio, shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

/** The keeper of three seals of the demonstration. */
const keeper = 'sun.jiahui';
const open = 5000;
const sealed = 95_000;
const allowed = 1.5;
const mark = '用印测量';

/**
 * Applications for one keeper's seals, with approved tickets: most sealed long ago, some waiting, a few of them for sealing elsewhere or for a seal
 * lent out too long.
 */
export async function fill(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'ticket' and column_name not in ('id', 'sn', 'biz_id') and is_generated = 'NEVER'`);
  const columns = rows.map((row) => row.name);
  await client.query(`
    insert into stamp_application (title, reason, creator_id, operator_id, dept_id, act_state, file_kind, copies, seal_status, ready_at, due_day,
      sealed_at, copy_due, copy_at, need_at, search, gmt_created)
    select '${mark} ' || n, '测量', u.ids[1 + n % cardinality(u.ids)], u.ids[1 + n % cardinality(u.ids)], d.ids[1 + n % cardinality(d.ids)], 4,
      1 + n % 9, 1 + n % 5, case when n <= ${open} then 1 else 2 end, now() - n * interval '5 minutes', current_date + 9,
      case when n > ${open} then now() - n * interval '4 minutes' end, case when n > ${open} then current_date end,
      case when n > ${open} and n % 100 > 0 then now() end,
      case when n <= ${open} then now() + n * interval '1 minute' end, '', now() - n * interval '5 minutes'
    from generate_series(1, ${open + sealed}) n, (select array_agg(id) ids from app_user) u,
      (select array_agg(id) ids from dept where not is_deleted) d`);
  await client.query(`
    insert into stamp_line (application_id, stamp_id, state, day, part)
    select a.id, s.ids[1 + a.id % cardinality(s.ids)], a.seal_status,
      case when a.seal_status = 1 and a.id % 4 = 0 then current_date + (a.id % 20)::int end, case when a.seal_status = 1 and a.id % 4 = 0 then 1 end
    from stamp_application a, (select array_agg(s.id) ids from stamp s join app_user u on u.id = s.keeper_id and u.username = '${keeper}'
      where s.status = 1) s where a.title like '${mark}%'`);
  await client.query(`
    insert into ticket (${columns.join(', ')}, sn, biz_id)
    select ${columns.map((column) => `t.${column}`).join(', ')}, 'BENCH-YY' || a.id, a.id
    from stamp_application a, (select * from ticket where biz_module = 'stamps' and act_state = 4 order by id limit 1) t
    where a.title like '${mark}%'`);
  await client.query(`
    update stamp_application a set ticket_id = t.id from ticket t where t.biz_module = 'stamps' and t.biz_id = a.id and t.sn like 'BENCH-YY%'`);
  for (const table of ['stamp_application', 'stamp_line', 'ticket']) await client.query(`vacuum analyze ${table}`);
}

export async function clear(client: pg.Client): Promise<void> {
  const mine = `select id from stamp_application where title like '${mark}%'`;
  await client.query(`delete from ticket where biz_module = 'stamps' and biz_id in (${mine})`);
  await client.query(`delete from stamp_line where application_id in (${mine})`);
  await client.query(`delete from stamp_application where title like '${mark}%'`);
}

/** Measures the desk of a keeper with many open lines beside the list of work orders. */
export async function measureStamps(stage: Stage, times: number): Promise<Table> {
  await asOperator(stage, fill);
  const token = await stage.signIn(keeper);
  const asked: [string, string][] = [
    ['待用印，按先后 20 件', '/api/stamp/application/?category=desk&seal_status=1&order_by=need_at&per_page=20'],
    ['今天', `/api/stamp/application/?category=desk&appoint=${today()}&seal_status=1&order_by=need_at&per_page=20`],
    ['待补留存', '/api/stamp/application/?category=desk&no_copy=true&order_by=copy_due&per_page=20'],
    ['各类数量', '/api/stamp/application/list_count/?brief=true'],
    ['日历一周', `/api/stamp/appointment/?start=${today()}&end=${today(6)}`],
    ['首页待办', '/api/waits/?rows=5'],
  ];
  // The tickets they worked on: a whole page, like that of the desk.
  const paths = ['/api/tickets/?category=worked&per_page=20', ...asked.map(([, path]) => path)];
  const [tickets, ...found] = await timedInTurns(stage, paths, token, times);
  const rows = asked.map(([name], at) => {
    const { p50, p95 } = found[at]!;
    return [name, shown(p50), shown(p95), ratio(p50, tickets!.p50)];
  });
  await asOperator(stage, clear);
  return {
    name: 'stamps',
    title: '用印办理',
    about: `一位保管人 ${shown(open)} 件待用印，另有 ${shown(sealed)} 件已用印，一个连接逐次轮流请求；同一人的工单列表（经办过的，20 行）p50 ${shown(tickets!.p50)} ms。目标：待用印不慢于工单列表的 ${allowed} 倍。`,
    columns: ['调用', 'p50 ms', 'p95 ms', '与工单列表之比'],
    rows,
  };
}

const today = (days = 0) => new Date(Date.now() + (8 + days * 24) * 3_600_000).toISOString().slice(0, 10);
