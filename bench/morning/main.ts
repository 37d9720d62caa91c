import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startNode } from '#apps/server/testing/node.ts';
import { quietPort } from '#apps/server/testing/port.ts';
import { answered } from '../calls.ts';
import { shown, type Table } from '../report.ts';
import { memoryOf, secret, type Stage } from '../stage.ts';
import { mix, type Asked, type Back, type Crowd, type Kind, type Morning } from './asked.ts';

/** A person's calls in the ten minutes of the peak, from which the rate follows unless it is given. */
const callsEach = 12;
const peakSeconds = 600;
export const peakOf = (people: number) => Math.max(2, (people * callsEach) / peakSeconds);
const ticketsThere = 5000;
const beginners = 50;
/** Windows of one person: at the desk, at home, on the phone. */
const perAccount = 4;
/** The person that the others are modelled on. */
const like = 'qin.haoyu';
const aimMs = 400;

/** Processor time that a process has used so far, in seconds. */
function secondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function crowdOf(stage: Stage, people: number): Promise<Pick<Crowd, 'windows' | 'pairs' | 'workflow'>> {
  const { pool } = stage.app.services.databases;
  await pool.query(
    `with made as (insert into app_user (username, alias, password, dept_id)
      select 'morning' || n, '同事' || n, password, dept_id from app_user, generate_series(1, $1) n where username = $2 returning id)
    insert into user_role (user_id, role_id) select made.id, r.role_id from made, user_role r join app_user u on u.id = r.user_id where u.username = $2`,
    [Math.ceil(people / perAccount), like],
  );
  const { rows: accounts } = await pool.query<{ username: string }>(
    `select username from app_user where is_active and not is_deleted and username <> 'admin' order by id desc limit $1`,
    [Math.ceil(people / perAccount)],
  );
  const tokens = new Map<string, string>();
  const tokenOf = async (username: string) => {
    const token = tokens.get(username) ?? (await stage.signIn(username));
    tokens.set(username, token);
    return token;
  };
  const windows: Crowd['windows'] = [];
  for (let index = 0; index < people; index++) {
    const { username } = accounts[index % accounts.length]!;
    windows.push({ username, token: await tokenOf(username) });
  }
  const { rows } = await pool.query<{ id: number }>(
    `select id from workflow where key = 'it_service' and not is_deleted`,
  );
  const workflow = rows[0]!.id;
  const pairs: Crowd['pairs'] = [];
  const place = {
    title: '测量',
    category: 'equipment',
    place: '信息楼 301 教室',
    urgency: 'normal',
    description: '测量。',
  };
  for (const { username } of accounts) {
    if (pairs.length === beginners) break;
    const starter = await tokenOf(username);
    const body = { workflow_id: workflow, transition_id: 2, suggestion: '', ...place };
    const begun = await answered(`${stage.url}/api/tickets/`, starter, 'POST', body).catch(() => null);
    const found = await pool.query<{ username: string; state: string }>(
      `select u.username from ticket_task w join app_user u on u.id = w.assignee_id where w.ticket_id = $1 and w.status = 'todo'`,
      [(begun?.data as { id: number } | undefined)?.id ?? 0],
    );
    if (found.rows.length === 1) pairs.push({ starter, head: await tokenOf(found.rows[0]!.username) });
  }
  return { windows, pairs, workflow };
}

/** Measures nine o'clock on two nodes: everybody's window is connected, and everybody does their usual morning work. */
export async function measureMorning(
  stage: Stage,
  { people, seconds, perSecond }: Pick<Crowd, 'seconds' | 'perSecond'> & { people: number },
): Promise<Table[]> {
  await stage.grow(ticketsThere);
  const port = await quietPort();
  const settings = {
    DATABASE_URL: stage.database,
    DATA_DIR: stage.dataDir,
    SESSION_SECRET: secret,
    LOG_LEVEL: 'info',
    MONITOR_PLACES: '0',
  };
  let second = await startNode(port, settings);
  // Without this process's own arguments, with which the child would not wait for a message.
  const child = fork(join(import.meta.dirname, 'crowd.ts'), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the crowd ended by itself: ${code ?? signal}`);
  });
  ended.catch(() => undefined);
  const ask = async <T>(asked: Asked): Promise<T> => {
    child.send(asked);
    return Promise.race([once(child, 'message').then(([answer]) => answer as T), ended]);
  };
  const memory = () => [stage.pid, second.pid].map((pid) => memoryOf(pid) ?? 0);
  const sum = (each: readonly number[]) => each.reduce((all, one) => all + one, 0);
  try {
    const crowd: Crowd = {
      urls: [stage.url, second.url],
      password: 'Gongdan@2026',
      perSecond,
      seconds,
      ...(await crowdOf(stage, people)),
    };
    await pause(5000);
    const idle = sum(memory());
    const opening = performance.now();
    await ask({ do: 'open', crowd });
    const openedIn = (performance.now() - opening) / 1000;
    await pause(15_000);
    const open = sum(memory());
    console.log(`  ${people} 个连接，${shown(openedIn)} 秒，两个节点 ${shown(idle, 0)} → ${shown(open, 0)} MB`);
    const used = [stage.pid, second.pid].map(secondsOf);
    const worked = performance.now();
    const { calls, strange } = await ask<Morning>({ do: 'work' });
    const lasted = (performance.now() - worked) / 1000;
    const cores = sum([stage.pid, second.pid].map((pid, at) => secondsOf(pid) - used[at]!)) / lasted;
    const peak = sum(memory());
    const load = loadavg()[0]!;
    for (const text of strange) console.error(`  ${text}`);
    const watching = ask<Back>({ do: 'watch', seconds: 70 });
    await second.stop('SIGTERM');
    second = await startNode(port, settings);
    const back = await watching;
    const done = sum(Object.values(calls).map(({ count }) => count));
    const kilobytes = shown(((open - idle) / people) * 1024);
    const about = `${shown(people)} 个登录的窗口各有一个实时连接，两个节点；每秒来 ${shown(perSecond)} 次（每人十分钟 ${shown((perSecond * peakSeconds) / people)} 次，首页一次四个请求），量 ${seconds} 秒。服务、数据库与 ${shown(people)} 个窗口都在这台机器上，峰值时负载 ${shown(load)}。`;
    return [
      {
        name: 'morning',
        title: '九点',
        about: `${about}目标：没有错误，列表 p95 < ${aimMs} ms。`,
        columns: ['调用', '次数', '错误', 'p50 ms', 'p95 ms'],
        rows: (Object.keys(mix) as Kind[]).map((kind) => {
          const { count, failed, p50, p95 } = calls[kind];
          return [kind, shown(count), failed, shown(p50), shown(p95)];
        }),
      },
      {
        name: 'windows',
        title: '实时连接',
        about,
        columns: ['', '测得', '目标'],
        rows: [
          ['建立 个/秒', shown(people / openedIn, 0), '—'],
          [
            '两个节点的内存：连接前、连接后、峰值后 MB',
            [idle, open, peak].map((mb) => shown(mb, 0)).join('、'),
            '600（10,000 个连接）',
          ],
          ['每个连接 KB', kilobytes, '—'],
          ['两个节点用的处理器（核）', shown(cores, 2), '—'],
          ['一个核一秒做的调用（含心跳）', shown(done / seconds / cores, 0), '—'],
          ['重启一个节点后每 10 秒回来的窗口', back.inTen.map((n) => shown(n)).join('、'), '一分钟内均匀'],
          ['其中全部重新查看的', shown(back.asked), '0'],
        ],
      },
    ];
  } finally {
    if (child.connected) {
      const gone = once(child, 'exit');
      child.send({ do: 'end' } satisfies Asked);
      await gone;
    }
    await second.stop('SIGTERM');
  }
}
