// Run as a separate process: sends one notice after the other until its input ends; prints the milliseconds of each.
import { once } from 'node:events';
import { answered } from '../calls.ts';

export interface Writing {
  url: string;
  token: string;
  users: number[];
}

const { url, token, users } = JSON.parse(process.argv[2]!) as Writing;
const taken: number[] = [];
let over = false;
process.stdin.resume();
void once(process.stdin, 'end').then(() => void (over = true));
for (let count = 0; !over || count === 0; count++) {
  const started = performance.now();
  await answered(`${url}/api/msg/`, token, 'POST', {
    title: `第 ${count} 次通知`,
    content: '请知悉',
    recipients: { users },
  });
  taken.push(performance.now() - started);
}
console.log(JSON.stringify(taken));
