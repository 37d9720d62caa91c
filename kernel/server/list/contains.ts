import { and, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { wordsOf } from './words.ts';

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Whether a text holds what somebody typed, letter by letter, whatever the case. */
export const contains = (text: AnyColumn | SQL, typed: string): SQL => sql`${text} ilike ${`%${literal(typed)}%`}`;

/** Whether each of the words that somebody typed stands in it; true of none. */
export const containsWords = (text: AnyColumn | SQL, typed: string): SQL | undefined =>
  and(...wordsOf(typed, 200).map(({ characters }) => contains(text, characters.join(''))));

/** Whether a text begins with it, in this very case: an index answers that. */
export const startsWith = (text: AnyColumn | SQL, typed: string): SQL => sql`${text} like ${`${literal(typed)}%`}`;
