import type { Logger } from 'pino';
import { createAttempts, type Attempts } from '#kernel/server/attempts.ts';
import type { Bus } from '#kernel/server/bus.ts';
import type { Databases } from '#kernel/server/db.ts';
import type { Ports, ServerModule } from '#kernel/server/implement.ts';
import { createSecretBox, type SecretBox } from '#kernel/server/secret-box.ts';
import { buttonModule } from '#modules/access/server/buttons.ts';
import { menuModule } from '#modules/access/server/menus.ts';
import { roleModule } from '#modules/access/server/roles.ts';
import { ticketsModule } from '#modules/tickets/server.ts';
import { workflowsModule } from '#modules/workflows/server.ts';
import { createIdentity, type Identity } from '#modules/accounts/identity.ts';
import { createSignedIdentity } from '#modules/tokens/identity.ts';
import { tokensModule } from '#modules/tokens/server.ts';

/** What modules share beyond a transaction. */
export interface Services {
  databases: Databases;
  bus: Bus;
  log: Logger;
  attempts: Attempts;
  identity: Identity;
  secret: string;
  secretBox: SecretBox;
  identifySigned: Ports['identifySigned'];
}

export function createServices(base: Pick<Services, 'databases' | 'bus' | 'log' | 'secret'>): Services {
  const attempts = createAttempts(base.databases.pool);
  const identity = createIdentity({
    secret: base.secret,
    fresh: base.databases.fresh,
    write: base.databases.write,
    bus: base.bus,
    sessionHours: async () => 12,
    onError: (error) => base.log.error({ err: error }, 'session not prolonged'),
  });
  const secretBox = createSecretBox(base.secret);
  const identifySigned = createSignedIdentity(base.databases, secretBox);
  return { ...base, attempts, identity, secretBox, identifySigned };
}

/** The product: every module that answers calls. */
export function modulesOf(services: Services): ServerModule[] {
  const modules: ServerModule[] = [
    menuModule,
    buttonModule,
    roleModule,
    workflowsModule,
    ticketsModule,
    tokensModule(services.secretBox, () => modules.flatMap((module) => module.calls.map(({ call }) => call))),
  ];
  return modules;
}
