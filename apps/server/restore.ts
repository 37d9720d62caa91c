import { chown, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig, StartupError, type Config } from '#kernel/server/process/config.ts';
import { copyFile, flushFiles } from '#kernel/server/files/copy-file.ts';
import { unknownOf } from '#kernel/server/db/migrate.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { embeddedMajor } from '#kernel/server/postgres/embedded-binaries.ts';
import { prepareHome } from '#kernel/server/postgres/embedded-cluster.ts';
import { startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { explained, isEmpty, openBackup, requireRoom, type Manifest } from './backup-folder.ts';
import { silenceCopy } from '#modules/platform/deliveries/service.ts';
import { logNames } from './modules.ts';
import { openStore } from './office.ts';
import { productVersion } from './product.ts';
import { verifyOffice } from './verify-office.ts';

const ofDatabase = /^postgres\/cluster(\/|$)/;

/** Puts a backup into an empty data directory; the backup's folder stays as it is. Throws `StartupError` before anything is written. */
async function putBack(folder: string, dataDir: string): Promise<Manifest> {
  if (!isEmpty(dataDir))
    throw new StartupError(
      `数据目录 ${dataDir} 不是空的，为免覆盖现有数据没有恢复，请先把它移走，或用环境变量 DATA_DIR 指定一个空目录。`,
    );
  const { manifest, lost } = await openBackup(folder);
  await refuseNewer(folder, manifest);
  await requireRoom(
    dataDir,
    manifest.files.reduce((sum, { size }) => sum + size, 0),
  );
  const { home, account } = prepareHome(dataDir, console.log);
  const place = (path: string) => join(path.startsWith('postgres/') ? home : dataDir, path.replace(/^postgres\//, ''));
  const own = async (path: string) => {
    if (account && ofDatabase.test(path)) await chown(place(path), account.uid, account.gid);
  };
  for (const path of manifest.folders) {
    await mkdir(place(path), { recursive: true, mode: 0o700 });
    await own(path);
  }
  const missing = new Set(lost);
  for (const { path, sha256 } of manifest.files) {
    if (missing.has(path)) continue;
    const copied = await copyFile(join(folder, path), place(path));
    if (copied.sha256 !== sha256) throw new StartupError(`文件 ${path} 在恢复当中变了，请重新恢复到一个空目录。`);
    await own(path);
  }
  await flushFiles(
    home,
    manifest.files.flatMap(({ path }) => (ofDatabase.test(path) ? [path.replace(/^postgres\//, '')] : [])),
  );
  console.log(`已放回 ${manifest.files.length - lost.length} 个文件，备份截至 ${manifest.until}`);
  if (lost.length > 0) console.error(`备份里缺 ${lost.length} 个上传的文件，其余照常恢复，缺的在核对时列出。`);
  return manifest;
}

/** Refuses, before anything is written, a backup of a later program or database, which this program could not read completely. */
async function refuseNewer(folder: string, { product, schema }: Manifest): Promise<void> {
  const [unknown] = await unknownOf(schema);
  if (unknown)
    throw new StartupError(
      `备份是由更新的程序（${product}）做的，本程序（${productVersion}）不认识其中的表结构 ${unknown}，没有恢复：请换成做备份的版本再恢复。`,
    );
  const major = (await readFile(join(folder, 'postgres', 'cluster', 'PG_VERSION'), 'utf8')).trim();
  if (major !== embeddedMajor())
    throw new StartupError(
      `备份是 PostgreSQL ${major} 的数据，内置的是 ${embeddedMajor()}，没有恢复：请换成做备份的程序版本再恢复。`,
    );
}

/** Restores, lets the database replay its log, and verifies the result. Resolves to the exit code. */
async function restore(folder: string, config: Config): Promise<number> {
  const started = performance.now();
  const { until } = await putBack(folder, config.dataDir);
  const database = await startEmbedded({ dataDir: config.dataDir, log: console.log });
  const databases = openDatabases({ url: database.url, size: 2, onError: (error) => console.error(error.message) });
  try {
    // Before anything that may fail or be interrupted, so that the restored copy can be started in any case.
    const unsent = await databases.write((tx) => silenceCopy(tx, until));
    const found = await verifyOffice(databases, await openStore({ folder: config.dataDir, s3: config.s3 }), logNames);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const said = { whole: '完成', files: '完成，但缺上面列出的文件', broken: '出的数据有问题' }[found];
    console.log(`恢复${said}，用时 ${seconds} 秒。${found === 'broken' ? '' : '可以启动了：npm start'}`);
    console.log(
      `恢复的副本不向外发送短信、邮件、推送和回调（备份里还没有发出的 ${unsent} 条也不再发出），确定由它继续办公时，由管理员在“投递日志”中允许。`,
    );
    return found === 'broken' ? 1 : 0;
  } finally {
    await databases.close();
    await database.stop();
  }
}

async function run(): Promise<number> {
  const config = readConfig(process.env);
  const given = process.argv[2];
  if (!given) throw new StartupError('请写明从哪个备份恢复，例如：npm run restore -- /backup/2026-11-21');
  if (config.databaseUrl)
    throw new StartupError(`数据要恢复到外部数据库里，请用它自己的工具，再把备份的 files 放回 ${config.dataDir}：
  pg_restore --clean --if-exists --dbname="$DATABASE_URL" gongdan.dump`);
  return restore(resolve(given), config);
}

run().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const said = explained(error);
    console.error(said instanceof StartupError ? said.message : said);
    process.exitCode = 1;
  },
);
