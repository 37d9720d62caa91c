import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError, type Config } from '#kernel/server/process/config.ts';
import { findEmbedded, startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';

/** Database connections of one process. */
const mostConnections = 32;

interface Opened {
  url: string;
  stop(): Promise<void>;
}

/** The configured database: an external one, or the embedded one, which is started. */
export async function openDatabase(config: Config, log: (line: string) => void): Promise<Opened> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => undefined };
  log('正在启动内置数据库……');
  // As many as all processes may take, and some for commands.
  const max_connections = String(Math.max(100, config.processes * mostConnections + 20));
  const { url, stop } = await startEmbedded({ dataDir: config.dataDir, log, settings: { max_connections } });
  return { url, stop };
}

/**
 * The database for commands that run beside the product: an embedded one that is already running is used and left running. Throws `StartupError` if
 * there is none.
 */
export async function reachDatabase(config: Config, log: (line: string) => void): Promise<Opened> {
  return config.databaseUrl ? openDatabase(config, log) : reachEmbedded(config.dataDir, log);
}

/** The embedded database under a data directory, with the superuser's address. Throws `StartupError` if there is none. */
export async function reachEmbedded(
  dataDir: string,
  log: (line: string) => void,
): Promise<Opened & { adminUrl: string }> {
  const running = findEmbedded(dataDir);
  if (running) return { ...running, stop: async () => undefined };
  if (!existsSync(join(dataDir, 'postgres', 'cluster')))
    throw new StartupError(`数据目录 ${dataDir} 里没有数据库，请检查环境变量 DATA_DIR。`);
  return startEmbedded({ dataDir, log });
}
