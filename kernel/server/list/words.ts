import { unified, withoutUnseen } from '#kernel/contract/words/plainly.ts';

/** A run of Chinese, Japanese or Korean characters, or a word of other letters and digits; lower case, half width. */
export interface Word {
  cjk: boolean;
  characters: string[];
}

const word =
  /(?<cjk>[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}]&&[\p{L}\p{N}\p{M}]]+)|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}]]+/gv;

/** Writes text that people take to be the same in one form: one width, radicals as characters, lower case, without invisible characters. */
export function plainText(text: string): string {
  return unified(withoutUnseen(text)).toLowerCase().normalize('NFKC');
}

/** The words of a text in order, from at most `limit` of its characters. They contain only letters, digits and marks. */
export function wordsOf(text: string, limit: number): Word[] {
  // NFKC makes up to 18 characters out of one, so the text is cut before and after.
  const plain = Array.from(plainText(text.slice(0, limit * 2)));
  const cut = plain.length > limit ? plain.slice(0, limit) : plain;
  return Array.from(cut.join('').matchAll(word), (match) => ({
    cjk: match.groups?.cjk !== undefined,
    characters: Array.from(match[0]),
  }));
}
