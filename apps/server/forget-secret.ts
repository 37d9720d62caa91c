import { readConfig, StartupError } from '#kernel/server/config.ts';
import { openDatabases } from '#kernel/server/db.ts';
import { forgetSecret } from '#modules/settings/service.ts';
import { reachDatabase } from './database.ts';

/** For an office whose secret is lost: the next start brings another. */
async function run(): Promise<void> {
  const database = await reachDatabase(readConfig(process.env), console.error);
  const databases = openDatabases({ url: database.url, size: 1, onError: (error) => console.error(error.message) });
  try {
    await databases.write(forgetSecret);
    console.log(
      '已放弃原来的会话密钥，下次启动时以那时的密钥为准。用原密钥加密的内容不能再读，启动后请重新填写接口设置里的密码与密钥、重发应用令牌、重新导入校友的手机号与短信退订名单。',
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
