import { resolve } from 'node:path';
import { readConfig, StartupError } from '#kernel/server/process/config.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { openBackup } from './backup-folder.ts';
import { reachDatabase } from './database.ts';
import { openStore } from './office.ts';
import { verifyOffice } from './verify-office.ts';

/** Verifies the configured database, or with a folder given that backup's files; resolves to the exit code. */
async function run(): Promise<number> {
  const given = process.argv[2];
  if (given) {
    const { files, until } = await openBackup(resolve(given));
    console.log(`备份完好：${files.length} 个文件与清单一致，数据截至 ${until}`);
    return 0;
  }
  const config = readConfig(process.env);
  const database = await reachDatabase(config, console.error);
  const databases = openDatabases({ url: database.url, size: 2, onError: (error) => console.error(error.message) });
  try {
    return (await verifyOffice(databases, await openStore({ folder: config.dataDir, s3: config.s3 }))) ? 0 : 1;
  } finally {
    await databases.close();
    await database.stop();
  }
}

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StartupError ? error.message : error);
    process.exit(1);
  },
);
