import type pg from 'pg';
import { searchVector } from '#kernel/server/list/search.ts';

/** The number of kinds of rows; each row of a table is of one kind. */
const kinds = 5000;
const portion = 200_000;
const years = 3;
export const busyRows = 100_000;

/** Searched for in the titles: a rare, a common and an absent word. */
export const words = { rare: '琥珀', common: '漏水', none: '鳄鱼' };
const actions = [
  ['tickets', '办理工单', '工单', 'POST', '/api/tickets/12/'],
  ['documents', '保存公文', '公文', 'PATCH', '/api/document/7/'],
  ['contracts', '登记收付款', '合同', 'POST', '/api/contract/9/payments/'],
  ['orders', '受理订单', '报修订单', 'POST', '/api/order/3/accept/'],
  ['people', '修改用户', '用户', 'PATCH', '/api/accounts/user/5/'],
  ['files', '下载文件', '文件', 'GET', '/api/file/8/'],
] as const;
const places = ['信息楼', '图书馆', '行政楼', '体育馆', '第三教学楼'];
const things = ['空调漏水', '投影仪维修', '公文会签', '采购合同', '用印申请', '门禁故障', '会议室借用'];

interface Person {
  id: number;
  username: string;
  alias: string;
}

/** Creates the kinds of rows, some thousand, whose contents all rows of a kind share. */
async function fillKinds(client: pg.Client): Promise<void> {
  const { rows: people } = await client.query<Person>(
    'select id, username, alias from app_user where not is_deleted order by id limit 1000',
  );
  const all = Array.from({ length: kinds }, (_, n) => {
    const { id, username, alias } = people[n % people.length]!;
    const [module, action, type, method, path] = actions[n % actions.length]!;
    const thing = n === 17 ? words.rare : things[n % things.length]!;
    const title = `${places[n % places.length]} ${100 + (n % 600)} ${thing}`;
    const ip = `10.${n % 7}.${n % 250}.${1 + (n % 200)}`;
    const codes = [username, ip, String(n)];
    return {
      n,
      user_id: id,
      username,
      alias,
      module,
      action,
      type,
      method,
      path,
      title,
      ip,
      result: n % 50 === 0 ? 4003 : 0,
      said: searchVector({ texts: [title, action, type], names: [alias], codes }),
      titled: searchVector({ texts: [title] }),
    };
  });
  await client.query(
    `create temp table kind as select n as no, user_id, username, alias, module, action, type, method, path, title, ip, result, said::tsvector, titled::tsvector
      from jsonb_to_recordset($1::jsonb) k(n int, user_id int, username text, alias text, module text, action text, type text, method text, path text,
        title text, ip text, result int, said text, titled text)`,
    [JSON.stringify(all)],
  );
  await client.query('create unique index on kind (no)');
}

const from = (first: number, last: number, rows: number) =>
  `from generate_series(${first}, ${last}) n join kind k on k.no = n::bigint * 7919 % ${kinds}
    cross join lateral (select now() - (${rows} - n) * (interval '${years} years' / ${rows}) as at) t`;

/** Some rows of each table, as the product writes them, spread over three years. */
const texts: Record<string, (first: number, last: number, rows: number) => string> = {
  log: (first, last, rows) => `
    insert into log (user_id, username, alias, module, action, object_type, object_id, title, method, path, ip, ua, result, ms, diff, trace_id, gmt_created, search)
    select user_id, username, alias, module, action, type, n::text, title, method, path, ip, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', result, 3 + n % 90,
      jsonb_build_array(jsonb_build_object('type', type, 'id', n::text, 'title', title,
        'fields', jsonb_build_array(jsonb_build_object('field', '状态', 'before', '待办', 'after', '已办')))), md5(n::text), at, said
    ${from(first, last, rows)}`,
  delivery: (first, last, rows) => `
    insert into delivery (channel, target, title, body, key, module, object_id, user_id, state, tries, due_at, sent_at, answer, gmt_created, gmt_modified)
    select case n % 3 when 0 then 'mail' when 1 then 'push' else 'hook' end, username || '@example.cn', title, jsonb_build_object('text', title), 'bench:' || n,
      module, n, user_id, case when n % 400 = 0 then 'given_up' else 'sent' end, 1, at, at, '250 OK', at, at
    ${from(first, last, rows)}`,
  msg: (first, last, rows) => `
    insert into msg (title, content, type, module, object_id, event, occasion, web_path, publish_at, total, search, gmt_created, gmt_modified)
    select left(title, 100), title || '，请及时办理。', 2, module, n, 'TODO', 'bench', '/ticket/duty', at, 1, titled, at, at
    ${from(first, last, rows)}`,
};

/**
 * Fills each table to the given length, and adds for each message a copy that was read, except the latest. One person has as many as a person through
 * whose hands everything passes.
 */
export async function fillYears(client: pg.Client, rows: number, busy: number, say: (line: string) => void) {
  await client.query('set statement_timeout = 0; set synchronous_commit = off; set maintenance_work_mem = 262144');
  await fillKinds(client);
  for (const [table, text] of Object.entries(texts)) {
    const started = performance.now();
    for (let first = 1; first <= rows; first += portion)
      await client.query(text(first, Math.min(rows, first + portion - 1), rows));
    say(`${table}：${rows} 行，${Math.round((performance.now() - started) / 1000)} 秒`);
  }
  await client.query(
    `insert into msg_user (msg_id, user_id, publish_at, read_time)
      select m.id, case when m.id % ${Math.max(3, Math.round(rows / busyRows))} = 0 then ${busy} else k.user_id end, m.publish_at,
        case when m.object_id < ${rows} * 0.9998 then m.publish_at end
      from msg m join kind k on k.no = m.id::bigint * 7919 % ${kinds} where m.occasion = 'bench'`,
  );
  // The state after some hours of the server's own maintenance.
  for (const table of ['log', 'delivery', 'msg', 'msg_user']) await client.query(`vacuum (analyze) ${table}`);
}
