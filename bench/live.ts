import { shown, type Table } from './report.ts';
import { alone, memoryOf, type Stage } from './stage.ts';
import type { Opened, Windows } from './windows.ts';

const people = 200;
const perPerson = 10;
const limitMs = 200;

/** Measures how soon a notice's notification reaches each of many windows on one node. */
export async function measureLive(stage: Stage, rounds: number): Promise<Table> {
  const { rows } = await stage.app.services.databases.pool.query<{ id: number; username: string }>(
    `insert into app_user (username, alias, password) select 'window' || n, '窗口' || n, '' from generate_series(1, $1) n
      returning id, username`,
    [people],
  );
  const readers: Windows['people'] = [];
  for (const { id, username } of rows) readers.push({ id, token: await stage.signIn(username) });
  const before = memoryOf(stage.pid);
  const asked: Windows = { url: stage.url, sender: await stage.signIn('admin'), people: readers, perPerson, rounds };
  const { sockets, opening, missed, p50, p99, most } = await alone<Opened>('windows.ts', asked);
  const memory = [before, memoryOf(stage.pid)].map((value) => (value === null ? '—' : `${shown(value, 0)} MB`));
  return {
    name: 'live',
    title: '实时更新',
    about: `一个节点，${readers.length} 人各 ${perPerson} 个窗口，${rounds} 次通知全体：从提交通知（含写入）到每个窗口收到。目标：p99 < ${limitMs} ms，一个不漏。服务进程内存：连接前 ${memory[0]}，之后 ${memory[1]}。`,
    columns: ['连接', '建立 个/秒', 'p50 ms', 'p99 ms', '最长 ms', '遗漏'],
    rows: [[shown(sockets), shown(opening, 0), shown(p50), shown(p99), shown(most), missed]],
  };
}
