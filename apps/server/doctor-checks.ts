import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { houseZone } from '#kernel/contract/moment.ts';
import { StartupError, type Config } from '#kernel/server/process/config.ts';
import { schemaStanding, standingSaid } from '#kernel/server/db/migrate.ts';
import { historyFile } from '#kernel/server/db/db.ts';
import { olderSaid, olderThan, readHistory } from '#kernel/server/db/primary/history.ts';
import { HostClient, hostsOf, type Want } from '#kernel/server/db/primary/hosts.ts';
import { checkCluster } from './doctor-cluster.ts';
import { findLostWrites } from './lost-writes.ts';
import { fail, ok, warn, type Finding } from './finding.ts';
import { findEmbedded, startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { findFping } from '#kernel/server/outside/ping.ts';
import { createOutgoing } from '#kernel/server/outside/outgoing.ts';
import { releaseOf, tooOldSaid } from '#kernel/server/postgres/postgres-release.ts';
import { holesOf } from '#kernel/server/process/runtime-releases.ts';
import { discover } from '#modules/platform/wopi/service.ts';
import { findFonts, fontsSaid } from '#modules/platform/typesetting/ink/font-files.ts';

/** Checks the running Node: its release line and known vulnerabilities. */
export function checkNode(version: string): Finding[] {
  if (Number.parseInt(version, 10) < 24) return [fail(`Node ${version} 过旧，需要 24 或更高版本`)];
  const holes = holesOf(version);
  if (holes.length === 0) return [ok(`Node ${version}`)];
  return holes.map(({ id, fixed, concerns }) =>
    warn(`Node ${version} 存在已知漏洞 ${id}：${concerns}，${fixed} 已修复；本机装有该版本后，重新启动即自动改用`),
  );
}

/** Checks the settings alone. */
export function checkConfig(config: Config): Finding[] {
  const findings: Finding[] = [];
  if (!config.embedded && config.sessionSecret === undefined)
    findings.push(warn('使用外部数据库而未设置 SESSION_SECRET：多个节点必须设置相同的值，否则登录状态互不承认'));
  if (!config.embedded && config.s3 === undefined)
    findings.push(warn('使用外部数据库而文件存于数据目录：多个节点须设置 S3_ENDPOINT 等变量，或共用同一个数据目录'));
  if (config.demo) findings.push(warn('演示账号已开启（仅限本机访问）'));
  return findings;
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** Checks that DATA_DIR is writable and has room. */
export function checkDataDir(dataDir: string): Finding[] {
  const place = nearestExisting(dataDir);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch {
    return [fail(`数据目录 ${dataDir} 不可写`)];
  }
  const { bavail, bsize } = statfsSync(place);
  return [ok(`数据目录 ${dataDir} 可写`), checkRoom((bavail * bsize) / 2 ** 20)];
}

/** Checks the free space on the disk of DATA_DIR, in megabytes. */
export function checkRoom(free: number): Finding {
  const room = `数据目录所在磁盘剩余 ${free >= 1024 ? `${(free / 1024).toFixed(1)} GB` : `${Math.floor(free)} MB`}`;
  if (free < 200) return fail(`${room}，请先清理磁盘`);
  return free < 1024 ? warn(`${room}，建议至少留出 1 GB`) : ok(room);
}

/** Checks the fonts for documents. */
export function checkFonts(folder: string | undefined): Finding[] {
  try {
    return [ok(fontsSaid(folder ? findFonts(folder) : {}))];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return [fail(error.message)];
  }
}

const expected = [
  { name: 'fsync', value: 'on', why: '断电可能丢失数据' },
  { name: 'full_page_writes', value: 'on', why: '断电可能损坏数据' },
  { name: 'synchronous_commit', value: 'on', why: '崩溃可能丢失刚提交的数据' },
] as const;

/** Checks that the document editor answers, if the interface settings name one; a database without settings names none. */
async function checkEditor(client: pg.Client, allow: readonly string[]): Promise<Finding> {
  const { rows } = await client
    .query<{ url: string | null }>(`select value->'wopi'->>'url' as url from setting where key = 'interface'`)
    .catch(() => ({ rows: [] }));
  const url = rows[0]?.url;
  if (!url) return ok('在线编辑服务 未设置（可在接口设置中填写）');
  const outgoing = createOutgoing({ allow });
  try {
    const { actions } = await discover(outgoing, url);
    return actions.size > 0
      ? ok(`在线编辑服务 ${url} 有应答，能打开 ${actions.size} 种文件`)
      : warn(`在线编辑服务 ${url} 有应答，但它给出的地址都不在这个地址之下，文件打不开：请检查它的对外地址`);
  } catch (error) {
    return warn(`在线编辑服务 ${url} 没有应答，文件只能下载后编辑：${(error as Error).message}`);
  } finally {
    await outgoing.close();
  }
}

/** Checks that the database descends from the history that this node kept. */
async function checkHistory(client: pg.Client, dataDir: string): Promise<Finding[]> {
  const lists = findLostWrites(dataDir).map((file) =>
    warn(`有已答复的内容不在数据库里：清单在 ${file}，请逐项核对、补录后删除这个文件`),
  );
  const known = readHistory(historyFile(dataDir));
  if (!known) return lists;
  const older = await olderThan(client, known);
  return [...lists, older ? fail(olderSaid(older)) : ok(`数据库接着本系统最后见过的内容（时间线 ${known.timeline}）`)];
}

/** Reports what `migrate` would find in the database. */
async function checkSchema(client: pg.Client): Promise<Finding[]> {
  const standing = await schemaStanding(client);
  const current = [standing.missing, standing.changed, standing.unknown].every((names) => names.length === 0);
  return standingSaid(standing).map(({ ok: fine, text }) => (!fine ? fail(text) : current ? ok(text) : warn(text)));
}

async function inspect(url: string, title: string, config: Config, want: Want = 'write'): Promise<Finding[]> {
  const { outgoingAllow: allow, dataDir } = config;
  const client = new HostClient({ hosts: hostsOf(url, want), connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, string>>(
      `select current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
              current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
              current_setting('synchronous_commit') as synchronous_commit, current_setting('is_superuser') as superuser,
              exists (select from pg_available_extensions where name = 'btree_gist')::text as gist`,
    );
    const found = rows[0] ?? {};
    const release = await releaseOf(client);
    const findings = [
      release.tooOld ? fail(tooOldSaid(title, release)) : ok(`${title}可以连接（PostgreSQL ${release.version}）`),
    ];
    findings.push(
      found.encoding === 'UTF8' ? ok('数据库编码 UTF8') : fail(`数据库编码为 ${found.encoding}，应为 UTF8`),
    );
    findings.push(
      found.zone === houseZone
        ? ok(`数据库时区 ${houseZone}`)
        : warn(`数据库时区为 ${found.zone}，建议设为 ${houseZone}`),
    );
    for (const { name, value, why } of expected) {
      const safe = found[name] === value || (name === 'synchronous_commit' && found[name] !== 'off');
      findings.push(
        safe
          ? ok(`数据库设置 ${name} = ${found[name]}`)
          : fail(`数据库设置 ${name} = ${found[name]}：${why}，应为 ${value}`),
      );
    }
    findings.push(
      found.gist === 'true'
        ? ok('数据库扩展 btree_gist 可用')
        : fail('数据库没有扩展 btree_gist，请在数据库服务器上安装 PostgreSQL 的 contrib 组件'),
    );
    if (!release.tooOld) findings.push(...(await checkSchema(client)));
    findings.push(...(await checkCluster(client)));
    if (want === 'write') findings.push(...(await checkHistory(client, dataDir)));
    findings.push(await checkEditor(client, allow));
    if (found.superuser === 'on') findings.push(warn('数据库账号是超级用户，建议改用只拥有本库的账号'));
    return findings;
  } catch (error) {
    return [fail(`${title}无法连接：${(error as Error).message || (error as NodeJS.ErrnoException).code}`)];
  } finally {
    await client.end().catch(() => {});
  }
}

/** Checks the database: the external one, the running embedded one, or the embedded one started for this check. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl !== undefined) {
    const primary = await inspect(config.databaseUrl, '外部数据库', config);
    return config.readDatabaseUrl === undefined
      ? primary
      : [...primary, ...(await inspect(config.readDatabaseUrl, '只读副本', config, 'read'))];
  }
  const running = findEmbedded(config.dataDir);
  if (running) return inspect(running.url, '内置数据库（运行中）', config);
  try {
    const server = await startEmbedded({ dataDir: config.dataDir, log: () => {} });
    try {
      return await inspect(server.url, '内置数据库', config);
    } finally {
      await server.stop();
    }
  } catch (error) {
    return [fail((error as Error).message)];
  }
}

/** Checks the tools of tests and printing: a font with Chinese glyphs and a browser. The server works without them. */
export async function checkDesktop(browser: string | undefined): Promise<Finding[]> {
  const fonts = await promisify(execFile)('fc-list', [':lang=zh', 'family']).then(
    ({ stdout }) => stdout.trim() !== '',
    () => process.platform !== 'linux' || hasFontFile('/usr/share/fonts'),
  );
  return [
    fonts ? ok('已安装中文字体') : warn('没有找到中文字体，截图与打印中的中文会显示为方框（可安装 fonts-noto-cjk）'),
    browser ? ok(`测试用浏览器 ${browser}`) : warn('没有找到测试用的浏览器（npm test 会尝试安装）'),
  ];
}

/** Checks the programs that some kinds of monitoring need. */
export async function checkPing(places: number, fping = findFping()): Promise<Finding[]> {
  if (places === 0) return [];
  return [
    (await fping)
      ? ok('已安装 fping，可以用 Ping 监测项目')
      : warn('没有找到 fping，监测方式不提供 Ping，可改用 TCP 端口（可安装 fping）'),
  ];
}

function hasFontFile(folder: string): boolean {
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => /cjk|hei|song|wqy/i.test(name))
  );
}
