import { sql } from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import { customType, index } from 'drizzle-orm/pg-core';
import type { IndexColumn } from 'drizzle-orm/pg-core';
import { pinyinOf } from './pinyin.ts';
import { wordsOf } from './words.ts';

// Chinese in stock PostgreSQL: every two neighbouring characters of a run are a lexeme at the first one's position, the
// last character stands alone. A word of two is one lexeme, a longer one a phrase of them, a single character a prefix.

export interface Searchable {
  texts: readonly (string | null | undefined)[];
  /** Names of people and departments: found by pinyin and initials too. */
  names?: readonly (string | null | undefined)[];
  /** Numbers and codes: found with or without their separators too. */
  codes?: readonly (string | null | undefined)[];
}

const maxCharacters = 20_000;
/** A tsvector holds 1 MB; names and numbers make more of a text than its length. */
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

/** The column that `matches` asks, written by `searchVector`. Select it nowhere: it is of use to the index only. */
export function searchColumn() {
  return tsvector('search').notNull().default('');
}

export function searchIndex(name: string, column: IndexColumn) {
  return index(name).using('gin', column);
}

/**
 * A tsvector literal of what a row shall be found by: at most 20,000 characters of all texts together. Phrases are found
 * within the first 16,383 characters, pairs and words throughout.
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

/** A name of several parts without what stands between them: nobody who leaves out its dot or its blank misses it. */
function joinedOf(name: string): string[] {
  const parts = wordsOf(name, maxLexeme);
  return parts.length > 1 ? [parts.flatMap(({ characters }) => characters).join('')] : [];
}

/** A word, and for a long run of digits in it the run and its tails, so that the end of a serial number is found. */
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

/** Text of a tsquery for what somebody typed, all words wanted; undefined when there is nothing to search for in it. */
export function searchQuery(searchValue: string): string | undefined {
  const terms = termsOf(searchValue).map((term) => (term.length === 1 ? term[0]! : `(${term.join(' <-> ')})`));
  return terms.length > 0 ? terms.join(' & ') : undefined;
}

/** The single parts of that query, each a tsquery of its own. */
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
 * Condition of a list's search box; undefined when the box is empty, false when it holds nothing to search for. Run the
 * query unnamed: prepared by name, PostgreSQL soon plans it without looking at the word.
 */
export function matches(column: AnyColumn, searchValue: string): SQL | undefined {
  if (searchValue.trim() === '') return undefined;
  const query = searchQuery(searchValue);
  return query === undefined ? sql`false` : sql`${column} @@ ${query}::tsquery`;
}
