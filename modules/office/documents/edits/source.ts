import { linesOf } from '#kernel/server/text/rich-text.ts';

/** A version of a body before its text is extracted: formatted text, or the read text of its file. */
export interface Source {
  html: string;
  words: string | null;
  /** The number of the change that made it; null for the first. */
  no: number | null;
}

/** Parsing long formatted text takes time, so many versions are parsed in the thread, not in requests. */
export const textIn = ({ html, words }: Source): string => words ?? linesOf(html);
