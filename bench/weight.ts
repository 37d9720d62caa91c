import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoPassword } from '#apps/server/demo-accounts.ts';
import { shown, type Table } from './report.ts';
import { answered, readerName } from './calls.ts';
import { memoryOf, startServer, type Server } from './stage.ts';

const lists = 1000;
const papers = 10;

/** Runs before the server and records at its end how many files the main thread has loaded. */
const counting = `
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  import { isMainThread } from 'node:worker_threads';
  let files = 0;
  if (isMainThread) {
    registerHooks({ load: (url, context, next) => ((files += url.startsWith('file:') ? 1 : 0), next(url, context)) });
    process.on('exit', () => writeFileSync(process.env.COUNT_TO, String(files)));
  }`;

async function begin(dataDir: string): Promise<Server> {
  return startServer({
    DATA_DIR: dataDir,
    COUNT_TO: join(dataDir, 'files-read'),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(counting)}`,
  });
}

/** Waits until the memory has been constant for some seconds, when the work after a start is over. */
async function settled({ pid }: Server): Promise<void> {
  for (let before = memoryOf(pid) ?? 0, still = 0; still < 5;) {
    await sleep(1000);
    const now = memoryOf(pid) ?? 0;
    still = Math.abs(now - before) < 1 ? still + 1 : 0;
    before = now;
  }
}

async function weigh(name: string, { url, pid, readyAfter }: Server, ready = false): Promise<Table['rows'][number]> {
  const rss = memoryOf(pid);
  const text = await (await fetch(`${url}/metrics`)).text();
  const figure = (key: string) => Number(new RegExp(`^${key} (\\S+)$`, 'm').exec(text)?.[1]) / 2 ** 20;
  return [
    name,
    rss === null ? null : shown(rss, 0),
    shown(figure('nodejs_heap_size_total_bytes'), 0),
    shown(figure('nodejs_heap_size_used_bytes'), 0),
    shown(figure('nodejs_external_memory_bytes'), 0),
    ready ? shown(readyAfter, 0) : null,
  ];
}

/** Measures the memory of the product with its demonstration from its first start on, with its own database and files. */
export async function measureWeight(quick: boolean): Promise<Table> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gongdan-weight-'));
  const rows: Table['rows'] = [];
  let server = await begin(dataDir);
  const again = async () => {
    await server.stop();
    return Number(await readFile(join(dataDir, 'files-read'), 'utf8'));
  };
  try {
    await settled(server);
    rows.push(await weigh('第一次启动，建演示数据', server, true));
    const first = await again();
    server = await begin(dataDir);
    await settled(server);
    rows.push(await weigh('再次启动', server, true));
    const body = { username: readerName, password: demoPassword };
    const signedIn = await fetch(`${server.url}/api/accounts/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data } = (await signedIn.json()) as { data: { jwt: string } };
    for (let count = 0; count < lists; count += 1)
      await answered(`${server.url}/api/tickets/?category=all&per_page=20`, data.jwt);
    rows.push(await weigh(`列表 ${shown(lists)} 次之后`, server));
    const week = `${server.url}/api/leader/week/pdf/?date=${new Date().toISOString().slice(0, 10)}`;
    for (let count = 0; count < papers; count += 1) {
      const paper = await fetch(week, { headers: { authorization: `JWT ${data.jwt}` } });
      if (paper.headers.get('content-type') !== 'application/pdf') throw new Error(await paper.text());
      await paper.arrayBuffer();
    }
    rows.push(await weigh(`打印 ${papers} 份之后`, server));
    await sleep(quick ? 20_000 : 180_000);
    rows.push(await weigh('再空闲三分钟', server));
    const second = await again();
    const bare = spawnSync(process.execPath, ['-p', 'process.memoryUsage.rss()'], { encoding: 'utf8' });
    return {
      name: 'weight',
      title: '内存',
      about: `一个服务进程，内置数据库和演示数据，一个连接逐次请求。什么都不做的 Node 是 ${shown(Number(bare.stdout) / 2 ** 20, 0)} MB。读入的文件：第一次启动 ${shown(first)} 个，再次启动直到打印之后 ${shown(second)} 个。目标：空闲 150 MB 以内，就绪 1,000 ms 以内。`,
      columns: ['', 'RSS MB', '堆 MB', '其中在用', '堆外 MB', '就绪 ms'],
      rows,
    };
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
