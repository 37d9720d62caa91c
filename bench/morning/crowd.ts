// Run as a separate process by `main.ts`: people's windows with their live connections, and their actions in a morning.
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { openLive, type Live } from '#kernel/web/live/connection.ts';
import { mix, type Asked, type Back, type Crowd, type Kind, type Morning } from './asked.ts';

const openedAtOnce = 40;
const lives: Live[] = [];
let crowd: Crowd;
let cameBack: number[] = [];
let askedAnew = 0;

const at = (taken: readonly number[], share: number) =>
  taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0;
const chance = chanceOf(2026);
const { pick } = chance;

async function ask(url: string, token: string, body?: object | FormData, method = body ? 'POST' : 'GET') {
  const plain = body instanceof FormData ? body : body && JSON.stringify(body);
  const headers = {
    ...(token && { authorization: `JWT ${token}` }),
    ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
  };
  const response = await fetch(url, { method, headers, ...(plain && { body: plain }) });
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: unknown };
  if (code !== 0) throw new Error(`${response.status} ${code} ${msg}`);
  return data;
}

/** Opens a window like a browser: its connection goes to either node, and to the other one if that does not answer. */
function openWindow({ username, token }: Crowd['windows'][number], index: number): Promise<void> {
  let node = index % 2;
  let opened = 0;
  return new Promise((resolve) => {
    lives.push(
      openLive({
        url: '',
        username,
        ticket: async () => {
          try {
            return ((await ask(`${crowd.urls[node]}/api/msg/ticket/`, token, {})) as { ticket: string }).ticket;
          } catch (error) {
            node = 1 - node;
            throw error;
          }
        },
        hear: (topics) => void (topics.includes('*') && askedAnew++),
        open(query) {
          const origin = crowd.urls[node]!;
          const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/msg/socket/${query}`, { origin });
          socket.once('message', () => {
            if (opened++ > 0) cameBack.push(performance.now());
            resolve();
          });
          socket.on('error', () => void (node = 1 - node));
          return socket as never;
        },
      }),
    );
  });
}

async function open(): Promise<void> {
  const waiting = [...crowd.windows.entries()];
  await Promise.all(
    Array.from({ length: openedAtOnce }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await openWindow(next[1], next[0]);
    }),
  );
}

const place = {
  title: '信息楼 301 投影仪连不上电脑',
  category: 'equipment',
  place: '信息楼 301 教室',
  urgency: 'normal',
};
/** Tickets that wait for a decision, and tickets that their starters may open. */
const waiting: { id: number; head: string }[] = [];
const begun: { id: number; starter: string }[] = [];
const document = new Blob([new Uint8Array(100_000).fill(97)], { type: 'text/plain' });

async function does(kind: Kind, url: string): Promise<void> {
  const { username, token } = pick(crowd.windows);
  const get = (path: string, by = token) => ask(url + path, by);
  if (kind === '登录') await ask(`${url}/api/accounts/login/`, '', { username, password: crowd.password });
  else if (kind === '首页')
    await Promise.all(
      ['/api/accounts/users/info/', '/api/waits/', '/api/tickets/jiaobiao/', '/api/msg/user/unread_count/'].map(
        (path) => get(path),
      ),
    );
  else if (kind === '列表') await get('/api/tickets/?category=owner&per_page=20');
  else if (kind === '搜索')
    await get(`/api/tickets/?category=relation&per_page=20&search_value=${encodeURIComponent('漏水')}`);
  else if (kind === '上传') {
    const form = new FormData();
    form.set('module', 'tickets');
    form.set('file', document, 'a.txt');
    await ask(`${url}/api/file/upload/`, token, form);
  } else if (kind === '详情') {
    const one = begun.length > 0 ? pick(begun) : null;
    await (one ? get(`/api/tickets/${one.id}/`, one.starter) : get('/api/tickets/?category=owner&per_page=20'));
  } else if (kind === '办理' && waiting.length > 0) {
    const { id, head } = waiting.shift()!;
    await ask(`${url}/api/tickets/${id}/`, head, { transition_id: 3, suggestion: '同意' }, 'PATCH');
  } else {
    const { starter, head } = pick(crowd.pairs);
    const started = {
      workflow_id: crowd.workflow,
      transition_id: 2,
      suggestion: '',
      ...place,
      description: '投影仪连不上电脑。',
    };
    const { id } = (await ask(`${url}/api/tickets/`, starter, started)) as { id: number };
    waiting.push({ id, head });
    begun.push({ id, starter });
  }
}

/** People make calls independently of the answers of others, so that a slow node gets just as many. */
async function work(): Promise<Morning> {
  const kinds = Object.entries(mix).flatMap(([kind, share]) => Array.from({ length: share }, () => kind as Kind));
  const taken = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  const failed = new Map<Kind, number>();
  const strange = new Set<string>();
  const running = new Set<Promise<void>>();
  for (let serial = 0; serial < 40; serial++) await does('发起', crowd.urls[serial % 2]!);
  const [from, warm] = [performance.now(), 10_000];
  const until = from + warm + crowd.seconds * 1000;
  let due = from;
  for (let serial = 0; performance.now() < until; serial++) {
    const kind = pick(kinds);
    const started = performance.now();
    const one = does(kind, crowd.urls[serial % 2]!)
      .then(
        () => void (started > from + warm && taken.get(kind)!.push(performance.now() - started)),
        (error: Error) => {
          failed.set(kind, (failed.get(kind) ?? 0) + 1);
          if (strange.size < 8) strange.add(`${kind}：${error.message}`);
        },
      )
      .finally(() => void running.delete(one));
    running.add(one);
    due += (-Math.log(1 - chance.draw()) * 1000) / crowd.perSecond;
    await pause(Math.max(0, due - performance.now()));
  }
  await Promise.all(running);
  const calls = Object.fromEntries(
    [...taken].map(([kind, all]) => {
      const sorted = all.toSorted((a, b) => a - b);
      return [kind, { count: all.length, failed: failed.get(kind) ?? 0, p50: at(sorted, 0.5), p95: at(sorted, 0.95) }];
    }),
  ) as Morning['calls'];
  return { calls, strange: [...strange] };
}

async function watch(seconds: number): Promise<Back> {
  cameBack = [];
  askedAnew = 0;
  const from = performance.now();
  await pause(seconds * 1000);
  const inTen = Array.from({ length: seconds / 10 }, () => 0);
  for (const moment of cameBack) inTen[Math.floor((moment - from) / 10_000)]! += 1;
  return { inTen, asked: askedAnew };
}

process.once('disconnect', () => process.exit());
process.on('message', (asked: Asked) => {
  void (async () => {
    if (asked.do === 'open') {
      crowd = asked.crowd;
      await open();
      process.send!({});
    } else if (asked.do === 'work') process.send!(await work());
    else if (asked.do === 'watch') process.send!(await watch(asked.seconds));
    else {
      for (const live of lives) live.close();
      process.exit(0);
    }
  })();
});
