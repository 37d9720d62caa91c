import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from '#kernel/server/process/config.ts';
import { openDatabase } from './database.ts';

/** The message that stops a process; on systems without signals a signal would kill it. */
export const stopWord = 'stop';
/** Milliseconds until a process that ended by itself is started again. */
const anewMs = 1000;

/**
 * Several processes of one machine that answer at one port. Each is a node like those of other machines; the leading process answers nothing: it
 * opens the database, distributes connections and restarts processes that ended.
 */
export async function leadProcesses(config: Config, log: Logger): Promise<void> {
  const database = await openDatabase(config, (line) => log.info(line));
  const own = { DATABASE_URL: database.url, DEMO: config.demo ? '1' : '0' };
  const living = () => Object.values(cluster.workers ?? {}).filter((one) => one !== undefined);
  let stopping = false;
  let answering = false;
  const begin = () => {
    if (!stopping) cluster.fork(own);
  };
  const end = (code: number) => void database.stop().finally(() => process.exit(code));

  // The first process migrates and seeds the database; the others find it ready.
  cluster.on('listening', ({ process: { pid } }) => {
    log.info({ process: pid }, 'process answers');
    if (answering) return;
    answering = true;
    for (let more = 1; more < config.processes; more++) begin();
  });
  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    if (!answering) end(code || 1);
    else if (!stopping) {
      log.error({ process: pid, code, signal }, 'process ended by itself');
      setTimeout(begin, anewMs);
    } else if (living().length === 0) end(0);
  });
  const stop = () => {
    if (stopping) return;
    stopping = true;
    if (living().length === 0) end(0);
    for (const one of living()) if (one.isConnected()) one.send(stopWord);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  begin();
}
