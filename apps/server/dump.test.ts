import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { builtServer } from '../../scripts/run-build.mjs';
import { startNode } from './testing/node.ts';
import { quietPort } from './testing/port.ts';
import { findPostgres, startPostgres } from './testing/postgres.ts';

const root = join(import.meta.dirname, '..', '..');
const password = 'Gongdan@2026';
const bin = findPostgres();

/** The commands of a section of the handbook for an external database, unchanged except for the folder. */
function commands(title: string, wanted: RegExp, backup: string): string {
  const handbook = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  const section = handbook.split(/^## /m).find((part) => part.startsWith(`${title}\n`))!;
  const block = [...section.matchAll(/```sh\n([^`]*)```/g)].map(([, text]) => text!).find((text) => wanted.test(text))!;
  const lines = block.split('\n').filter((line) => !line.startsWith('pg_basebackup'));
  return lines
    .join('\n')
    .replaceAll('/backup', backup)
    .replace('npm run verify', `${process.execPath} ${builtServer(root, 'verify')}`);
}

async function signIn(url: string) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'admin', password });
  const reply = await fetch(`${url}/api/accounts/login/`, { method: 'POST', headers, body });
  const { data } = (await reply.json()) as { data: { jwt: string } };
  return { authorization: `JWT ${data.jwt}` };
}
async function send(url: string, text: string): Promise<number> {
  const form = new FormData();
  form.append('module', 'tickets');
  form.append('file', new Blob([text]), '附件.txt');
  const reply = await fetch(`${url}/api/file/upload/`, { method: 'POST', headers: await signIn(url), body: form });
  return ((await reply.json()) as { data: { id: number } }).data.id;
}
const read = async (url: string, id: number) =>
  (await fetch(`${url}/api/file/${id}/`, { headers: await signIn(url) })).text();

/** The number of rows of each table; without the history marks, because accepting an older copy adds one. */
async function counted(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; rows: string }>(
    `select relname as name, (xpath('//n/text()', query_to_xml(format('select count(*) as n from %I', relname), false, true, '')))[1]::text
      as rows from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'database_history'`,
  );
  await client.end();
  return Object.fromEntries(rows.map((row) => [row.name, Number(row.rows)]));
}

test.skipIf(bin === null)(
  `an external database is dumped during work and restored by the handbook’s commands, over an empty or a used one, by its owner${bin === null ? '（本机没有带 initdb、pg_dump 的 PostgreSQL，此项未演练）' : ''}`,
  { timeout: 900_000 },
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'gongdan-dump-'));
    const server = await startPostgres(bin!);
    onTestFinished(async () => {
      await server.stop();
      rmSync(place, { recursive: true, force: true });
    });
    const [backup, first, second] = ['backup', 'first', 'second'].map((name) => join(place, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [backup, first, second]) mkdirSync(folder);
    const shell = async (text: string, env: NodeJS.ProcessEnv) =>
      (
        await promisify(execFile)('sh', ['-euc', text], {
          cwd: root,
          env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, ...env },
        })
      ).stdout;
    const administrator = { PGHOST: '127.0.0.1', PGPORT: String(server.port), POSTGRES_USER: 'postgres' };
    await shell('sh deploy/postgres/role.sh', { ...administrator, GONGDAN_PASSWORD: 'owner' });
    const at = (name: string) => `postgres://gongdan:owner@127.0.0.1:${server.port}/${name}`;
    const settings = (database: string, DATA_DIR: string) => ({
      DATABASE_URL: at(database),
      DATA_DIR,
      ADMIN_PASSWORD: password,
    });

    const one = await startNode(await quietPort(), { ...settings('gongdan', first), DEMO: '1' });
    const kept = await send(one.url, '备份之前');
    await shell(commands('备份', /^pg_dump/m, backup), settings('gongdan', first));
    const later = await send(one.url, '备份之后');
    expect(await one.stop('SIGTERM')).toBe(0);

    await shell('psql -U "$POSTGRES_USER" -d postgres -c "create database elsewhere owner gongdan"', administrator);
    for (const [database, folder] of [
      ['elsewhere', second],
      ['gongdan', first],
    ] as const) {
      const told = await shell(commands('恢复', /^pg_restore/m, backup), settings(database, folder));
      expect(told, database).toMatch(/完好。链首 \d+:[0-9a-f]{64}\n$/);
    }
    const [restored, fresh] = [await counted(at('gongdan')), await counted(at('elsewhere'))];
    expect(fresh).toEqual(restored);
    // The files that the typesetter made of the demo's documents meanwhile are there, too.
    expect(fresh['file']).toBeGreaterThan(0);
    expect(fresh['ticket']).toBeGreaterThan(5);
    const again = await startNode(await quietPort(), settings('elsewhere', second));
    expect([await read(again.url, kept), (await read(again.url, later)).includes('备份之后')]).toEqual([
      '备份之前',
      false,
    ]);
    await send(again.url, '恢复之后');
    expect(await again.stop('SIGTERM')).toBe(0);
  },
);
