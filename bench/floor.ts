// Run as a separate process: `node bench/floor.ts '{"url": …}'` repeats a set of prepared statements on some connections and prints the rate per
// second: the limit of the database alone.
import pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}
export interface Floor {
  url: string;
  clients: number;
  seconds: number;
  /** In one transaction. */
  writes?: boolean;
  set: Statement[];
}
export interface Floored {
  perSecond: number;
  p50: number;
  p95: number;
}

const { url, clients, seconds, writes, set } = JSON.parse(process.argv[2] ?? '{}') as Floor;
const times: number[] = [];
const end = performance.now() + seconds * 1000;
await Promise.all(
  Array.from({ length: clients }, async () => {
    const client = new pg.Client({ connectionString: url, options: '-c timezone=Asia/Shanghai' });
    await client.connect();
    while (performance.now() < end) {
      const started = performance.now();
      if (writes) await client.query('begin');
      for (const [index, { text, values }] of set.entries()) await client.query({ name: `s${index}`, text, values });
      if (writes) await client.query('commit');
      times.push(performance.now() - started);
    }
    await client.end();
  }),
);
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
console.log(JSON.stringify({ perSecond: times.length / seconds, p50: at(0.5), p95: at(0.95) } satisfies Floored));
