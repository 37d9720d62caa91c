import { rmSync } from 'node:fs';
import { migrate } from '#kernel/server/db/migrate.ts';
import { historyFile } from '#kernel/server/db/db.ts';
import { accept, olderSaid, olderThan, readHistory } from '#kernel/server/db/primary/history.ts';
import { HostClient, hostsOf } from '#kernel/server/db/primary/hosts.ts';
import { readConfig, StartupError } from '#kernel/server/process/config.ts';
import { reachDatabase } from './database.ts';
import { typed } from './typed.ts';
import { runCommand } from './run-command.ts';

const word = '接受';

/** Accepts a database that is older than what the nodes saw: it replaces the known history. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const file = historyFile(config.dataDir);
  const known = readHistory(file);
  if (!known)
    throw new StartupError(`${file} 里没有记下数据库到过哪里，不需要接受：请在不能保存的那个节点的机器上执行。`);
  const database = await reachDatabase(config, console.error);
  const client = new HostClient({ hosts: hostsOf(database.url), application_name: 'gongdan-accept' });
  try {
    await client.connect();
    const older = await olderThan(client, known);
    if (!older) throw new StartupError('数据库就是本系统最后见过的那一个，不需要接受。');
    console.log(`${olderSaid(older)}。`);
    console.log(`在那之后确认过的内容会失去，无法找回。确定以现在的数据库为准时，输入“${word}”并回车：`);
    if ((await typed()) !== word) throw new StartupError(`没有输入“${word}”，什么也没有改变。`);
    await migrate(database.url);
    if (known.mark) {
      await accept(client, known.mark);
      console.log('已接受现在的数据库：运行中的节点几秒之内恢复保存，没有启动的可以启动了。');
    } else {
      // The database was never marked by this node, so nothing would tell other nodes which history is given up.
      rmSync(file);
      console.log('已接受现在的数据库：请重新启动本机上的节点。');
    }
  } finally {
    await client.end().catch(() => undefined);
    await database.stop();
  }
}

runCommand(run);
