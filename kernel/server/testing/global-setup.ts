import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../postgres/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A running PostgreSQL as the role `gongdan`, which may create databases; `inject('databaseUrl')`. */
    databaseUrl: string;
    /** The same database as the superuser. */
    databaseAdminUrl: string;
    /** A folder of this run, removed at its end. */
    testFolder: string;
  }
}

/** One PostgreSQL for all test files of a run, with durability off: nothing in it outlives the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-test-'));
  const server = await startEmbedded({
    dataDir,
    log: (line) => console.error(line),
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      shared_buffers: '64MB',
      // Thousands of connections each prove a password that nobody tries to guess.
      scram_iterations: '1',
    },
  });
  const client = new pg.Client({ connectionString: server.adminUrl });
  await client.connect();
  await client.query('alter role gongdan createdb');
  await client.end();
  project.provide('testFolder', dataDir);
  project.provide('databaseUrl', server.url);
  project.provide('databaseAdminUrl', server.adminUrl);
  return async () => {
    await server.stop();
    const home = realpathSync(join(dataDir, 'postgres'));
    rmSync(home, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  };
}
