import { readConfig, StartupError } from '#kernel/server/config.ts';
import { openDatabases } from '#kernel/server/db.ts';
import { forgetMobiles } from '#modules/alumni/service.ts';
import { callBackSealed } from '#modules/deliveries/service.ts';
import { forgetSecret } from '#modules/settings/service.ts';
import { forgetNumbers, forgetOptOuts } from '#modules/sms/service.ts';
import { forgetTokenKeys } from '#modules/tokens/service.ts';
import { forgetNoticeSecrets } from '#modules/workflows/service.ts';
import { reachDatabase } from './database.ts';

/** For an office whose secret is lost: the next start brings another. */
async function run(): Promise<void> {
  const database = await reachDatabase(readConfig(process.env), console.error);
  const databases = openDatabases({ url: database.url, size: 1, onError: (error) => console.error(error.message) });
  try {
    await databases.write(async (tx) => {
      for (const forget of [
        forgetSecret,
        forgetTokenKeys,
        forgetNoticeSecrets,
        forgetMobiles,
        callBackSealed,
        forgetNumbers,
        forgetOptOuts,
      ])
        await forget(tx);
    });
    console.log(
      '已放弃原来的会话密钥，下次启动时以那时的密钥为准。用原密钥加密的内容已清空，启动后请：重新填写接口设置里的密码与密钥、通知方式的密钥；删除停用的应用令牌，另发新的；重新导入校友的手机号；把短信退订名单里标为“失效”的号码重新加入。',
    );
  } finally {
    await databases.close();
    await database.stop();
  }
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof StartupError ? error.message : error);
    process.exit(1);
  },
);
