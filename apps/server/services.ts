import type { Logger } from 'pino';
import { createAttempts, type Attempts } from '#kernel/server/attempts.ts';
import type { Bus } from '#kernel/server/bus.ts';
import type { Databases } from '#kernel/server/db.ts';
import type { ServerModule } from '#kernel/server/implement.ts';
import { createSecretBox, type SecretBox } from '#kernel/server/secret-box.ts';
import { createIdentity, type Identity } from '#modules/accounts/identity.ts';
import type { SendCode } from '#modules/accounts/phone-code.ts';
import { accountsModule } from '#modules/accounts/server.ts';
import { settingsModule } from '#modules/settings/server.ts';
import { createSettings, type Settings } from '#modules/settings/service.ts';

/** What modules share beyond a transaction. */
export interface Services {
  databases: Databases;
  bus: Bus;
  log: Logger;
  attempts: Attempts;
  identity: Identity;
  settings: Settings;
  box: SecretBox;
  sendCode: SendCode;
  secret: string;
}

export function createServices(base: Pick<Services, 'databases' | 'bus' | 'log' | 'secret' | 'sendCode'>): Services {
  const attempts = createAttempts(base.databases.pool);
  const settings = createSettings({ fresh: base.databases.fresh, bus: base.bus });
  const identity = createIdentity({
    secret: base.secret,
    fresh: base.databases.fresh,
    write: base.databases.write,
    bus: base.bus,
    sessionHours: async () => (await settings.get('login')).session_hours,
    onError: (error) => base.log.error({ err: error }, 'session not prolonged'),
  });
  return { ...base, attempts, identity, settings, box: createSecretBox(base.secret) };
}

/** The product: every module that answers calls. */
export function modulesOf(services: Services): ServerModule[] {
  return [accountsModule(services), settingsModule(services)];
}
