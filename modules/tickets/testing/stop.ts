import type { Broken } from '../alone.ts';

/** Where no ticket may break: the test fails with what broke it. */
export const stop: Broken = (error) => {
  throw error;
};
