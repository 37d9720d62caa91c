// Run on a separate machine: the drill's people work until its input ends; prints what they met. `node people.ts <address> <password> <workflow>
// <first>`
import { once } from 'node:events';
import { work } from '../people.ts';

const [url, password, workflow, first] = process.argv.slice(2) as [string, string, string, string];
const people = await work(url, { writers: 2, first: Number(first), readers: 2, password, workflow: Number(workflow) });
people.count(true);
console.log('begun');
process.stdin.resume();
await once(process.stdin, 'end');
people.count(false);
await people.stop();
const { acknowledged, ...met } = people.met;
const moments = acknowledged.map(({ at }) => at).toSorted((a, b) => a - b);
const stood = Math.round(Math.max(0, ...moments.slice(1).map((at, index) => at - moments[index]!)));
console.log(JSON.stringify({ ...met, stood, titles: acknowledged.map(({ title }) => title) }));
