import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from '#kernel/server/process/config.ts';
import { openDatabase } from './database.ts';

/** Said to a process that is to stop; a signal would end it on the spot where the system knows none. */
export const stopWord = 'stop';
/** Milliseconds until one that ended by itself is begun anew. */
const anewMs = 1000;

/**
 * Several processes of one machine that answer at one port. Each is a node like those of other machines; this one answers nothing: it
 * opens the database, hands connections round and begins anew what has ended.
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

  // The first brings the tables and the first data up to date; the others find them so.
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
