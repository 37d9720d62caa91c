const blankWithin = /(?<=\p{sc=Han})\s+(?=\p{sc=Han})/gu;
/** Signs that people take for the dot between the parts of a name. */
const dots = /\s*[\u00B7\u2022\u30FB\u2027\u2219\u22C5]\s*/g;

/** The name of a person written one way, however it was typed: one width, one dot between its parts, no blanks within Chinese. */
export const personNameOf = (typed: string): string =>
  typed.normalize('NFKC').replace(dots, '·').replace(blankWithin, '').replace(/\s+/g, ' ').trim();
