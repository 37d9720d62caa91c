import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cloneTemplate } from '#apps/server/testing.ts';
import { openDatabases, type Databases } from '#kernel/server/db.ts';
import { post } from './service.ts';
import { deliveryTable, deliveryTryTable } from './tables.ts';

const [parcels, kills] = process.env['NIGHTLY'] ? [10_000, 200] : [60, 5];
const patience = { timeout: process.env['NIGHTLY'] ? 3_000_000 : 60_000, interval: 20 };

let base: Awaited<ReturnType<typeof cloneTemplate>>;
let databases: Databases;
let provider: Server;
const workers = new Set<ChildProcess>();
/** Parcel → the keys it came with, one for each time it came. */
const came = new Map<number, string[]>();
let requests = 0;
/** Parcels whose answer had left before they came again: what lay with us, not on the way. */
const answered = new Set<number>();
let ours = 0;

beforeAll(async () => {
  base = await cloneTemplate();
  databases = openDatabases({ url: base.url, onError: () => undefined });
  provider = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { parcel } = JSON.parse(body) as { parcel: number };
    came.set(parcel, [...(came.get(parcel) ?? []), String(request.headers['webhook-id'])]);
    requests++;
    if (answered.has(parcel)) ours++;
    setTimeout(() => response.end(() => !request.socket.destroyed && answered.add(parcel)), 40);
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  provider.closeAllConnections();
  provider.close();
  await databases.close();
  await base.drop();
});

async function startWorker(): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('testing/worker.ts', import.meta.url));
  const worker = spawn(process.execPath, [file, base.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  workers.add(worker);
  await once(worker.stdout!, 'data');
  return worker;
}

test(
  `${parcels} deliveries while their worker is killed ${kills} times: none is lost, every repeat has its first key`,
  { timeout: patience.timeout + 60_000 },
  async () => {
    const target = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
    await Promise.all(Array.from({ length: Math.min(kills + 1, 6) }, startWorker));
    const numbers = Array.from({ length: parcels }, (_, number) => number);
    await databases.write((tx) =>
      post(
        tx,
        numbers.map((parcel) => ({
          channel: 'hook' as const,
          target,
          title: `包裹 ${parcel}`,
          body: { payload: { parcel } },
          key: `parcel-${parcel}`,
        })),
      ),
    );
    for (let killed = 0; killed < kills; killed++) {
      const enough = Math.floor((parcels / (kills + 1)) * (killed + 1));
      await vi.waitFor(() => expect(requests).toBeGreaterThanOrEqual(enough), patience);
      const [worker] = workers;
      worker!.kill('SIGKILL');
      workers.delete(worker!);
      if (kills - killed > workers.size) await startWorker();
    }
    const left = async () => {
      const rows = await databases.fresh.select({ state: deliveryTable.state }).from(deliveryTable);
      return rows.filter((row) => row.state !== 'sent').length;
    };
    await vi.waitFor(async () => expect(await left()).toBe(0), { ...patience, interval: 200 });

    expect(came.size).toBe(parcels);
    for (const [parcel, keys] of came) expect(new Set(keys), String(parcel)).toEqual(new Set([`parcel-${parcel}`]));
    const repeats = requests - parcels;
    const tries = await databases.fresh.select().from(deliveryTryTable);
    const cut = tries.filter((row) => row.ended === null);
    // A try without an end stands for each repeat: the log knows what may have come twice.
    expect(tries.length).toBe(parcels + cut.length);
    expect(repeats).toBeLessThanOrEqual(cut.length);
    process.stdout.write(`${JSON.stringify({ parcels, kills, repeats, ours, cut: cut.length })}\n`);
  },
);
