import { chown, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig, StartupError, type Config } from '#kernel/server/process/config.ts';
import { copyFile, flushFiles } from '#kernel/server/files/copy-file.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { prepareHome } from '#kernel/server/postgres/embedded-cluster.ts';
import { startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { isEmpty, openBackup } from './backup-folder.ts';
import { openStore } from './office.ts';
import { verifyOffice } from './verify-office.ts';

const ofDatabase = /^postgres\/cluster(\/|$)/;

/** Puts a backup in place of an empty data directory; the folder stays as it is. Throws `StartupError` before anything is written. */
async function putBack(folder: string, dataDir: string): Promise<void> {
  if (!isEmpty(dataDir))
    throw new StartupError(
      `数据目录 ${dataDir} 不是空的，为免覆盖现有数据没有恢复，请先把它移走，或用环境变量 DATA_DIR 指定一个空目录。`,
    );
  const manifest = await openBackup(folder);
  const { home, account } = prepareHome(dataDir, console.log);
  const place = (path: string) => join(path.startsWith('postgres/') ? home : dataDir, path.replace(/^postgres\//, ''));
  const own = async (path: string) => {
    if (account && ofDatabase.test(path)) await chown(place(path), account.uid, account.gid);
  };
  for (const path of manifest.folders) {
    await mkdir(place(path), { recursive: true, mode: 0o700 });
    await own(path);
  }
  for (const { path, sha256 } of manifest.files) {
    const copied = await copyFile(join(folder, path), place(path));
    if (copied.sha256 !== sha256) throw new StartupError(`文件 ${path} 在恢复当中变了，请重新恢复到一个空目录。`);
    await own(path);
  }
  await flushFiles(
    home,
    manifest.files.flatMap(({ path }) => (ofDatabase.test(path) ? [path.replace(/^postgres\//, '')] : [])),
  );
  console.log(`已放回 ${manifest.files.length} 个文件，备份截至 ${manifest.until}`);
}

/** Restores, lets the database replay its log, and verifies what came out. Resolves to the exit code. */
async function restore(folder: string, config: Config): Promise<number> {
  const started = performance.now();
  await putBack(folder, config.dataDir);
  const database = await startEmbedded({ dataDir: config.dataDir, log: console.log });
  const databases = openDatabases({ url: database.url, size: 2, onError: (error) => console.error(error.message) });
  try {
    const sound = await verifyOffice(databases, await openStore({ folder: config.dataDir, s3: config.s3 }));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `恢复${sound ? '完成' : '出的数据有问题'}，用时 ${seconds} 秒。${sound ? '可以启动了：npm start' : ''}`,
    );
    return sound ? 0 : 1;
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
    console.error(error instanceof StartupError ? error.message : error);
    process.exitCode = 1;
  },
);
