import { openDatabases } from '#kernel/server/db/db.ts';
import { readConfig } from '#kernel/server/process/config.ts';
import { silenceCopy } from '#modules/platform/deliveries/service.ts';
import { reachDatabase } from './database.ts';
import { runCommand } from './run-command.ts';

/** For a database that was restored by its own tools: nothing is sent from it until an administrator allows it. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const database = await reachDatabase(config, console.error);
  const databases = openDatabases({ url: database.url, size: 1, onError: (error) => console.error(error.message) });
  try {
    await databases.look();
    // Every action writes a line into the operation log, so the last line tells how far the copy goes.
    const { rows } = await databases.pool.query<{ ms: number }>(
      'select (extract(epoch from coalesce((select gmt_created from log order by id desc limit 1), now())) * 1000)::float8 as ms',
    );
    const unsent = await databases.write((tx) => silenceCopy(tx, new Date(rows[0]!.ms).toISOString()));
    console.log(
      `已设为不向外发送的副本，没有发出的 ${unsent} 条不再发出。确定由它继续办公时，由管理员在“投递日志”中允许。`,
    );
  } finally {
    await databases.close();
    await database.stop();
  }
}

runCommand(run);
