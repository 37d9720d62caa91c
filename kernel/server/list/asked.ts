import type { SQL } from 'drizzle-orm';

/** A condition of what a list is asked for, where it is. */
export const asked = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
  value === undefined ? undefined : condition(value);
