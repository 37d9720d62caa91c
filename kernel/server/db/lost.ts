import { setTimeout as pause } from 'node:timers/promises';

/** The database cannot be reached at the moment, or accepts no writes. */
export class Away extends Error {
  constructor(cause?: unknown) {
    super('the database is away', { cause });
    this.name = 'Away';
  }
}

/** True if the database failed a call. Failures of other systems are the caller's own matter. */
export function isAway(error: unknown): boolean {
  return error instanceof Away || (error instanceof Error && isAway(error.cause));
}

const unreachable = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|08|57P0)/;
const unspoken =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered/i;

/** True if the database was away, went away or had no free connection, so that the same request may succeed later. */
export function isLost(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && unreachable.test(at.code)) return true;
    if (at instanceof Away || unspoken.test(at.message)) return true;
  }
  return false;
}

/** The message of a full pool only: a connection that takes too long to be made says "terminated". */
const poolFull = 'timeout exceeded when trying to connect';
/** Too many connections; a lock that was held too long. */
const crowded = new Set(['53300', '55P03']);

/** True if too many requests came at once: all connections were in use, or a lock was held, longer than the waiting limit. */
export function isCrowded(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at.message === poolFull || ('code' in at && crowded.has(String(at.code)))) return true;
  return false;
}

const longestMillis = 60_000;
const pauseMillis = 200;

/** Repeats the work while the database is away, for a minute at most; for work whose result holds whether or not it can be recorded. */
export async function outlast<T>(work: () => Promise<T>): Promise<T> {
  for (const giveUp = Date.now() + longestMillis; ;) {
    try {
      return await work();
    } catch (error) {
      if (!isLost(error) || Date.now() > giveUp) throw error;
      await pause(pauseMillis);
    }
  }
}
