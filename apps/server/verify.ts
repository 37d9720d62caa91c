import { readConfig, StartupError } from '#kernel/server/config.ts';
import { openDatabases } from '#kernel/server/db.ts';
import { verifyLogs } from '#modules/audit/verify.ts';
import { verifyFiles } from '#modules/files/service.ts';
import { verifyTicketLogs } from '#modules/tickets/chain.ts';
import { openDatabase } from './database.ts';
import { openStore } from './office.ts';

/** Walks the chains of the logs, reads every file, and says what it found; resolves to the exit code. */
async function run(): Promise<number> {
  const config = readConfig(process.env);
  const database = await openDatabase(config, console.error);
  const databases = openDatabases({ url: database.url, size: 2, onError: (error) => console.error(error.message) });
  try {
    const found = await databases.snapshot(verifyLogs);
    console.log(`操作日志：已核对 ${found.rows} 条，其中已按期清除 ${found.removed} 条，待封存 ${found.unsealed} 条`);
    if (found.broken) {
      const { id, seal, why } = found.broken;
      console.error(`第一处断点：链上第 ${seal} 条${id === null ? '' : `（记录 ${id}）`}，${why}`);
      return 1;
    }
    const tickets = await databases.snapshot(verifyTicketLogs);
    console.log(`工单流转记录：已核对 ${tickets.rows} 条，其中未封存 ${tickets.unsealed} 条`);
    if (tickets.broken) {
      console.error(
        `第一处断点：工单 ${tickets.broken.ticket_id} 的第 ${tickets.broken.seq} 条记录，内容或顺序与写入时不同`,
      );
      return 1;
    }
    const files = await verifyFiles(databases.fresh, await openStore({ folder: config.dataDir, s3: config.s3 }));
    console.log(`文件：已核对 ${files.contents} 份内容`);
    if (files.broken.length > 0) {
      console.error(`${files.broken.length} 份内容缺失或与写入时不同，例如 ${files.broken[0]}`);
      return 1;
    }
    console.log(`完好。链首 ${found.head.seal}:${found.head.hash}`);
    return 0;
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
