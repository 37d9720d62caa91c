import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const folders = '{kernel,modules,apps,scripts,bench}';
/** They weigh the memory of their process, which must not hold what other files left. */
const weighed = ['apps/server/heavy.test.ts'];
// Limits are for what hangs; a machine that others share is several times slower than a quiet one.
// Two nodes behind a proxy, one of them a process of its own, take longer to start and to answer.
const patience = process.env['NODES'] === '2' ? 4 : 1;

const server = {
  environment: 'node',
  globalSetup: ['apps/server/testing/build.ts', 'kernel/server/testing/global-setup.ts'],
  setupFiles: 'kernel/server/testing/to-refuse.ts',
  testTimeout: 180_000 * patience,
  hookTimeout: 180_000 * patience,
  // The product is read once a worker, not once a file: what it keeps, it keeps by database.
  isolate: false,
  // Rows and answers die young: with more room for them the collector comes less often.
  execArgv: ['--import', './kernel/server/process/resolve-once.ts', '--max-semi-space-size=64'],
};

export default defineConfig({
  test: {
    pool: 'forks',
    expect: { poll: { timeout: 60_000 } },
    // The list at the end of a run names the line of a test.
    includeTaskLocation: true,
    // One more than the cores of the machine the run is meant for: while tests wait for their database, others work.
    maxWorkers: 3,
    // What tests start as processes of their own is compiled once, for the browser tests that follow as well.
    env: {
      TZ: 'Asia/Shanghai',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(import.meta.dirname, '.cache', 'compiled'),
    },
    projects: [
      { extends: true, test: { ...server, name: 'server', include: [`${folders}/**/*.test.ts`], exclude: weighed } },
      { extends: true, test: { ...server, name: 'weighed', include: weighed, isolate: true } },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          include: [`${folders}/**/*.test.tsx`],
          setupFiles: 'kernel/web/testing/settled.ts',
          testTimeout: 180_000,
          // The components are read once a worker as well; each test begins on an empty page (kernel/web/testing/page.ts).
          isolate: false,
        },
      },
    ],
  },
});
