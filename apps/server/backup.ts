import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig, StartupError, type Config } from '#kernel/server/process/config.ts';
import { copyFile } from '#kernel/server/files/copy-file.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { appliedAt } from '#kernel/server/db/migrate.ts';
import { shownError } from '#kernel/server/log/log.ts';
import { copyCluster } from '#kernel/server/postgres/embedded-backup.ts';
import { explained, filesBelow, isEmpty, seal } from './backup-folder.ts';
import { noteBackup } from '#modules/platform/settings/service.ts';
import { reachEmbedded } from './database.ts';
import { productVersion } from './product.ts';

/** Stored files never change, so files that exist already are not copied again. */
async function copyStored(from: string, to: string): Promise<void> {
  for (const path of await filesBelow(from))
    if (!existsSync(join(to, path)))
      await copyFile(join(from, path), join(to, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
}

/** The command that copies uploaded files to a given place. */
const copyOfFiles = (folder: string, { dataDir, s3 }: Config) =>
  s3
    ? `AWS_ACCESS_KEY_ID="$S3_ACCESS_KEY" AWS_SECRET_ACCESS_KEY="$S3_SECRET_KEY" aws s3 sync s3://${s3.bucket} ${join(folder, 'bucket')} --endpoint-url ${s3.endpoint}`
    : `cp -a ${join(dataDir, 'files')} ${folder}/`;

const external = (folder: string, config: Config) => `数据在外部数据库里，请用它自己的工具备份：
  pg_dump --format=custom --file=${join(folder, 'gongdan.dump')} "$DATABASE_URL"      （逻辑备份，可恢复到别的版本）
  pg_basebackup --dbname="postgres://有复制权限的账号:口令@主机/postgres" --pgdata=${join(folder, 'base')} --wal-method=stream --checkpoint=fast   （整库物理备份）
一天之内再复制上传的文件（在数据库之后，才不会缺）：
  ${copyOfFiles(folder, config)}`;

/** Backs up the database and the stored files of `config.dataDir` into an empty folder while the product runs. */
async function backUp(folder: string, config: Config): Promise<void> {
  if (!isEmpty(folder)) throw new StartupError(`目录 ${folder} 不是空的，没有备份，请指定一个新的目录。`);
  const { dataDir } = config;
  const started = performance.now();
  const { url, adminUrl, stop } = await reachEmbedded(dataDir, console.log);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Before and after, because a file that the database refers to existed at one of the two times.
    const stored = () => copyStored(join(dataDir, 'files'), join(folder, 'files'));
    await stored();
    const home = join(dataDir, 'postgres');
    const cluster = await copyCluster(adminUrl, home, join(folder, 'postgres', 'cluster'));
    await copyFile(join(home, 'passwords.json'), join(folder, 'postgres', 'passwords.json'));
    await stored();
    if (existsSync(join(dataDir, 'session-secret')))
      await copyFile(join(dataDir, 'session-secret'), join(folder, 'session-secret'));
    const { files } = await seal(folder, {
      product: productVersion,
      schema: await appliedAt(url),
      until: cluster.until.toISOString(),
      folders: cluster.folders.map((path) => (path ? `postgres/cluster/${path}` : 'postgres/cluster')),
    });
    await note(url, cluster.until);
    const megabytes = files.reduce((sum, file) => sum + file.size, 0) / 2 ** 20;
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `已备份到 ${folder}：${files.length} 个文件，${megabytes.toFixed(1)} MB，用时 ${seconds.toFixed(1)} 秒。其中有口令与密钥，请妥善保管。`,
    );
    if (config.s3)
      console.log(
        `上传的文件在对象存储的桶 ${config.s3.bucket} 里，不在这份备份里，请一天之内接着复制：\n  ${copyOfFiles(folder, config)}`,
      );
    if (config.sessionSecret) console.log('SESSION_SECRET 来自环境变量，不在备份里，恢复后须设为相同的值。');
  } finally {
    await stop();
  }
}

/** Notes the backup for administrators. The backup is whole without the note. */
async function note(url: string, until: Date): Promise<void> {
  const databases = openDatabases({ url, size: 1, onError: (error) => console.error(error.message) });
  try {
    await databases.look();
    await databases.write((tx) => noteBackup(tx, until));
  } catch (error) {
    console.error('备份已做完，但没有记进系统，上线清单里看不到这一次：', shownError(error));
  } finally {
    await databases.close();
  }
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const given = process.argv[2];
  if (!given) throw new StartupError('请写明备份到哪个目录，例如：npm run backup -- /backup/2026-11-21');
  if (config.databaseUrl) throw new StartupError(external(resolve(given), config));
  await backUp(resolve(given), config);
}

run().catch((error: unknown) => {
  const said = explained(error);
  console.error(said instanceof StartupError ? said.message : said);
  process.exitCode = 1;
});
