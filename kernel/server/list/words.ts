import { unified, withoutUnseen } from '#kernel/contract/words/plainly.ts';

/** A run of Chinese, Japanese or Korean characters, or a word of other letters and digits; lower case, half width. */
export interface Word {
  cjk: boolean;
  characters: string[];
}

const word =
  /(?<cjk>[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}]&&[\p{L}\p{N}\p{M}]]+)|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}]]+/gv;

/** One form for what people take to be the same text: one width, radicals as characters, lower case, without what nobody sees. */
export function plainText(text: string): string {
  return unified(withoutUnseen(text)).toLowerCase().normalize('NFKC');
}

/** The words of a text in their order, at most `limit` characters of it. Only letters, digits and marks are left in them. */
export function wordsOf(text: string, limit: number): Word[] {
  // NFKC makes up to 18 characters of one, so the text is cut before and after.
  const plain = Array.from(plainText(text.slice(0, limit * 2)));
  const cut = plain.length > limit ? plain.slice(0, limit) : plain;
  return Array.from(cut.join('').matchAll(word), (match) => ({
    cjk: match.groups?.cjk !== undefined,
    characters: Array.from(match[0]),
  }));
}
