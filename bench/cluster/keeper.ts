import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from './servers.ts';

/** Keeps one of the servers primary, as Patroni does: by a lease, and by fencing the one that lost it. */
export interface Keeper {
  leader(): Server;
  /** Performs a controlled switch to another server. */
  switchOver(): Promise<void>;
  /** Makes a server that lost its lease primary again, with its data; the others are rebuilt from it. */
  takeBack(old: Server): Promise<void>;
  /** Stops promoting servers. */
  close(): Promise<void>;
}

const everyMs = 500;
const patienceMs = 1500;

/** Starts all servers, the first as the primary. */
export async function keep(servers: readonly Server[], leaseMs: number): Promise<Keeper> {
  let leader = servers[0]!;
  let renewed = performance.now();
  let closed = false;
  /** Nobody is promoted while all servers are rebuilt. */
  let resting = false;
  /** Servers that lost their lease: they are outside the cluster until they are rebuilt. */
  const left = new Set<Server>();
  await leader.start();
  const others = () => servers.filter((one) => one !== leader && !left.has(one));
  await Promise.all(others().map((one) => one.start(leader)));
  for (const one of others()) await arrived(leader, one);

  const answers = (one: Server) =>
    Promise.race([
      one.ask('select 1').then(
        () => true,
        () => false,
      ),
      pause(patienceMs, false, { ref: false }),
    ]);

  /** Promotes the remaining server that received most, because it has everything that was acknowledged. */
  async function failOver(): Promise<void> {
    left.add(leader);
    const heard = await Promise.all(
      others().map(async (one) => {
        const [row] = await one.ask(`select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::text as at`);
        return { one, at: BigInt(String(row!['at'])) };
      }),
    );
    await promote(heard.reduce((best, next) => (next.at > best.at ? next : best)).one);
  }
  async function promote(next: Server): Promise<void> {
    await next.ask('select pg_promote()');
    leader = next;
    renewed = performance.now();
    await Promise.all(
      others()
        .filter((one) => one.running())
        .map((one) => one.follow(next)),
    );
  }

  let busy: Promise<void> = Promise.resolve();
  async function look(): Promise<void> {
    if (!leader.running() && !left.has(leader)) await leader.start().catch(() => undefined);
    if (await answers(leader)) renewed = performance.now();
    else if (performance.now() - renewed > leaseMs) await failOver();
  }
  const looking = (async () => {
    while (!closed) {
      busy = resting ? Promise.resolve() : look().catch((error: unknown) => console.error(error));
      await busy;
      await pause(everyMs);
    }
  })();

  return {
    leader: () => leader,
    async switchOver() {
      await busy;
      const old = leader;
      const next = others()[0]!;
      left.add(old);
      await old.stop();
      await promote(next);
      left.delete(old);
      await old.start(next);
    },
    async takeBack(old) {
      resting = true;
      await busy;
      for (const one of servers) await one.stop();
      const rest = servers.filter((one) => one !== old);
      for (const one of rest) one.copy(old);
      leader = old;
      left.clear();
      await old.start();
      await Promise.all(rest.map((one) => one.start(old)));
      for (const one of rest) await arrived(old, one);
      renewed = performance.now();
      resting = false;
    },
    async close() {
      closed = true;
      await looking;
    },
  };
}

/** Waits until a standby streams, so that writes need not wait for it. */
async function arrived(leader: Server, standby: Server): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const rows = await leader.ask(
      `select from pg_stat_replication where application_name = '${standby.name}' and state = 'streaming'`,
    );
    if (rows.length > 0) return;
    await pause(100);
  }
  throw new Error(`${standby.name} 没有跟上 ${leader.name}`);
}
