import { setTimeout as pause } from 'node:timers/promises';

/** The database cannot be asked just now, or takes no writes. */
export class Away extends Error {
  constructor(cause?: unknown) {
    super('the database is away', { cause });
    this.name = 'Away';
  }
}

/** Whether it was the database that kept a call from its answer. What else was not reached is the caller's own matter. */
export function isAway(error: unknown): boolean {
  return error instanceof Away || (error instanceof Error && isAway(error.cause));
}

const unreachable = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|08|57P0)/;
const unspoken =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered/i;

/** Whether it was the database that was away, went away or had no connection left, whatever was asked of it: the same may be asked again later. */
export function isLost(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && unreachable.test(at.code)) return true;
    if (at instanceof Away || unspoken.test(at.message)) return true;
  }
  return false;
}

/** Of the pool, and of nothing else: a connection that is only being made and takes too long is "terminated". */
const poolFull = 'timeout exceeded when trying to connect';
/** Too many connections; a lock that others held too long. */
const crowded = new Set(['53300', '55P03']);

/** Whether too much was asked at once: every connection was taken, or a lock was, for longer than anybody waits. */
export function isCrowded(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at.message === poolFull || ('code' in at && crowded.has(String(at.code)))) return true;
  return false;
}

const longestMillis = 60_000;
const pauseMillis = 200;

/** Does the work, and while the database is away again and again, a minute at most: for what is true whether or not it can be written down. */
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
