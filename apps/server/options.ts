import type { Logger } from 'pino';
import type { Config } from '#kernel/server/process/config.ts';
import { sessionSecret } from '#kernel/server/process/session-secret.ts';
import type { ServicesOptions } from './office.ts';

/** The options of the shared services, from the operator's settings. */
export function optionsOf(config: Config, databaseUrl: string, log: Logger): ServicesOptions {
  return {
    databaseUrl,
    readDatabaseUrl: config.readDatabaseUrl,
    secret: sessionSecret(config),
    log,
    publicUrl: config.publicUrl,
    files: { folder: config.dataDir, s3: config.s3, clamd: config.clamd, soffice: config.soffice },
    outgoingAllow: config.outgoingAllow,
    // The demonstration watches the product itself; it runs only where no other machine reaches it.
    monitorOwn: config.demo ? `127.0.0.1:${config.port}` : undefined,
  };
}
