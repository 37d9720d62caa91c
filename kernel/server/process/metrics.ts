import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Mounted } from '../http/implement.ts';

export interface Metrics {
  called(mounted: Mounted, code: number, milliseconds: number): void;
  /** Counts that the database ended a transaction in favour of another, with this SQLSTATE, and that it is run again. */
  triedAgain(sqlState: string): void;
  /** A figure that is read at each request; not a number if it fails or takes longer than a second. */
  figure(name: string, help: string, read: () => number | Promise<number>): void;
  text(): Promise<string>;
  contentType: string;
}

/** `replicaUp` tells whether the replica is being read; null if there is none. */
export function createMetrics(replicaUp: () => boolean | null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'gongdan_call_seconds',
    help: 'Time of a call from its arrival to its answer',
    labelNames: ['module', 'call', 'code'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const again = new Counter({
    name: 'gongdan_tried_again_total',
    help: 'Transactions of calls that were run again, by the SQLSTATE for which the database had ended them (40P01: a ring of locks)',
    labelNames: ['state'],
    registers: [registry],
  });
  const figure: Metrics['figure'] = (name, help, read) =>
    void new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await inTime(read));
      },
    });
  figure(
    'gongdan_replica_up',
    '0 while lists are read from the primary because the replica does not answer, else 1',
    () => (replicaUp() === false ? 0 : 1),
  );
  return {
    figure,
    called: (mounted, code, milliseconds) =>
      seconds.observe({ module: mounted.module, call: mounted.name, code }, milliseconds / 1000),
    triedAgain: (state) => again.inc({ state }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

const patienceMs = 1000;

async function inTime(read: () => number | Promise<number>): Promise<number> {
  const late = sleep(patienceMs, Number.NaN, { ref: false });
  try {
    return await Promise.race([read(), late]);
  } catch {
    return Number.NaN;
  }
}
