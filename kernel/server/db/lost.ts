import { setTimeout as pause } from 'node:timers/promises';

const unreachable = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|08|57P0)/;
const unspoken =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered/i;

/** Whether it was the database that was away or went away, whatever was asked of it: the same may be asked again later. */
export function isLost(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && unreachable.test(at.code)) return true;
    if (unspoken.test(at.message)) return true;
  }
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
