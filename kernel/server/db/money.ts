import { sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

/** An amount in yuan: `numeric(16,2)` in the database, a number with at most two decimals in the program. */
export const moneyColumn = customType<{ data: number; driverData: string }>({
  dataType: () => 'numeric(16, 2)',
  fromDriver: Number,
  toDriver: (amount) => amount.toFixed(2),
});

/** The sum of a column of amounts, computed by the database without losing fen; 0 if there are no rows. */
export const sumOf = (amount: AnyColumn | SQL, where?: SQL): SQL<number> =>
  sql`coalesce(sum(${amount})${where ? sql` filter (where ${where})` : sql``}, 0)`.mapWith(Number);
