import type { Config } from '#kernel/server/config.ts';
import { startEmbedded } from '#kernel/server/embedded-postgres.ts';

/** The configured database: an external one, or the embedded one, started. */
export async function openDatabase(
  config: Config,
  log: (line: string) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => undefined };
  const { url, stop } = await startEmbedded({ dataDir: config.dataDir, log });
  return { url, stop };
}
