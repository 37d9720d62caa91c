import { readConfig } from '#kernel/server/process/config.ts';
import { followHistory } from '#kernel/server/db/db.ts';
import { migrate, migratedSaid } from '#kernel/server/db/migrate.ts';
import { openDatabase } from './database.ts';
import { runCommand } from './run-command.ts';

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const database = await openDatabase(config, console.log);
  followHistory(database.url, config.dataDir);
  try {
    console.log(migratedSaid(await migrate(database.url)));
  } finally {
    await database.stop();
  }
}

runCommand(run);
