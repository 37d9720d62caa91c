import type { Logger } from 'pino';
import { createAttempts, type Attempts } from '#kernel/server/attempts.ts';
import type { Bus } from '#kernel/server/bus.ts';
import type { Databases } from '#kernel/server/db.ts';
import type { ServerModule } from '#kernel/server/implement.ts';
import { ticketsModule } from '#modules/tickets/server.ts';
import { workflowsModule } from '#modules/workflows/server.ts';
import { createIdentity, type Identity } from '#modules/accounts/identity.ts';

/** What modules share beyond a transaction. */
export interface Services {
  databases: Databases;
  bus: Bus;
  log: Logger;
  attempts: Attempts;
  identity: Identity;
  secret: string;
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
  return { ...base, attempts, identity };
}

/** The product: every module that answers calls. */
export function modulesOf(_services: Services): ServerModule[] {
  return [workflowsModule, ticketsModule];
}
