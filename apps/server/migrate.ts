import { readConfig, StartupError } from '#kernel/server/process/config.ts';
import { migrate } from '#kernel/server/db/migrate.ts';
import { openDatabase } from './database.ts';

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const database = await openDatabase(config, console.log);
  try {
    const { applied } = await migrate(database.url);
    console.log(applied.length > 0 ? `已执行迁移：${applied.join('、')}` : '数据库已是最新结构');
  } finally {
    await database.stop();
  }
}

run().catch((error: unknown) => {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
});
