import pg from 'pg';
import { timedInTurns } from './calls.ts';
import { ratio, shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

/** Sees all work orders and all documents, by a role. */
const reader = 'zhao.yan';
const allowed = 1.5;
const words = [
  ['常见', '漏水'],
  ['少见', '琥珀'],
] as const;

/** Prefix of the numbers of these documents' tickets. */
const sn = 'BENCHDOC';

/** Runs SQL as the database's operator: slow statements are not cancelled. */
async function asOperator<T>({ adminDatabase }: Stage, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(adminDatabase);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** As many finished documents as there are work orders, each with its words and a ticket. */
async function fill(client: pg.Client): Promise<number> {
  await client.query(`
    insert into document (creator_id, dept_id, act_state, approved, doc_kind, doc_type, title, doc_number, submitted_at, finished_at,
      gmt_created, search)
    select creator_id, dept_id, 4, true, 1 + id % 3, 1 + id % 15, title, case when id % 3 = 0 then '校发〔2026〕' || id || '号' else '' end,
      gmt_created, gmt_created + interval '3 days', gmt_created, search
    from ticket where not is_deleted and biz_module is null`);
  await client.query(`
    insert into ticket (sn, title, workflow_id, version_id, act_state, state_id, creator_id, dept_id, seq, biz_module, biz_id,
      submitted_at, finished_at, gmt_created, search)
    select '${sn}' || d.id, d.title, f.id, v.id, 4,
      (select (s ->> 'id')::int from jsonb_array_elements(v.definition -> 'states') s where s ->> 'kind' = 'end' limit 1),
      d.creator_id, d.dept_id, 1, 'documents', d.id, d.submitted_at, d.finished_at, d.gmt_created, d.search
    from document d, workflow f join workflow_version v on v.workflow_id = f.id and v.status = 'published'
    where f.key = 'document_sending' and not f.is_deleted and d.ticket_id is null`);
  await client.query(
    `update document d set ticket_id = t.id from ticket t where t.biz_module = 'documents' and t.biz_id = d.id`,
  );
  await client.query('vacuum analyze document');
  await client.query('vacuum analyze ticket');
  const { rows } = await client.query<{ count: string }>('select count(*) from document');
  return Number(rows[0]?.count);
}

/** Removes them again, so that later measurements count only work orders. Nothing refers to them, so foreign keys are not checked. */
async function clear(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica');
  await client.query(`delete from document where ticket_id in (select id from ticket where sn like '${sn}%')`);
  await client.query(`delete from ticket where sn like '${sn}%'`);
  await client.query('vacuum analyze document');
  await client.query('vacuum analyze ticket');
}

/** Measures lists and searches of documents beside those of work orders, in turns on the same database. */
export async function measureDocuments(stage: Stage, times: number): Promise<Table> {
  const count = await asOperator(stage, fill);
  const token = await stage.signIn(reader);
  const rows: Table['rows'] = [];
  const asked: [string, string][] = [
    ['列表 20 行', 'category=all&per_page=20'],
    ['列表第 50 页', 'category=all&per_page=20&page=50'],
    ...words.map(([kind, word]): [string, string] => [
      `搜索“${word}”（${kind}）`,
      `category=all&per_page=20&search_value=${encodeURIComponent(word)}`,
    ]),
  ];
  for (const [name, query] of asked) {
    const paths = [`/api/document/?${query}`, `/api/tickets/?${query}`];
    const [documents, tickets] = await timedInTurns(stage, paths, token, times);
    const ms = [documents!.p50, documents!.p95, tickets!.p50, tickets!.p95].map((value) => shown(value));
    rows.push([name, ...ms, ratio(documents!.p50, tickets!.p50)]);
  }
  await asOperator(stage, clear);
  return {
    name: 'documents',
    title: '公文',
    about: `${shown(count)} 份公文与同样多的工单，一个连接逐次请求，两种列表逐次轮流请求。目标：公文不慢于工单的 ${allowed} 倍。`,
    columns: ['调用', '公文 p50 ms', '公文 p95', '工单 p50', '工单 p95', '比值'],
    rows,
  };
}
