import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Whether a text holds what somebody typed, letter by letter, whatever the case. */
export const contains = (text: AnyColumn | SQL, typed: string): SQL => sql`${text} ilike ${`%${literal(typed)}%`}`;

/** Whether a text begins with it, in this very case: an index answers that. */
export const startsWith = (text: AnyColumn | SQL, typed: string): SQL => sql`${text} like ${`${literal(typed)}%`}`;
