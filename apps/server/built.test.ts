import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dayOf } from '#kernel/contract/moment.ts';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { demoPassword } from './demo-accounts.ts';
import { dropDatabase } from './testing/drop-database.ts';
import { startNode, type Node } from './testing/node.ts';
import { quietPort } from './testing/port.ts';

// The server as `npm run build` makes it, in a separate folder at the same depth as the product's.
const root = join(import.meta.dirname, '../..');
const folder = join(root, '.cache', `built-${randomUUID()}`);
const place = mkdtempSync(join(tmpdir(), 'gongdan-built-'));
const name = `built_${randomUUID().replaceAll('-', '')}`;
const database = new pg.Pool({
  connectionString: Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href,
  max: 1,
});
const noted = join(place, 'read');
let node: Node;

/** Runs before the server and its child processes, and at their end records which of our files and which packages they have loaded. */
const noting = `
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  import { isMainThread } from 'node:worker_threads';
  const files = new Set();
  registerHooks({
    load(url, context, next) {
      files.add(/.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? url.replace(/.*\\//, ''));
      return next(url, context);
    },
  });
  if (isMainThread) process.on('exit', () => writeFileSync(process.env.READ_TO, [...files].join('\\n')));`;
const read = () => readFileSync(noted, 'utf8').split('\n');

beforeAll(async () => {
  const admin = new pg.Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const build = ['build', '--config', 'vite.server.config.ts', '--outDir', folder, '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, [vite, ...build], { cwd: root });
  const settings = {
    DATABASE_URL: database.options.connectionString,
    DATA_DIR: place,
    DEMO: '1',
    READ_TO: noted,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noting)}`,
  };
  node = await startNode(await quietPort(), settings, join(folder, 'main.js'));
  // As long as `startNode` itself waits: the demonstration takes a minute on a shared machine.
}, 480_000);
afterAll(async () => {
  await node?.stop('SIGKILL');
  await database.end();
  await dropDatabase(inject('databaseUrl'), name);
  for (const made of [folder, place]) rmSync(made, { recursive: true, force: true });
});

async function call(method: string, path: string, jwt?: string, body?: object): Promise<Response> {
  return fetch(node.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(jwt ? { authorization: `JWT ${jwt}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}
interface Envelope {
  code: number;
  data: { jwt: string; value: unknown[] };
}

test('threads and programs that the built server begins are built beside it', () => {
  const files = globSync('*.js', { cwd: folder });
  const begun = files.flatMap((file) =>
    Array.from(
      readFileSync(join(folder, file), 'utf8').matchAll(/new URL\("([^"]+)", import\.meta\.url\)[,;)]/g),
      ([, path]) => path!,
    ),
  );
  expect(begun.length).toBeGreaterThan(5);
  expect(begun.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  expect(begun.map((path) => basename(path))).toContain('apps.server.seed-program.js');
});

test('the demonstration is created by a separate process that ends, and the built server runs its work in threads', async () => {
  // The process that fills the database has ended and recorded what it loaded.
  expect(read().some((file) => file.startsWith('demo-organisation'))).toBe(true);

  const signedIn = await call('POST', '/api/accounts/login/', undefined, {
    username: 'shi.yufei',
    password: demoPassword,
  });
  const { data } = (await signedIn.json()) as Envelope;
  const list = (await (await call('GET', '/api/tickets/?category=all', data.jwt)).json()) as Envelope;
  expect(list.data.value.length).toBeGreaterThan(0);
  const today = dayOf(new Date());
  const paper = await call('GET', `/api/leader/week/pdf/?date=${today}`, data.jwt);
  expect(paper.headers.get('content-type')).toBe('application/pdf');
  expect(Buffer.from(await paper.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-');
  // The monitoring thread has reported.
  await eventually(async () => expect((await database.query('select from monitor_node')).rowCount).not.toBe(0));

  expect(await node.stop('SIGTERM')).toBe(0);
  const own = read();
  expect(own).toContain('fastify');
  expect(own.filter((file) => file.startsWith('demo-organisation') || file.endsWith('.ts'))).toEqual([]);
});
