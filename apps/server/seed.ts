import { randomBytes } from 'node:crypto';
import { StartupError, type Config } from '#kernel/server/process/config.ts';
import { hashPassword } from '#modules/platform/accounts/sign-in/password.ts';
import { makePushKeys } from '#modules/platform/messages/service.ts';
import { addFirstAdmin, hasPeople } from '#modules/platform/people/seed.ts';
import { isOwnSecret } from '#modules/platform/settings/service.ts';
import { demoAccounts, demoPassword, refusePublicDemo } from './demo-accounts.ts';
import { seedBase } from './modules.ts';
import type { Services } from '#kernel/server/services.ts';

export interface Seeded {
  /** Set only if it was generated here. */
  adminPassword: string | null;
  demoPassword: string | null;
  demoAccounts: string[];
}

type SeedConfig = Pick<Config, 'adminPassword' | 'demo' | 'host' | 'publicUrl' | 'port'>;

const otherSecret =
  '会话密钥不是这个数据库原来的那一个，数据库里加密保存的内容会读不出来。请把 SESSION_SECRET 设成原来的值，或从备份恢复数据目录里的 session-secret；几个节点须设置相同的值。原来的密钥确已丢失时，先运行 npm run forget-secret。';

/**
 * Adds missing base data, and on an empty database the first administrator. One node at a time. Throws `StartupError` if the secret does not belong
 * to this database.
 */
export async function seed(services: Services, config: SeedConfig): Promise<Seeded> {
  return services.databases.write(async (tx) => {
    await tx.$client.query('select pg_advisory_xact_lock(4020261121)');
    if (!(await isOwnSecret(tx, services.secretBox))) throw new StartupError(otherSecret);
    await makePushKeys(tx, services.secretBox);
    await seedBase(tx);
    await refusePublicDemo(tx, config);
    if (await hasPeople(tx)) return { adminPassword: null, demoPassword: null, demoAccounts: [] };
    const password = config.adminPassword ?? randomBytes(12).toString('base64url');
    await addFirstAdmin(tx, await hashPassword(password), config.adminPassword === undefined);
    const adminPassword = config.adminPassword ? null : password;
    if (!config.demo) return { adminPassword, demoPassword: null, demoAccounts: [] };
    services.log.info('正在写入演示数据，约需一分钟……');
    // The code of the demonstration is large and needed only once.
    const [{ addDemoOrganisation }, { addDemoMonitors }] = await Promise.all([
      import('./demo-organisation.ts'),
      import('#modules/services/monitors/demo.ts'),
    ]);
    await addDemoOrganisation(tx, new Date());
    await addDemoMonitors(tx, new Date(), config.port);
    return { adminPassword, demoPassword, demoAccounts };
  });
}
