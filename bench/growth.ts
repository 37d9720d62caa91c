import { searchQuery } from '#kernel/server/list/search.ts';
import { readerName, personId, timed } from './calls.ts';
import type { Floored, Statement } from './floor.ts';
import { shown, type Table } from './report.ts';
import { listSet, searchSet, totalSet } from './sql.ts';
import { alone, type Stage } from './stage.ts';

const words = [
  ['少见', '琥珀'],
  ['常见', '漏水'],
  ['三字', '办公椅'],
  ['没有', '鳄鱼'],
] as const;
const aim = 20;

const floorOf = (stage: Stage, set: Statement[], seconds: number) =>
  alone<Floored>('floor.ts', { url: stage.database, clients: 1, seconds, set });

export async function measureSearch(stage: Stage, times: number): Promise<Table> {
  const token = await stage.signIn(readerName);
  const person = await personId(stage, readerName);
  const { pool } = stage.app.services.databases;
  const rows: Table['rows'] = [];
  for (const [kind, word] of words) {
    const query = searchQuery(word) ?? '';
    const count = await pool.query<{ count: string }>('select count(*) from ticket where search @@ $1::tsquery', [
      query,
    ]);
    const path = `/api/tickets/?category=all&per_page=20&search_value=${encodeURIComponent(word)}`;
    const ours = await timed(stage, path, token, times);
    const floor = await floorOf(stage, searchSet(person, query), 2);
    const matched = shown(Number(count.rows[0]?.count), 0);
    rows.push([`${word}（${kind}）`, matched, ...[ours.p50, ours.p95, floor.p50, floor.p95].map((ms) => shown(ms))]);
  }
  return {
    name: 'search',
    title: '搜索',
    about: `${shown(stage.size)} 张工单，一个连接逐次请求，含总数。目标：服务端 p95 < ${aim} ms。极限：同样的 SQL 直接执行。`,
    columns: ['词', '命中', 'p50 ms', 'p95 ms', '数据库单独 p50', '数据库单独 p95'],
    rows,
  };
}

/** The row of one size in the table that shows whether time grows with the data. */
export async function growthRow(stage: Stage, times: number): Promise<Table['rows'][number]> {
  const token = await stage.signIn(readerName);
  const person = await personId(stage, readerName);
  const first = await timed(stage, '/api/tickets/?category=all&per_page=20', token, times);
  const badge = await timed(stage, '/api/tickets/jiaobiao/', token, times);
  const floor = await floorOf(stage, listSet(person), 2);
  const total = await floorOf(stage, totalSet(person), 2);
  const ms = [first.p50, first.p95, badge.p50, badge.p95, floor.p50, total.p50].map((value) => shown(value));
  return [shown(stage.size), ...ms];
}

export const growthTable = (rows: Table['rows']): Table => ({
  name: 'growth',
  title: '数据增长',
  about: '一个连接逐次请求。目标：不随数据量增长。极限：同样的 SQL 直接执行。',
  columns: ['工单', '列表 p50 ms', '列表 p95', '角标 p50', '角标 p95', '数据库单独 列表 p50', '数据库单独 总数 p50'],
  rows,
});
