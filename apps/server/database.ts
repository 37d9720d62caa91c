import type { Config } from '#kernel/server/config.ts';
import { findEmbedded, startEmbedded } from '#kernel/server/embedded-postgres.ts';

interface Opened {
  url: string;
  stop(): Promise<void>;
}

/** The configured database: an external one, or the embedded one, started. */
export async function openDatabase(config: Config, log: (line: string) => void): Promise<Opened> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => undefined };
  const { url, stop } = await startEmbedded({ dataDir: config.dataDir, log });
  return { url, stop };
}

/** The same for commands beside the product: an embedded one that runs already is used and left running. */
export async function reachDatabase(config: Config, log: (line: string) => void): Promise<Opened> {
  const running = config.databaseUrl ? undefined : findEmbedded(config.dataDir);
  return running ? { url: running.url, stop: async () => undefined } : openDatabase(config, log);
}
