import { answered, readerName, starter } from './calls.ts';
import { shown, type Table } from './report.ts';
import { columnsOf } from './sql.ts';
import type { Stage } from './stage.ts';

/** The minimum number of open tasks, and the factor by which a call may be slower than the list. */
const openTasks = 100_000;
const aim = 3;
const inBatch = 100;
const [submit, headAgrees] = [2, 3];

/** Measures calls on one ticket, on many and on all, each beside the list of all tickets in the same run, in turns. */
export async function measureEngine(stage: Stage, times: number): Promise<Table> {
  const open = await growTasks(stage);
  const tickets = await only<{ count: number }>(stage, 'select count(*)::int from ticket');
  const [reading, starting] = [await stage.signIn(readerName), await stage.signIn(starter)];
  const workflow = await only<{ id: number }>(
    stage,
    `select id from workflow where key = 'it_service' and not is_deleted`,
  );
  const place = {
    title: '信息楼 301 投影仪连不上电脑',
    category: 'equipment',
    place: '信息楼 301 教室',
    urgency: 'normal',
  };
  const body = { workflow_id: workflow.id, transition_id: submit, ...place, description: '投影仪连不上电脑' };
  const begin = async () =>
    ((await answered(`${stage.url}/api/tickets/`, starting, 'POST', body)).data as { id: number }).id;
  const { username } = await only<{ username: string }>(
    stage,
    `select u.username from ticket_task w join app_user u on u.id = w.assignee_id where w.ticket_id = $1 and w.status = 'todo'`,
    await begin(),
  );
  const deciding = await stage.signIn(username);
  const busiest = await only<{ username: string; count: number }>(
    stage,
    `select u.username, count(*)::int from ticket_task w join app_user u on u.id = w.assignee_id where w.status = 'todo'
     group by 1 order by 2 desc limit 1`,
  );
  const burdened = await stage.signIn(busiest.username);

  const taken = new Map<string, number[]>();
  const time = async <T>(name: string, work: () => Promise<T>, per = 1): Promise<T> => {
    const started = performance.now();
    const result = await work();
    taken.set(name, [...(taken.get(name) ?? []), (performance.now() - started) / per]);
    return result;
  };
  const get = (path: string, token: string) => answered(stage.url + path, token);
  const agree = { transition_id: headAgrees, suggestion: '同意' };
  const round = async () => {
    await time('列表 20 行', () => get('/api/tickets/?category=all&per_page=20', reading));
    const id = await time('发起', begin);
    await time('可做的操作', () => get(`/api/tickets/${id}/transitions/`, deciding));
    await time('处理', () => answered(`${stage.url}/api/tickets/${id}/`, deciding, 'PATCH', agree));
    await time('角标', () => get('/api/tickets/jiaobiao/', reading));
    await time(`角标（最忙的人，${shown(busiest.count, 0)} 项待办）`, () => get('/api/tickets/jiaobiao/', burdened));
  };
  for (let warming = 0; warming < 5; warming++) await round();
  taken.clear();
  for (let count = 0; count < times; count++) await round();
  for (let count = 0; count < Math.max(2, times / 20); count++) {
    const ticket_ids: number[] = [];
    while (ticket_ids.length < inBatch) ticket_ids.push(await begin());
    const several = { ticket_ids, action: 'agree', suggestion: '同意' };
    const reply = await time(
      `批量 ${inBatch} 张（每张）`,
      () => answered(`${stage.url}/api/tickets/batch/`, deciding, 'PATCH', several),
      inBatch,
    );
    const failed = (reply.data as { value: { ok: boolean; msg: string }[] }).value.find((one) => !one.ok);
    if (failed) throw new Error(`batch: ${failed.msg}`);
  }
  const list = at(taken.get('列表 20 行') ?? [], 0.5);
  return {
    name: 'engine',
    title: '流程引擎',
    about: `${shown(tickets.count, 0)} 张工单，${shown(open, 0)} 项未办的待办，一个连接轮流请求。极限：同一次运行里的列表调用；目标：都不超过它的 ${aim} 倍。`,
    columns: ['调用', 'p50 ms', 'p95 ms', '与列表之比'],
    rows: [...taken].map(([name, all]) => [
      name,
      shown(at(all, 0.5)),
      shown(at(all, 0.95)),
      (at(all, 0.5) / list).toFixed(2),
    ]),
  };
}

function at(all: readonly number[], share: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function only<T>(stage: Stage, text: string, ...values: unknown[]): Promise<T> {
  const { rows } = await stage.app.services.databases.pool.query(text, values);
  if (!rows[0]) throw new Error(`nothing found by: ${text}`);
  return rows[0] as T;
}

/** Copies waiting tickets of the demonstration until so many tasks are open. */
async function growTasks(stage: Stage): Promise<number> {
  const { pool } = stage.app.services.databases;
  const open = async () =>
    (await only<{ count: number }>(stage, `select count(*)::int from ticket_task where status = 'todo'`)).count;
  const before = await open();
  if (before >= openTasks) return before;
  const copies = Math.ceil(openTasks / before) - 1;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    await client.query(
      `create temporary table copy on commit drop as
       select nextval(pg_get_serial_sequence('ticket', 'id'))::int as copy_id, id as like_id from ticket, generate_series(1, $1)
       where biz_id is null and id in (select ticket_id from ticket_task where status = 'todo')`,
      [copies],
    );
    const ticket = await columnsOf(stage, 'ticket');
    await client.query(`insert into ticket (id, sn, ${ticket}) overriding system value
      select copy_id, 'BENCH' || copy_id, ${ticket} from copy join ticket on id = like_id`);
    for (const table of ['ticket_token', 'ticket_task', 'ticket_log']) {
      const names = await columnsOf(stage, table);
      await client.query(`insert into ${table} (ticket_id, ${names})
        select copy_id, ${names} from copy join ${table} on ticket_id = like_id`);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
  await pool.query('analyze');
  return open();
}
