import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { StartupError } from './config.ts';

const fileIn = (dataDir: string) => join(dataDir, 'session-secret');

/** The available secrets, each with its source; none is generated. */
export function secretsAtHand({ sessionSecret: given, dataDir }: Pick<Config, 'sessionSecret' | 'dataDir'>) {
  const file = fileIn(dataDir);
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return [
    ...(given === undefined ? [] : [{ secret: given, place: '环境变量 SESSION_SECRET' }]),
    ...(kept === '' ? [] : [{ secret: kept, place: `文件 ${file}` }]),
  ];
}

/**
 * The secret that signs sessions: SESSION_SECRET, else one generated on first use and kept in `dataDir/session-secret` (mode 0600).
 * Several nodes on one database must be given the same SESSION_SECRET: a generated one is this node's alone.
 */
export function sessionSecret(config: Pick<Config, 'sessionSecret' | 'dataDir'>): string {
  if (config.sessionSecret !== undefined) return config.sessionSecret;
  const file = fileIn(config.dataDir);
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
