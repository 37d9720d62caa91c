import { vi } from 'vitest';

/**
 * Waits until what is claimed holds, and answers what it answers. The limit, in milliseconds, is for what hangs: a machine that others share is
 * several times slower than a quiet one. What is promised to happen at once is not waited for by this.
 */
export const eventually = <T>(claim: () => T | Promise<T>, limit = 60_000): Promise<T> =>
  vi.waitFor(claim, { timeout: limit, interval: 30 });
