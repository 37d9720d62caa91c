import { resolve } from 'node:path';
import { readConfig, StartupError } from '#kernel/server/process/config.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { openBackup } from './backup-folder.ts';
import { reachDatabase } from './database.ts';
import { logNames } from './modules.ts';
import { openStore } from './office.ts';
import { verifyOffice } from './verify-office.ts';
import { runCommand } from './run-command.ts';

/** Verifies the configured database, or the files of a backup if a folder is given; resolves to the exit code. */
async function run(): Promise<number> {
  const given = process.argv[2];
  if (given) {
    const { manifest, lost } = await openBackup(resolve(given));
    const { files, until } = manifest;
    if (lost[0])
      throw new StartupError(
        `备份 ${resolve(given)} 缺 ${lost.length} 个上传的文件，或内容与清单不符，例如 ${lost[0]}；其余完好，仍可恢复，恢复时会列出它们属于哪些记录。`,
      );
    console.log(`备份完好：${files.length} 个文件与清单一致，数据截至 ${until}`);
    return 0;
  }
  const config = readConfig(process.env);
  const database = await reachDatabase(config, console.error);
  const databases = openDatabases({ url: database.url, size: 2, onError: (error) => console.error(error.message) });
  try {
    const found = await verifyOffice(databases, await openStore({ folder: config.dataDir, s3: config.s3 }), logNames);
    return found === 'whole' ? 0 : 1;
  } finally {
    await databases.close();
    await database.stop();
  }
}

runCommand(run);
