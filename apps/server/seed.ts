import { randomBytes } from 'node:crypto';
import type { Config } from '#kernel/server/config.ts';
import type { Db } from '#kernel/server/db.ts';
import { menus as accessMenus, seedMenus, seedRoles, type MenuSeed } from '#modules/access/seed.ts';
import { menus as alumniMenus } from '#modules/alumni/seed.ts';
import { hashPassword } from '#modules/accounts/password.ts';
import { menus as auditMenus } from '#modules/audit/seed.ts';
import { menus as deliveryMenus } from '#modules/deliveries/seed.ts';
import { menus as docsMenus } from '#modules/docs/seed.ts';
import { menus as distributionMenus } from '#modules/distributions/seed.ts';
import { menus as documentMenus, seedDocuments } from '#modules/documents/seed.ts';
import { menus as folderMenus, seedCategories, seedPublishing } from '#modules/folders/seed.ts';
import { menus as messageMenus } from '#modules/messages/seed.ts';
import { menus as documentNoticeMenus } from '#modules/notices/seed.ts';
import { addFirstAdmin, hasPeople, menus as peopleMenus } from '#modules/people/seed.ts';
import { menus as settingsMenus } from '#modules/settings/seed.ts';
import { addDemoOrganisation, demoAccounts, demoPassword, refusePublicDemo } from './demo-organisation.ts';
import { menus as tokenMenus } from '#modules/tokens/seed.ts';
import { menus as smsMenus, seedSms } from '#modules/sms/seed.ts';
import { menus as ticketMenus } from '#modules/tickets/seed.ts';
import { menus as workflowMenus, seedWorkflows } from '#modules/workflows/seed.ts';
import type { Services } from './services.ts';

/** Every menu of what is built, parents before children. */
const menus: MenuSeed[] = [
  ...accessMenus,
  ...ticketMenus,
  ...workflowMenus,
  ...documentMenus,
  ...distributionMenus,
  ...documentNoticeMenus,
  ...peopleMenus,
  ...folderMenus,
  ...messageMenus,
  ...smsMenus,
  ...alumniMenus,
  ...auditMenus,
  ...deliveryMenus,
  ...tokenMenus,
  ...settingsMenus,
  ...docsMenus,
];

export interface Seeded {
  /** Only where it was made up here. */
  adminPassword: string | null;
  demoPassword: string | null;
  demoAccounts: string[];
}

type SeedConfig = Pick<Config, 'adminPassword' | 'demo' | 'host' | 'publicUrl'>;

/** Base data where it is missing; on an empty database also the first administrator. One node at a time. */
export async function seed(services: Services, config: SeedConfig): Promise<Seeded> {
  return services.databases.write(async (tx) => {
    await tx.$client.query('select pg_advisory_xact_lock(4020261121)');
    await seedBase(tx);
    await refusePublicDemo(tx, config);
    if (await hasPeople(tx)) return { adminPassword: null, demoPassword: null, demoAccounts: [] };
    const password = config.adminPassword ?? randomBytes(12).toString('base64url');
    await addFirstAdmin(tx, await hashPassword(password), config.adminPassword === undefined);
    const adminPassword = config.adminPassword ? null : password;
    if (!config.demo) return { adminPassword, demoPassword: null, demoAccounts: [] };
    await addDemoOrganisation(tx, new Date(), services);
    return { adminPassword, demoPassword, demoAccounts };
  });
}

/** Menus, buttons, roles and what else every organisation begins with. Idempotent. */
export async function seedBase(tx: Db): Promise<void> {
  await seedRoles(tx);
  await seedMenus(tx, menus);
  await seedWorkflows(tx);
  await seedDocuments(tx);
  await seedSms(tx);
  await seedPublishing(tx);
  await seedCategories(tx);
}
