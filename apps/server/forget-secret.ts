import { noServerIsUp } from '#kernel/server/live/bus.ts';
import { readConfig, StartupError, type Config } from '#kernel/server/process/config.ts';
import { followHistory, openDatabases, type Databases, type Db } from '#kernel/server/db/db.ts';
import { createSecretBox } from '#kernel/server/process/secret-box.ts';
import { secretsAtHand } from '#kernel/server/process/session-secret.ts';
import { forgetSecondFactors } from '#modules/platform/accounts/service.ts';
import { forgetMobiles } from '#modules/platform/alumni/service.ts';
import { callBackSealed } from '#modules/platform/deliveries/service.ts';
import { forgetSecret, ownAmong } from '#modules/platform/settings/service.ts';
import { forgetPush } from '#modules/platform/messages/service.ts';
import { forgetNumbers, forgetOptOuts } from '#modules/platform/sms/service.ts';
import { forgetTokenKeys } from '#modules/platform/tokens/service.ts';
import { forgetNoticeSecrets } from '#modules/workflow/workflows/service.ts';
import { reachDatabase } from './database.ts';
import { typed } from './typed.ts';
import { runCommand } from './run-command.ts';

const word = '放弃';

/** Everything that was sealed with the secret, by its Chinese name. */
const sealed: [name: string, forget: (tx: Db) => Promise<number>][] = [
  ['接口设置里的密码与密钥', forgetSecret],
  ['应用令牌的密钥', forgetTokenKeys],
  ['通知方式的密钥', forgetNoticeSecrets],
  ['校友的手机号', forgetMobiles],
  ['绑定的验证器', forgetSecondFactors],
  ['开启了推送的设备', forgetPush],
  ['还没有发出的投递', callBackSealed],
  ['短信记录里的号码', forgetNumbers],
  ['短信退订名单里的号码', forgetOptOuts],
];

interface Ended {
  name: string;
  rows: number;
}

async function forgetAll(tx: Db): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (const [name, forget] of sealed) ended.push({ name, rows: await forget(tx) });
  return ended;
}

/** Throws `StartupError` if the secret is available, or a server is running. */
async function refuseWithoutNeed(tx: Db, config: Config): Promise<void> {
  if (!(await noServerIsUp(tx)))
    throw new StartupError('服务还在运行（也可能在别的节点上），没有放弃会话密钥：请先停下所有节点，再执行一次。');
  const atHand = secretsAtHand(config);
  const own = await ownAmong(
    tx,
    atHand.map(({ secret }) => createSecretBox(secret)),
  );
  if (own === null)
    throw new StartupError('这个数据库没有登记会话密钥（从未启动过，或已经放弃），不需要放弃，直接启动即可。');
  if (atHand[own])
    throw new StartupError(
      `${atHand[own].place} 就是这个数据库的会话密钥，没有丢失，因此没有放弃：用它启动即可，加密保存的内容都还能读出。`,
    );
}

/** Counts what would end, by doing it and rolling it back. */
async function rehearse(databases: Databases, config: Config): Promise<Ended[]> {
  const undone = new Error('only counted');
  let ended: Ended[] = [];
  await databases
    .write(async (tx) => {
      await refuseWithoutNeed(tx, config);
      ended = await forgetAll(tx);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return ended;
}

/** Gives up a lost secret: the next start generates a new one. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const database = await reachDatabase(config, console.error);
  followHistory(database.url, config.dataDir);
  const databases = openDatabases({ url: database.url, size: 1, onError: (error) => console.error(error.message) });
  try {
    const ended = await rehearse(databases, config);
    const total = ended.reduce((sum, { rows }) => sum + rows, 0);
    console.log(`放弃原来的会话密钥，会清空用它加密的 ${total} 项内容，清空后无法找回：`);
    for (const { name, rows } of ended) console.log(`  ${name} ${rows} 项`);
    console.log(`确已找不到原来的密钥（备份里也没有）时，输入“${word}”并回车：`);
    if ((await typed()) !== word) throw new StartupError(`没有输入“${word}”，什么也没有改变。`);
    await databases.write(async (tx) => {
      await refuseWithoutNeed(tx, config);
      await forgetAll(tx);
    });
    console.log(
      '已放弃原来的会话密钥，下次启动时以那时的密钥为准。用原密钥加密的内容已清空，启动后请：重新填写接口设置里的密码与密钥、通知方式的密钥；删除停用的应用令牌，另发新的；重新导入校友的手机号；把短信退订名单里标为“失效”的号码重新加入。',
    );
  } finally {
    await databases.close();
    await database.stop();
  }
}

runCommand(run);
