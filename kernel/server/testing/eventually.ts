import { vi } from 'vitest';

/**
 * Waits until a claim holds, and returns its result. The limit, in milliseconds, only catches a hang: a shared machine is several times slower than a
 * quiet one. Do not use it for what is promised to happen at once.
 */
export const eventually = <T>(claim: () => T | Promise<T>, limit = 60_000): Promise<T> =>
  vi.waitFor(claim, { timeout: limit, interval: 30 });
