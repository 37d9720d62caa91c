import { momentText } from '#kernel/contract/moment.ts';
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { embeddedMajor } from '#kernel/server/postgres/embedded-binaries.ts';
import { findEmbedded, startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { StartupError } from '#kernel/server/process/config.ts';
import { builtServer } from '../../scripts/run-build.mjs';
import { explained, seal } from './backup-folder.ts';
import { demoPassword, startDemo } from './testing/demonstration.ts';
import type { Node } from './testing/node.ts';
import { quietPort } from './testing/port.ts';

// The drill of an administrator: the real commands, on a product with its own database, while people work.
const root = join(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'gongdan-drill-'));
const [dataDir, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(place, name)) as [
  string,
  string,
  string,
];
const form = { category: 'network', place: '一号楼', urgency: 'urgent', description: '漏水', amount: 300 };
let node: Node;

beforeAll(async () => {
  node = await startDemo(await quietPort(), dataDir);
}, 450_000);
afterAll(async () => {
  await node.stop('SIGTERM');
  for (const folder of [dataDir, restored]) {
    const home = join(folder, 'postgres');
    try {
      rmSync(realpathSync(home), { recursive: true, force: true });
    } catch {
      // The database was never created.
    }
  }
  rmSync(place, { recursive: true, force: true });
}, 180_000);

interface Ran {
  code: number;
  out: string;
}
async function command(name: string, folder: string | null, data: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const program = [builtServer(root, name), ...(folder ? [folder] : [])];
  const env = { ...process.env, DATA_DIR: data, ...more };
  return promisify(execFile)(process.execPath, program, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  );
}

async function signIn(username: string) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username, password: demoPassword });
  const reply = await fetch(`${node.url}/api/accounts/login/`, { method: 'POST', headers, body });
  const { data } = (await reply.json()) as { data: { jwt: string } };
  return async (method: string, path: string, asked?: object) => {
    const answer = await fetch(node.url + path, {
      method,
      headers: { ...headers, authorization: `JWT ${data.jwt}` },
      ...(asked ? { body: JSON.stringify(asked) } : {}),
    });
    return (await answer.json()) as { code: number; data: unknown };
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** Stores a file in the product's place. */
function store(text: string): string {
  const hash = sha256(text);
  const path = join(hash.slice(0, 2), hash);
  mkdirSync(join(dataDir, 'files', hash.slice(0, 2)), { recursive: true });
  writeFileSync(join(dataDir, 'files', path), text);
  return path;
}

async function rowsOf<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<R>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

/** A checksum of each row that the drill wrote, by table and key. */
async function checksums(url: string): Promise<Map<string, string>> {
  const rows = await rowsOf<{ key: string; sum: string }>(
    url,
    `select 'ticket ' || id as key, md5(t::text) as sum from ticket t where title like '演练 %'
    union all select 'log ' || l.id, md5(l::text) from ticket_log l join ticket t on t.id = ticket_id where title like '演练 %'
    union all select concat_ws(' ', 'task', k.ticket_id, k.no), md5(k::text) from ticket_task k join ticket t on t.id = ticket_id
      where title like '演练 %'
    union all select 'user ' || id, md5(u::text) from app_user u`,
  );
  return new Map(rows.map((row) => [row.key, row.sum]));
}

test(
  'a backup taken while people write contains everything reported as saved, and is restored completely',
  { timeout: 300_000 },
  async () => {
    const clerk = await signIn('qin.haoyu');
    const { data } = await clerk('GET', '/api/workflows/?per_page=100');
    const workflow = (data as { value: { id: number; key: string }[] }).value.find(
      (flow) => flow.key === 'it_service',
    )!.id;
    const saved: { title: string; at: number }[] = [];
    const files = [store('第一份附件'), store('第二份附件'.repeat(500_000))];
    let over = false;
    const write = async () => {
      while (!over) {
        const title = `演练 ${randomUUID()}`;
        const body = { workflow_id: workflow, transition_id: 2, title, ...form };
        const answer = await clerk('POST', '/api/tickets/', body);
        expect(answer.code).toBe(0);
        saved.push({ title, at: Date.now() });
      }
    };
    const writers = Promise.all(Array.from({ length: 4 }, write));
    await eventually(() => expect(saved.length).toBeGreaterThan(20));
    const backedUp = await command('backup', backup, dataDir);
    const enough = saved.length + 5;
    await eventually(() => expect(saved.length).toBeGreaterThan(enough));
    over = true;
    await writers;
    expect(backedUp).toMatchObject({ code: 0, out: expect.stringContaining('已备份到') });

    const { until } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as { until: string };
    expect(await rowsOf(findEmbedded(dataDir)!.url, `select value from setting where key = 'backup'`)).toEqual([
      { value: { last: momentText(new Date(until)) } },
    ]);
    const before = saved.filter((one) => one.at < Date.parse(until));
    expect(before.length).toBeGreaterThan(20);
    const put = await command('restore', backup, restored);
    expect(put).toMatchObject({ code: 0, out: expect.stringContaining('恢复完成') });

    const database = await startEmbedded({ dataDir: restored, log: () => undefined });
    try {
      const there = await checksums(database.url);
      const original = await checksums(findEmbedded(dataDir)!.url);
      for (const [key, sum] of there) expect(original.get(key), key).toBe(sum);
      const [unsent] = await rowsOf<{ n: number }>(
        database.url,
        `select count(*)::int as n from delivery where state in ('waiting', 'retrying')`,
      );
      expect(unsent!.n).toBe(0);
      expect(await rowsOf(database.url, `select value from setting where key = 'quiet'`)).toEqual([
        { value: { since: momentText(new Date(until)) } },
      ]);
      const rows = await rowsOf<{ title: string }>(database.url, `select title from ticket where title like '演练 %'`);
      const titles = new Set(rows.map((row) => row.title));
      expect(before.filter((one) => !titles.has(one.title))).toEqual([]);
    } finally {
      await database.stop();
    }
    for (const file of files)
      expect(sha256(readFileSync(join(restored, 'files', file), 'utf8'))).toBe(file.split('/').at(-1));
    expect(await command('verify', null, restored)).toMatchObject({ code: 0, out: expect.stringContaining('完好') });
    expect(await command('restore', backup, restored)).toMatchObject({
      code: 1,
      out: expect.stringContaining('不是空的'),
    });
  },
);

test('a backup is verified without restoring it, and a modified one is refused', { timeout: 180_000 }, async () => {
  expect(await command('verify', backup, dataDir)).toMatchObject({
    code: 0,
    out: expect.stringContaining('备份完好'),
  });
  expect(await command('backup', backup, dataDir)).toMatchObject({
    code: 1,
    out: expect.stringContaining('不是空的'),
  });
  const empty = join(place, 'empty');
  const manifest = join(backup, 'manifest.json');
  const whole = readFileSync(manifest, 'utf8');
  const { schema } = JSON.parse(whole) as { schema: string[] };
  expect(schema).toContain('0001-tables.sql');
  for (const [text, said] of [
    [whole.slice(0, -200), '不完整'],
    [JSON.stringify({ ...(JSON.parse(whole) as object), schema: [...schema, '9999-later.sql'] }), '更新的程序'],
  ] as const) {
    writeFileSync(manifest, text);
    expect(await command('restore', backup, empty)).toMatchObject({ code: 1, out: expect.stringContaining(said) });
    expect(existsSync(empty)).toBe(false);
  }
  writeFileSync(manifest, whole);
  appendFileSync(join(backup, 'session-secret'), 'x');
  expect(await command('restore', backup, empty)).toMatchObject({
    code: 1,
    out: expect.stringContaining('文件 session-secret 的内容与清单不符'),
  });
});

test(
  'a record’s file missing from a backup does not prevent the restore, and is listed with its record',
  { timeout: 300_000 },
  async () => {
    const path = store('只有这一份');
    const [owner] = await rowsOf<{ id: number }>(
      findEmbedded(dataDir)!.url,
      `with content as (insert into file_content (sha256, size, is_stored) values ('${sha256('只有这一份')}', 15, true) returning sha256)
       insert into file (name, ext, mime, size, sha256, uploader_id, module, owner_module, owner_id)
       select '遗失的附件.txt', 'txt', 'text/plain', 15, sha256, 1, 'tickets', 'tickets', '4711' from content returning id`,
    );
    expect(owner!.id).toBeGreaterThan(0);
    const lacking = join(place, 'lacking');
    expect((await command('backup', lacking, dataDir)).code).toBe(0);
    rmSync(join(lacking, 'files', path));
    expect(await command('verify', lacking, dataDir)).toMatchObject({ code: 1, out: expect.stringContaining(path) });
    const target = join(place, 'restored-lacking');
    const put = await command('restore', lacking, target);
    expect(put).toMatchObject({ code: 0, out: expect.stringContaining('4711：遗失的附件.txt') });
    expect(put.out).toContain('恢复完成，但缺上面列出的文件');
  },
);

test('a full disk ends a backup, and a disk with too little space prevents it, each with a sentence that says what to do', async () => {
  // A device that is always full.
  const full = await writeFile('/dev/full', 'x').catch(explained);
  expect(full).toBeInstanceOf(StartupError);
  expect((full as Error).message).toMatch(/^磁盘已满，没有做完（.*）：请腾出空间，换一个空目录重新执行。$/);
  const vast = join(place, 'vast');
  mkdirSync(vast);
  writeFileSync(join(vast, 'session-secret'), 'x');
  mkdirSync(join(vast, 'postgres', 'cluster'), { recursive: true });
  writeFileSync(join(vast, 'postgres', 'cluster', 'PG_VERSION'), `${embeddedMajor()}\n`);
  await seal(vast, { product: 'x', schema: [], until: new Date().toISOString(), folders: [] });
  const manifest = JSON.parse(readFileSync(join(vast, 'manifest.json'), 'utf8')) as { files: { size: number }[] };
  manifest.files[0]!.size = 2 ** 52;
  writeFileSync(join(vast, 'manifest.json'), JSON.stringify(manifest));
  const target = join(place, 'restored-vast');
  const told = await command('restore', vast, target);
  expect(told.code).toBe(1);
  expect(told.out).toMatch(/所在的磁盘还剩 \d+ MB，需要 429496729\d MB，请腾出空间再执行。/);
  expect(existsSync(target)).toBe(false);
});

test('backup, verify and forget-secret create no database where there is none, and say where they looked', async () => {
  for (const name of ['backup', 'verify', 'forget-secret']) {
    const nowhere = join(place, `nowhere-${name}`);
    const told = await command(name, name === 'backup' ? join(place, 'none') : null, nowhere);
    expect(told).toEqual({
      code: 1,
      out: `数据目录 ${nowhere} 里没有数据库，请检查环境变量 DATA_DIR。\n`,
    });
    expect(existsSync(nowhere)).toBe(false);
  }
}, 300_000);

const bucket = {
  S3_ENDPOINT: 'https://s3.example.cn',
  S3_BUCKET: 'gongdan-files',
  S3_ACCESS_KEY: 'our-key',
  S3_SECRET_KEY: 'our-secret',
};

test('backing up an external database is refused with the names of its own tools and those for the files', async () => {
  const DATABASE_URL = 'postgres://gongdan:secret@db.example.cn/gongdan';
  for (const [more, copies] of [
    [{}, `cp -a ${join(dataDir, 'files')}`],
    [bucket, 's3 sync s3://gongdan-files'],
  ] as const) {
    const told = await command('backup', join(place, 'other'), dataDir, { DATABASE_URL, ...more });
    expect(told.code).toBe(1);
    expect(told.out).toContain('pg_dump --format=custom');
    // The product's own role may not copy a whole server.
    expect(told.out).not.toMatch(/pg_basebackup --dbname="\$DATABASE_URL"/);
    expect(told.out).toContain(copies);
    expect(told.out).not.toContain('secret');
  }
});

test('a backup whose files lie in a bucket says so and how to copy them', { timeout: 180_000 }, async () => {
  const told = await command('backup', join(place, 'bare'), dataDir, bucket);
  expect(told).toMatchObject({ code: 0, out: expect.stringContaining('桶 gongdan-files 里，不在这份备份里') });
  expect(told.out).toContain(`s3 sync s3://gongdan-files ${join(place, 'bare', 'bucket')}`);
  expect(told.out).not.toContain('our-secret');
});
