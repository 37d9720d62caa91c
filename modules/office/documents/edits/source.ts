import { linesOf } from '#kernel/server/text/rich-text.ts';

/** A version of a body before its words are taken out of it: formatted text, or what was read of its file. */
export interface Source {
  html: string;
  words: string | null;
  /** Of the change that made it; null for the first. */
  no: number | null;
}

/** Long formatted text takes some time: many versions of it are read beside the requests. */
export const textIn = ({ html, words }: Source): string => words ?? linesOf(html);
