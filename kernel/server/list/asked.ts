import type { SQL } from 'drizzle-orm';

/** The condition for a filter value, or undefined if the value was not given. */
export const asked = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
  value === undefined ? undefined : condition(value);
