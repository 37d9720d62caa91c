import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StartupError, type Config } from '#kernel/server/process/config.ts';
import type { Seeded } from './seed.ts';

/** The final message of the process that fills the database. */
export type SeedAnswer = { seeded: Seeded } | { refused: string };

/**
 * Fills an empty database with the demonstration in a separate process: the code, pictures and rows need twice the memory of the product itself.
 * Throws `StartupError` if that process refused.
 */
export async function seedApart(config: Config, databaseUrl: string): Promise<Seeded> {
  const program = fileURLToPath(new URL('seed-program.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: databaseUrl, DEMO: config.demo ? '1' : '0' };
  const child = fork(program, { env, execArgv: [] });
  const heard: SeedAnswer[] = [];
  child.on('message', (said: SeedAnswer) => heard.push(said));
  // The final message may arrive after the process ends, but not after the channel ends.
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const [answer] = heard;
  if (!answer) throw new Error(`the process that fills the database ended with ${code ?? signal}`);
  if ('refused' in answer) throw new StartupError(answer.refused);
  return answer.seeded;
}
