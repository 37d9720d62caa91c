// Run as a separate process: `node bench/windows.ts '{"url": …}'` opens sockets for people and prints how long a notice's notification takes to reach
// each window.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface Windows {
  url: string;
  sender: string;
  people: { id: number; token: string }[];
  perPerson: number;
  rounds: number;
}
export interface Opened {
  sockets: number;
  /** Sockets per second. */
  opening: number;
  /** Notifications that did not arrive. */
  missed: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  most: number;
}

const { url, sender, people, perPerson, rounds } = JSON.parse(process.argv[2] ?? '{}') as Windows;
const atOnce = 20;
const patienceMs = 10_000;

const ask = async (token: string, path: string, body?: object) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `JWT ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const envelope = (await response.json()) as { code: number; msg: string; data: { ticket: string } };
  if (envelope.code !== 0) throw new Error(`${path}: ${envelope.msg}`);
  return envelope.data;
};

const sockets: WebSocket[] = [];
const taken: number[] = [];
let since = 0;
async function open(token: string): Promise<void> {
  const { ticket } = await ask(token, '/api/msg/ticket/');
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/msg/socket/?ticket=${ticket}`, { origin: url });
  await new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve());
    socket.once('error', reject);
  });
  socket.on('message', () => taken.push(performance.now() - since));
  sockets.push(socket);
}

const waiting = people.flatMap(({ token }) => Array.from({ length: perPerson }, () => token));
const began = performance.now();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) await open(token);
  }),
);
const opening = (sockets.length / (performance.now() - began)) * 1000;

const users = people.map(({ id }) => id);
for (let round = 1; round <= rounds; round++) {
  since = performance.now();
  await ask(sender, '/api/msg/', { title: `第 ${round} 次通知`, content: '请知悉', recipients: { users } });
  while (taken.length < round * sockets.length && performance.now() - since < patienceMs) await sleep(5);
}
taken.sort((a, b) => a - b);
const at = (share: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0;
for (const socket of sockets) socket.terminate();
const missed = rounds * sockets.length - taken.length;
console.log(
  JSON.stringify({
    sockets: sockets.length,
    opening,
    missed,
    p50: at(0.5),
    p99: at(0.99),
    most: at(1),
  } satisfies Opened),
);
