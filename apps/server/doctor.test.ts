import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { migrate, migrateDoes, migratedSaid } from '#kernel/server/db/migrate.ts';
import { readConfig } from '#kernel/server/process/config.ts';
import {
  checkConfig,
  checkDataDir,
  checkDatabase,
  checkDesktop,
  checkFonts,
  checkPing,
  checkNode,
  checkRoom,
} from './doctor-checks.ts';
import { clockOf, connectionsOf, standbysOf } from './doctor-cluster.ts';
import type { Finding } from './finding.ts';
import { openDiscovery } from '#modules/platform/wopi/testing/discovery.ts';
import { cloneTemplate } from './testing.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-doctor-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const textsOf = (findings: Finding[], level: Finding['level']) =>
  findings.filter((finding) => finding.level === level).map(({ text }) => text);

function doctor(env: Record<string, string>) {
  const program = join(import.meta.dirname, 'doctor.ts');
  return spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
  });
}

test('the doctor names a Node with a known vulnerability, passes a newer one, and fails an old line', () => {
  expect(textsOf(checkNode('24.21.0'), 'warn')[0]).toContain('CVE-2026-111497');
  expect(textsOf(checkNode('26.10.0'), 'warn')[0]).toContain('26.12.1 已修复');
  expect(checkNode('24.22.1')).toEqual([{ level: 'ok', text: 'Node 24.22.1' }]);
  expect(checkNode('20.20.2')[0]?.level).toBe('fail');
});

test('the doctor fails an unsafe database setting', async () => {
  const findings = await checkDatabase(readConfig({ DATABASE_URL: inject('databaseUrl') }));
  expect(textsOf(findings, 'fail')).toEqual([
    '数据库设置 fsync = off：断电可能丢失数据，应为 on',
    '数据库设置 full_page_writes = off：断电可能损坏数据，应为 on',
    '数据库设置 synchronous_commit = off：崩溃可能丢失刚提交的数据，应为 on',
  ]);
});

test('the doctor points out what a cluster lacks: a synchronous standby, an archive, connections, the time', async () => {
  const findings = await checkDatabase(readConfig({ DATABASE_URL: inject('databaseUrl') }));
  const good = textsOf(findings, 'ok').join();
  expect(good).toMatch(/数据库连接 \d+\/\d+（其中本系统/);
  expect(good).toContain('本机与数据库的时钟一致');
  const alone = { follows: false, standbys: 2, synchronous: false, archive: 'off', archive_failed: false, lag: null };
  expect(textsOf(standbysOf(alone), 'warn')).toEqual([
    expect.stringContaining('2 个备库都不是同步的'),
    expect.stringContaining('没有归档'),
  ]);
  expect(textsOf(standbysOf({ ...alone, synchronous: true, archive: 'on' }), 'ok')).toEqual([
    '2 个备库，提交等待同步的备库确认',
    '归档正常',
  ]);
  expect(standbysOf({ ...alone, standbys: 0 })).toEqual([]);
  expect(textsOf(standbysOf({ ...alone, archive: 'on', archive_failed: true }), 'fail')).toHaveLength(1);
  expect(standbysOf({ ...alone, follows: true, lag: 45 })[0]).toMatchObject({
    level: 'warn',
    text: expect.stringContaining('45 秒') as string,
  });
  expect(connectionsOf({ most: 97, used: 70, ours: 64 })[0]?.level).toBe('warn');
  expect([1000, -5000, 31_000].map((ahead) => clockOf(ahead)[0]?.level)).toEqual(['ok', 'warn', 'fail']);
});

test('the doctor looks for the extension that prevents overlapping bookings', async () => {
  const findings = await checkDatabase(readConfig({ DATABASE_URL: inject('databaseUrl') }));
  expect(textsOf(findings, 'ok')).toContain('数据库扩展 btree_gist 可用');
});

test('the doctor points out a time zone other than the product’s', async () => {
  const { url, drop } = await cloneTemplate();
  const zoneSaid = async (zone: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `alter database ${pg.escapeIdentifier(new URL(url).pathname.slice(1))} set timezone to '${zone}'`,
    );
    await client.end();
    const findings = await checkDatabase(readConfig({ DATABASE_URL: url }));
    return findings.find(({ text }) => text.includes('时区'));
  };
  const text = '数据库时区为 UTC，建议设为 Asia/Shanghai';
  expect(await zoneSaid('UTC')).toEqual({ level: 'warn', text });
  expect(await zoneSaid('Asia/Shanghai')).toEqual({ level: 'ok', text: '数据库时区 Asia/Shanghai' });
  await drop();
});

test('the doctor points out a database connection as superuser', async () => {
  const findings = await checkDatabase(readConfig({ DATABASE_URL: inject('databaseAdminUrl') }));
  expect(textsOf(findings, 'warn')).toContain('数据库账号是超级用户，建议改用只拥有本库的账号');
});

test('the doctor says whether the editor of documents answers, and whether files can be opened with it', async () => {
  const { url, drop } = await cloneTemplate();
  const editor = await openDiscovery();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const said = async (address: string, allow = '127.0.0.0/8') => {
    await client.query(
      `insert into setting (key, value) values ('interface', jsonb_build_object('wopi', jsonb_build_object('url', $1::text)))
       on conflict (key) do update set value = excluded.value`,
      [address],
    );
    const findings = await checkDatabase(readConfig({ DATABASE_URL: url, OUTGOING_ALLOW: allow }));
    return findings.find(({ text }) => text.includes('在线编辑'))!;
  };
  expect(await said(editor.url)).toEqual({ level: 'ok', text: `在线编辑服务 ${editor.url} 有应答，能打开 5 种文件` });
  const byName = editor.url.replace('127.0.0.1', 'localhost');
  expect(await said(byName, '127.0.0.0/8,::1/128')).toMatchObject({
    level: 'warn',
    text: expect.stringContaining('请检查它的对外地址'),
  });
  expect(await said(editor.url, '10.9.9.9')).toMatchObject({
    level: 'warn',
    text: expect.stringContaining('OUTGOING'),
  });
  editor.told.down = true;
  expect(await said(editor.url)).toMatchObject({ level: 'warn', text: expect.stringContaining('的应答是 503') });
  await editor.close();
  expect(await said(editor.url)).toMatchObject({
    level: 'warn',
    text: expect.stringContaining('没有应答，文件只能下载后编辑'),
  });
  await client.end();
  await drop();
});

test('handbook, doctor, migration and start describe the migrate command alike', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(readme).toMatch(new RegExp(`\\| \`npm run migrate\` +\\| ${migrateDoes} +\\|`));
  const { url, drop } = await cloneTemplate();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const said = async () =>
    (await checkDatabase(readConfig({ DATABASE_URL: url }))).filter(({ text }) => text.includes('数据库结构'));
  expect(await said()).toEqual([{ level: 'ok', text: '数据库结构已是最新' }]);
  expect(migratedSaid(await migrate(url))).toBe('数据库结构已是最新');

  await client.query(`insert into migration (name, sha256) values ('9999-later.sql', repeat('0', 64))`);
  expect(await said()).toEqual([
    { level: 'warn', text: expect.stringContaining('由更新的程序更新过：9999-later.sql') as string },
  ]);
  await client.query(`delete from migration where name = '9999-later.sql'`);
  await client.query(`update migration set sha256 = repeat('0', 64) where name = '0042-append-only.sql'`);
  const [changed] = await said();
  expect(changed).toEqual({ level: 'fail', text: expect.stringContaining('0042-append-only.sql 在执行之后被改动过') });
  await expect(migrate(url)).rejects.toThrow(changed!.text);

  await client.query(`delete from migration where name = '0042-append-only.sql'`);
  const open = `数据库结构有 1 个文件没有执行：0042-append-only.sql（npm run migrate：${migrateDoes}）`;
  expect(await said()).toEqual([{ level: 'warn', text: open }]);
  await client.query('drop table migration');
  expect(await said()).toEqual([{ level: 'warn', text: `数据库还没有建立结构（npm run migrate：${migrateDoes}）` }]);
  await client.end();
  await drop();
});

test('the doctor reminds several nodes of one session secret', () => {
  expect(textsOf(checkConfig(readConfig({ DATABASE_URL: 'postgres://db/x' })), 'warn')[0]).toContain('SESSION_SECRET');
});

test('the doctor checks the parent of a data directory that does not exist yet', () => {
  expect(checkDataDir(join(dataDir, 'a/b')).map(({ level }) => level)).toEqual(['ok', 'ok']);
});

test('the doctor warns below 1 GB of free disk, and fails below 200 MB', () => {
  expect(checkRoom(199.9)).toEqual({ level: 'fail', text: '数据目录所在磁盘剩余 199 MB，请先清理磁盘' });
  expect(checkRoom(200)).toEqual({ level: 'warn', text: '数据目录所在磁盘剩余 200 MB，建议至少留出 1 GB' });
  expect(checkRoom(1023.9).level).toBe('warn');
  expect(checkRoom(1024)).toEqual({ level: 'ok', text: '数据目录所在磁盘剩余 1.0 GB' });
});

test('the doctor fails a missing font folder and one without document fonts, and without a folder uses the bundled fonts', () => {
  expect(checkFonts(dataDir)).toMatchObject([{ level: 'fail', text: expect.stringContaining('里没有公文字体') }]);
  expect(checkFonts(join(dataDir, 'nowhere'))).toMatchObject([
    { level: 'fail', text: expect.stringContaining('无法读取') },
  ]);
  const own = '公文用随附的思源宋体排版；设置 FONT_DIR 后可用仿宋、小标宋、黑体、楷体';
  expect(checkFonts(undefined)).toEqual([{ level: 'ok', text: own }]);
});

test('the doctor says what is unavailable without the ping program, if anything is monitored', async () => {
  const none = Promise.resolve(null);
  expect(await checkPing(200, none)).toMatchObject([
    { level: 'warn', text: expect.stringContaining('没有找到 fping') },
  ]);
  expect(await checkPing(200, Promise.resolve('/usr/bin/fping'))).toMatchObject([{ level: 'ok' }]);
  expect(await checkPing(0, none)).toEqual([]);
});

test('the doctor points out a missing browser for tests on a desktop, and what to do', async () => {
  const said = async (browser: string | undefined) => (await checkDesktop(browser)).at(-1);
  expect(await said(undefined)).toEqual({
    level: 'warn',
    text: '没有找到测试用的浏览器（npm test 会尝试安装）',
  });
  expect(await said('/somewhere/chromium')).toMatchObject({ level: 'ok' });
});

test('the doctor starts the embedded database for its checks and leaves nothing running', { timeout: 180_000 }, () => {
  const { status, stdout } = doctor({});
  expect(stdout).toContain('正常  数据库设置 fsync = on');
  expect(stdout).toMatch(/没有失败的检查，\d+ 项需要注意。\n$/);
  expect(status).toBe(0);
});

test('the doctor exits with code 1 if a database cannot be reached or a setting is wrong', { timeout: 180_000 }, () => {
  const unreachable = doctor({ DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:1/x' });
  expect(unreachable.status).toBe(1);
  expect(unreachable.stdout).toContain('失败  外部数据库无法连接');
  expect(unreachable.stdout).not.toContain('hush-hush');
  const wrong = doctor({ PORT: 'x' });
  expect(wrong).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^环境变量 PORT 的值“x”不正确.*\n$/),
  });
});
