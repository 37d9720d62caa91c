import { and, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { wordsOf } from './words.ts';

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** True if a text contains what was typed, literally but ignoring case. */
export const contains = (text: AnyColumn | SQL, typed: string): SQL => sql`${text} ilike ${`%${literal(typed)}%`}`;

/** True if the text contains each of the typed words; true for no words. */
export const containsWords = (text: AnyColumn | SQL, typed: string): SQL | undefined =>
  and(...wordsOf(typed, 200).map(({ characters }) => contains(text, characters.join(''))));

/** True if a text begins with what was typed, in the same case, so that an index can answer. */
export const startsWith = (text: AnyColumn | SQL, typed: string): SQL => sql`${text} like ${`${literal(typed)}%`}`;
