import { sql } from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import { customType, index } from 'drizzle-orm/pg-core';
import type { IndexColumn } from 'drizzle-orm/pg-core';
import { pinyinOf } from './pinyin.ts';
import { wordsOf } from './words.ts';

// Chinese in stock PostgreSQL: every two neighbouring characters of a run form a lexeme at the position of the first, and the last character stands
// alone. A word of two characters is one lexeme, a longer one a phrase of them, a single character a prefix.

export interface Searchable {
  texts: readonly (string | null | undefined)[];
  /** Names of people and departments: found also by pinyin and initials. */
  names?: readonly (string | null | undefined)[];
  /** Numbers and codes: found also without their separators. */
  codes?: readonly (string | null | undefined)[];
}

const maxCharacters = 20_000;
/** A tsvector holds 1 MB; names and numbers take up more than the length of their text. */
const maxBytes = 500_000;
const maxQuery = 200;
const maxWords = 16;
const maxPosition = 16_383;
const maxPositions = 255;
const maxLexeme = 255;
const textGap = 8;
const tailsFrom = 6;
const shortestTail = 4;
const longestTail = 32;

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** The column that `matches` searches, written by `searchVector`. Never select it: only the index uses it. */
export function searchColumn() {
  return tsvector('search').notNull().default('');
}

export function searchIndex(name: string, column: IndexColumn) {
  return index(name).using('gin', column);
}

/**
 * A tsvector literal of the texts that a row is found by: at most 20,000 characters together. Phrases are found within the first 16,383 characters,
 * pairs and words throughout.
 */
export function searchVector({ texts, names = [], codes = [] }: Searchable): string {
  const lexemes = new Map<string, number[]>();
  let left = maxCharacters;
  let position = 1;
  let bytes = 0;
  const add = (lexeme: string, at?: number) => {
    const positions = lexemes.get(lexeme) ?? [];
    if (!lexemes.has(lexeme)) bytes += Buffer.byteLength(lexeme);
    if (bytes > maxBytes) return;
    lexemes.set(lexeme, positions);
    if (at !== undefined && at <= maxPosition && positions.length < maxPositions) positions.push(at);
  };
  const joined = names.flatMap((name) => joinedOf(name ?? ''));
  for (const text of [...names, ...joined, ...codes, ...texts]) {
    if (!text || left <= 0) continue;
    for (const { cjk, characters } of wordsOf(text, left)) {
      left -= characters.length;
      if (cjk) characters.forEach((first, i) => add(first + (characters[i + 1] ?? ''), position + i));
      else for (const lexeme of latinLexemes(characters)) add(lexeme);
      position += characters.length + 1;
    }
    position += textGap;
  }
  for (const name of [...names, ...joined]) for (const typed of pinyinOf((name ?? '').slice(0, 100))) add(typed);
  for (const code of codes) {
    const plain = wordsOf(code ?? '', maxLexeme).flatMap((w) => (w.cjk ? [] : w.characters));
    if (plain.length > 0) for (const lexeme of latinLexemes(plain)) add(lexeme);
  }
  return Array.from(lexemes, ([lexeme, at]) => quoted(lexeme) + (at.length > 0 ? `:${at.join(',')}` : '')).join(' ');
}

/** A name of several parts without its separators, so that it is found without typing its dot or blank. */
function joinedOf(name: string): string[] {
  const parts = wordsOf(name, maxLexeme);
  return parts.length > 1 ? [parts.flatMap(({ characters }) => characters).join('')] : [];
}

/** A word, and for a long run of digits the run and its tails, so that the end of a serial number finds it. */
function latinLexemes(characters: string[]): string[] {
  const found = [characters.slice(0, maxLexeme).join('')];
  for (const [digits] of characters.join('').matchAll(/\d+/g)) {
    if (digits.length < tailsFrom) continue;
    const longest = Math.min(digits.length, longestTail);
    for (let length = longest; length >= shortestTail; length -= 1) found.push(digits.slice(-length));
  }
  return found;
}

/** Words hold letters, digits and marks only, never a quote or a backslash: quoting them is enough. */
function quoted(lexeme: string): string {
  return `'${lexeme}'`;
}

/** The tsquery text of what was typed, requiring all words; undefined if there is nothing to search for in it. */
export function searchQuery(searchValue: string): string | undefined {
  const terms = termsOf(searchValue).map((term) => (term.length === 1 ? term[0]! : `(${term.join(' <-> ')})`));
  return terms.length > 0 ? terms.join(' & ') : undefined;
}

/** The single parts of that query, each as a tsquery. */
export function searchLexemes(searchValue: string): string[] {
  return [...new Set(termsOf(searchValue).flat())];
}

function termsOf(searchValue: string): string[][] {
  return wordsOf(searchValue, maxQuery)
    .slice(0, maxWords)
    .map(({ cjk, characters }) =>
      !cjk || characters.length === 1
        ? [`${quoted(characters.slice(0, maxLexeme).join(''))}:*`]
        : characters.slice(1).map((second, i) => quoted(characters[i]! + second)),
    );
}

/**
 * The condition of a list's search box; undefined if the box is empty, false if it contains nothing to search for. Run the query unnamed: prepared by
 * name, PostgreSQL soon plans it without looking at the word.
 */
export function matches(column: AnyColumn, searchValue: string): SQL | undefined {
  if (searchValue.trim() === '') return undefined;
  const query = searchQuery(searchValue);
  return query === undefined ? sql`false` : sql`${column} @@ ${query}::tsquery`;
}
