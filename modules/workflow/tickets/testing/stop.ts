import type { Broken } from '../commands/savepoint.ts';

/** Where no ticket may break: the test fails with what broke it. */
export const stop: Broken = (error) => {
  throw error;
};
