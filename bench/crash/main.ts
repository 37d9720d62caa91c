// Kills the running product repeatedly in the middle of writes and checks the result: nothing acknowledged may be lost, nothing may stay half done,
// and a request repeated under its key may count only once. `--seconds 180`, `--seed 7`; `--quick` keeps no figures.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startNode, type Node } from '#apps/server/testing/node.ts';
import { quietPort } from '#apps/server/testing/port.ts';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { findEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { openReceiver, type Receiver } from '#modules/platform/deliveries/testing/receiver.ts';
import { report } from '../report.ts';
import { keyOf, NoAnswer, signIn } from './asking.ts';
import { bringPapers } from './contracts.ts';
import { figures, victims, type Victim } from './figures.ts';
import { findGround, tellOutside, withDatabase } from './ground.ts';
import { newLife, type Life } from './lives.ts';
import { bringSealPapers } from './seals.ts';
import { live, type Counts } from './living.ts';
import { compare, compareDeliveries, examine } from './troubles.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    quick: { type: 'boolean', default: false },
  },
});
const seed = Number(given.seed);
const chance = chanceOf(seed);
const inTurn = Object.keys(victims) as Victim[];
const writers = 6;
/** The number of tickets whose log is replayed after each crash; at the end all of them are. */
const someFolded = 150;
const password = 'Gongdan@2026';
const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-crash-'));

async function run(): Promise<number> {
  const receiver = await openReceiver();
  const port = await quietPort();
  const start = () =>
    startNode(port, { DATA_DIR: dataDir, ADMIN_PASSWORD: password, OUTGOING_ALLOW: '127.0.0.1', LOG_LEVEL: 'fatal' });
  let server = await start();
  try {
    const { ask, passOf } = await signIn(server.url, password);
    const papers = await bringPapers(passOf, server.url);
    const sealPapers = await bringSealPapers(passOf, server.url);
    const ground = { ...(await findGround(dataDir)), papers, sealPapers };
    await tellOutside(ask, ground, receiver.url);

    const all: Life[] = [];
    const counts: Counts = { acknowledged: 0, cut: 0, repeated: 0, committed: new Set() };
    const troubles: string[] = [];
    /** Lives that nobody is working on. */
    const waiting: Life[] = [];
    let stopped = false;
    const begin = () => {
      const life = newLife(ground, chance, keyOf(chance, seed));
      all.push(life);
      return life;
    };
    const write = async () => {
      while (!stopped) {
        const life = waiting.shift() ?? begin();
        try {
          await live(ask, life, counts, () => stopped);
          if (life.done < life.steps.length) waiting.push(life);
        } catch (error) {
          if (error instanceof NoAnswer) waiting.push(life);
          else troubles.push(String(error));
          await pause(50);
        }
      }
    };
    const look = async (folded: number) => {
      const found = await withDatabase(dataDir, async (databases) => {
        const { troubles: unlike, committed } = await compare(databases.fresh, all);
        for (const key of committed) counts.committed.add(key);
        return [...unlike, ...(await databases.snapshot((tx) => examine(tx, { since: ground.since, folded })))];
      });
      troubles.push(...found);
      return found;
    };

    const kills: Record<Victim, number> = { server: 0, database: 0, both: 0 };
    const readyAfter: number[] = [];
    const until = Date.now() + Number(given.seconds) * 1000;
    while (Date.now() < until) {
      stopped = false;
      const busy = Array.from({ length: writers }, write);
      await pause(chance.between(300, 5000));
      const victim = inTurn[readyAfter.length % inTurn.length]!;
      kills[victim]++;
      const database = findEmbedded(dataDir)?.pid ?? 0;
      if (victim !== 'server' && database > 0) process.kill(database, 'SIGKILL');
      if (victim !== 'database') await server.stop('SIGKILL');
      const killed = performance.now();
      stopped = true;
      await Promise.all(busy);
      if (victim === 'database') await untilReady(server, database);
      else server = await start();
      readyAfter.push(performance.now() - killed);
      const found = await look(someFolded);
      console.log(
        `杀掉${victims[victim]}：累计确认 ${counts.acknowledged} 次，没有答复 ${counts.cut} 次，问题 ${found.length} 个`,
      );
      for (const trouble of found.slice(0, 10)) console.error(`  ${trouble}`);
    }

    // Unanswered requests are repeated; lives that are merely unfinished stay as they are.
    for (const life of waiting.filter((one) => one.asked)) {
      const from = life.done;
      await live(ask, life, counts, () => life.done > from).catch((error: unknown) => troubles.push(String(error)));
    }
    const sent = () => withDatabase(dataDir, ({ fresh }) => compareDeliveries(fresh, ground.since, keysOf(receiver)));
    const patience = Date.now() + 120_000;
    while ((await sent()).left > 0 && Date.now() < patience) await pause(1000);
    const { left, keys, troubles: strange } = await sent();
    troubles.push(...strange, ...(left > 0 ? [`还有 ${left} 次投递没有发出`] : []));
    await look(all.length);
    const table = figures({
      seed,
      writers,
      kills,
      all,
      counts,
      troubles,
      readyAfter,
      keys,
      came: receiver.letters.length,
    });
    await report([table], given.quick || troubles.length > 0);
    for (const trouble of troubles.slice(0, 20)) console.error(trouble);
    return troubles.length === 0 ? 0 : 1;
  } finally {
    await server.stop('SIGTERM');
    receiver.close();
  }
}

/** The number of times each key arrived. */
function keysOf({ letters }: Receiver): Map<string, number> {
  const times = new Map<string, number>();
  for (const { headers } of letters) {
    const key = String(headers['webhook-id']);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return times;
}

/** Waits until a server whose database was killed has a new one and is ready again. */
async function untilReady({ url }: Node, killed: number): Promise<void> {
  const giveUp = Date.now() + 60_000;
  for (;;) {
    const { pid = killed } = findEmbedded(dataDir) ?? {};
    const ready =
      pid !== killed &&
      (await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ));
    if (ready) return;
    if (Date.now() > giveUp) throw new Error('数据库被杀掉后，服务在 60 秒内没有就绪');
    await pause(50);
  }
}

run()
  .finally(() => rmSync(dataDir, { recursive: true, force: true }))
  .then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
