import { answered, timed } from './calls.ts';
import type { Floored } from './floor.ts';
import { ratio, shown, type Table } from './report.ts';
import { alone, type Stage } from './stage.ts';

const people = 5000;
const depts = 100;
const sender = 'chen.guodong';

const giveText = `
  with given as (
    insert into document_dist (document_id, sender_id, total) select $1, id, 0 from app_user where username = '${sender}' returning id)
  insert into document_dist_user (dist_id, document_id, user_id, dept_id, source)
  select given.id, $1, u.id, u.dept_id, 2 from given, app_user u where u.username like 'matrix%'`;
const tellText = `
  with said as (
    insert into msg (title, content, type, module, object_id, event) values ('分发', '', 3, 'bench', 0, 'DIST') returning id)
  insert into msg_user (msg_id, user_id) select said.id, u.id from said, app_user u where u.username like 'matrix%'`;
const countText = `
  select c.dept_id, count(*), count(c.read_time), count(c.reply_time) from document_dist_user c where c.dist_id = $1 group by 1`;

/** Measures one distribution to five thousand people: distributing it and reading its receipts, each beside the minimal SQL for it. */
export async function measureMatrix(stage: Stage, times: number): Promise<Table> {
  const { pool } = stage.app.services.databases;
  await pool.query(`
    insert into dept (name, search) select '矩阵' || n, '' from generate_series(1, ${depts}) n`);
  await pool.query(`
    insert into app_user (username, alias, password, search, dept_id)
    select 'matrix' || n, '众' || n, 'x', '', d.id from generate_series(1, ${people}) n
      join (select id, row_number() over (order by id) no from dept where name like '矩阵%') d on d.no = 1 + n % ${depts}`);
  const { rows } = await pool.query<{ id: number; depts: number[] }>(`
    select id, array(select id from dept where name like '矩阵%') depts from document
    where act_state = 4 and secret_level = 0 limit 1`);
  const document = rows[0]!;
  const token = await stage.signIn(sender);
  const body = { document_id: document.id, recipients: { depts: document.depts } };
  const give = async () =>
    ((await answered(`${stage.url}/api/document/dist/`, token, 'POST', body)).data as { id: number }).id;
  await give();
  const given: number[] = [];
  let dist = 0;
  for (let turn = 0; turn < Math.min(10, times); turn += 1) {
    const started = performance.now();
    dist = await give();
    given.push(performance.now() - started);
  }
  given.sort((a, b) => a - b);
  await pool.query(
    `update document_dist_user set state = 1, read_time = now() where dist_id = $1 and user_id % 3 > 0`,
    [dist],
  );
  const url = stage.database;
  const floorOf = (set: { text: string; values: unknown[] }[], writes: boolean) =>
    alone<Floored>('floor.ts', { url, clients: 1, seconds: 3, writes, set });
  const read = await timed(stage, `/api/document/dist/info/?dist_id=${dist}`, token, times);
  const named = await timed(stage, `/api/document/dist/info/?dist_id=${dist}&unread=true`, token, times);
  const counted = await floorOf([{ text: countText, values: [dist] }], false);
  const written = await floorOf(
    [
      { text: giveText, values: [document.id] },
      { text: tellText, values: [] },
    ],
    true,
  );
  const [half, most] = [given[Math.floor(given.length / 2)] ?? 0, given.at(-1) ?? 0];
  return {
    name: 'matrix',
    title: '公文分发',
    about: `一次分发给 ${shown(people)} 人（${depts} 个部门），一个连接逐次请求。分发含去重、接收人、站内消息和日志；未读名单为各部门前 20 人。极限：同样的写入、同样的分组计数直接执行。`,
    columns: ['调用', 'p50 ms', 'p95 ms', '数据库单独 p50', '比值'],
    rows: [
      ['分发', shown(half), shown(most), shown(written.p50), ratio(written.p50, half)],
      ['阅读情况', shown(read.p50), shown(read.p95), shown(counted.p50), ratio(counted.p50, read.p50)],
      ['阅读情况与未读名单', shown(named.p50), shown(named.p95), shown(counted.p50), ratio(counted.p50, named.p50)],
    ],
  };
}
