import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { StartupError } from './config.ts';

/**
 * The secret that signs sessions: SESSION_SECRET, else one generated on first use and kept in `dataDir/session-secret` (mode 0600).
 * Several nodes on one database must be given the same SESSION_SECRET: a generated one is this node's alone.
 */
export function sessionSecret(config: Pick<Config, 'sessionSecret' | 'dataDir'>): string {
  if (config.sessionSecret !== undefined) return config.sessionSecret;
  const file = join(config.dataDir, 'session-secret');
  mkdirSync(config.dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const kept = readFileSync(file, 'utf8').trim();
  if (kept.length < 32) throw new StartupError(`会话密钥文件 ${file} 已损坏，请从备份中恢复它。`);
  return kept;
}
