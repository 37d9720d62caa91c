import type { Loaded } from './load.ts';
import type { Floored, Statement } from './floor.ts';
import { ratio, shown, type Table } from './report.ts';
import { createSet, detailSet, listSet } from './sql.ts';
import { alone, memoryOf, type Stage } from './stage.ts';

const connections = 64;
const clients = 10;
/** Sees all work orders by a role, not as super administrator. */
const readerName = 'shi.yufei';
const starter = 'qin.haoyu';

interface Measured {
  name: string;
  path: string;
  token: string;
  set: Statement[];
  body?: unknown;
}

async function beside(stage: Stage, seconds: number, { name, path, token, set, body }: Measured) {
  const url = stage.url + path;
  const method = body ? 'POST' : 'GET';
  await answered(url, token, method, body);
  const load = { url, token, connections, method, ...(body ? { body } : {}) };
  await alone<Loaded>('load.ts', { ...load, seconds: Math.min(2, seconds) });
  const floor = await alone<Floored>('floor.ts', { url: stage.database, clients, seconds, writes: Boolean(body), set });
  const loaded = await alone<Loaded>('load.ts', { ...load, seconds });
  if (loaded.failed > 0) console.error(`${name}：${loaded.failed} 个请求没有得到 200`);
  const part = ratio(loaded.perSecond, floor.perSecond);
  return [name, shown(loaded.perSecond, 0), shown(loaded.p50), shown(loaded.p99), shown(floor.perSecond, 0), part];
}

/** Sends a call and throws unless it succeeds, so that no refusal is ever measured. */
async function answered(url: string, token: string, method = 'GET', body?: unknown): Promise<{ data: unknown }> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `JWT ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const envelope = (await response.json()) as { code: number; msg: string; data: unknown };
  if (envelope.code !== 0) throw new Error(`${method} ${url}: ${envelope.code} ${envelope.msg}`);
  return envelope;
}

async function idOf(stage: Stage, text: string, ...values: unknown[]): Promise<number> {
  const { rows } = await stage.app.services.databases.pool.query<{ id: number }>(text, values);
  if (!rows[0]) throw new Error(`nothing found by: ${text}`);
  return rows[0].id;
}
const personId = (stage: Stage, username: string) =>
  idOf(stage, 'select id from app_user where username = $1', username);

const columns = ['调用', '次/秒', 'p50 ms', 'p99 ms', '数据库单独 次/秒', '比值'];
const about = (size: number) =>
  `${shown(size)} 张工单，${connections} 个连接。极限：同样的 SQL（授权、行、总数）由 ${clients} 个连接以预编译语句直接执行。`;

export async function measureList(stage: Stage, seconds: number): Promise<Table> {
  const token = await stage.signIn(readerName);
  const person = await personId(stage, readerName);
  const idle = memoryOf(stage.pid);
  const path = '/api/tickets/?category=all&per_page=20';
  const row = await beside(stage, seconds, { name: '列表 20 行', path, token, set: listSet(person) });
  const memory = [idle, memoryOf(stage.pid)].map((value) => (value === null ? '—' : `${shown(value, 0)} MB`));
  return {
    name: 'list',
    title: '列表',
    about: `${about(stage.size)}期望 0.3，目标 0.4。服务进程内存：压测前 ${memory[0]}，压测后 ${memory[1]}。`,
    columns,
    rows: [row],
  };
}

export async function measureDetail(stage: Stage, seconds: number): Promise<Table> {
  const token = await stage.signIn(readerName);
  const ticket = await idOf(stage, 'select id from ticket where act_state = 4 order by id desc limit 1');
  const set = detailSet(ticket);
  const detail = await beside(stage, seconds, { name: '详情', path: `/api/tickets/${ticket}/`, token, set });
  const workflow = await idOf(stage, `select id from workflow where key = 'it_service' and not is_deleted`);
  const fields = {
    title: '信息楼 301 投影仪连不上电脑',
    category: 'equipment',
    place: '信息楼 301 教室',
    urgency: 'normal',
    description: '投影仪连不上电脑。上午下午都有人在，可以直接过来。',
  };
  const body = { workflow_id: workflow, transition_id: 2, suggestion: '', ...fields };
  const starterToken = await stage.signIn(starter);
  const made = await answered(`${stage.url}/api/tickets/`, starterToken, 'POST', body);
  const like = (made.data as { id: number }).id;
  const created = { name: '发起', path: '/api/tickets/', token: starterToken, set: await createSet(stage, like), body };
  return {
    name: 'detail',
    title: '详情与发起',
    about: `${about(stage.size)}发起的极限：一个事务里取号并逐行写入同样的工单。`,
    columns,
    rows: [detail, await beside(stage, seconds, created)],
  };
}

/** Calls before the measurement, so that all compared code is compiled alike. */
const warming = 40;

/** The duration of a call, repeated one after the other: milliseconds, p50 and p95. */
export async function timed(stage: Stage, path: string, token: string, times: number) {
  const [only] = await timedInTurns(stage, [path], token, times);
  return only!;
}

/** The durations of several calls, sent in turns, so that other work on the machine affects all of them alike. */
export async function timedInTurns(stage: Stage, paths: readonly string[], token: string, times: number) {
  const taken = paths.map((): number[] => []);
  for (let count = -warming; count < times; count += 1) {
    for (const [index, path] of paths.entries()) {
      const started = performance.now();
      await answered(stage.url + path, token);
      if (count >= 0) taken[index]!.push(performance.now() - started);
    }
  }
  return taken.map((all) => {
    all.sort((a, b) => a - b);
    const at = (share: number) => all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;
    return { p50: at(0.5), p95: at(0.95) };
  });
}

export { answered, readerName, personId, starter };
