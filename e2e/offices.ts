import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { startNode } from '../apps/server/testing/node.ts';
import { dataDir, portOf } from '../playwright.config.ts';
import { password } from './office.ts';

/** The real product as a newcomer starts it, with the demo organisation: for each worker one, all at once. Answers what ends them. */
export default async function start({ workers }: FullConfig): Promise<() => Promise<void>> {
  const folders = Array.from({ length: workers }, (_, index) => join(dataDir, String(index)));
  const settings = { ADMIN_PASSWORD: password, DEMO: '1', LOG_LEVEL: 'warn', OUTGOING_ALLOW: '127.0.0.0/8' };
  const offices = await Promise.all(
    folders.map((folder, index) => startNode(portOf(index), { ...settings, DATA_DIR: folder })),
  );
  return async () => {
    await Promise.all(offices.map((office) => office.stop('SIGTERM')));
    // Under root the database lies where its own account gets to.
    for (const folder of folders) rmSync(realpathSync(join(folder, 'postgres')), { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  };
}
