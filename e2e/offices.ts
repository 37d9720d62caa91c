import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { demoPassword, startDemo } from '../apps/server/testing/demonstration.ts';
import { startNode, type Node } from '../apps/server/testing/node.ts';
import { quietPort } from '../apps/server/testing/port.ts';
import { startProxy } from '../apps/server/testing/proxy.ts';
import { findEmbedded } from '../kernel/server/postgres/embedded-postgres.ts';
import { obtainNginx } from '../scripts/find-nginx.ts';
import { dataDir, portOf } from '../playwright.config.ts';

const settings = { LOG_LEVEL: 'warn', OUTGOING_ALLOW: '127.0.0.0/8' };

/** The product as a newcomer starts it. */
async function one(port: number, folder: string): Promise<Pick<Node, 'stop'>> {
  return startDemo(port, folder, settings);
}

/** Two nodes on one database and one folder of files, behind the proxy. */
async function two(port: number, folder: string, nginx: string): Promise<Pick<Node, 'stop'>> {
  const shared = {
    ...settings,
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
  const first = await startDemo(await quietPort(), folder, shared);
  const more = {
    ADMIN_PASSWORD: demoPassword,
    DEMO: '1',
    DATA_DIR: folder,
    DATABASE_URL: findEmbedded(folder)?.url,
  };
  const second = await startNode(await quietPort(), { ...shared, ...more });
  const proxy = await startProxy(nginx, [first.url, second.url], port);
  return {
    // The first node runs the database.
    async stop(signal) {
      await second.stop(signal);
      const code = await first.stop(signal);
      await proxy.stop();
      return code;
    },
  };
}

/** The real product with the demo organisation: one for each worker, all at once; each with two nodes if NODES=2. Returns a function that ends them. */
export default async function start({ workers }: FullConfig): Promise<() => Promise<void>> {
  const nginx = process.env['NODES'] === '2' ? obtainNginx() : undefined;
  if (process.env['NODES'] === '2' && !nginx) throw new Error('NODES=2: no nginx to stand before two nodes');
  const folders = Array.from({ length: workers }, (_, index) => join(dataDir, String(index)));
  const offices = await Promise.all(
    folders.map((folder, index) => (nginx ? two(portOf(index), folder, nginx) : one(portOf(index), folder))),
  );
  return async () => {
    await Promise.all(offices.map((office) => office.stop('SIGTERM')));
    // As root, the database is in a folder that its own account can reach.
    for (const folder of folders) rmSync(realpathSync(join(folder, 'postgres')), { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  };
}
