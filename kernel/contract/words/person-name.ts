/** Blanks beside a single character, as in 张 三; blanks between longer words separate a name from what precedes it. */
const blankWithin = /(?<=(?<!\p{sc=Han})\p{sc=Han})\s+(?=\p{sc=Han})|(?<=\p{sc=Han})\s+(?=\p{sc=Han}(?!\p{sc=Han}))/gu;
/** Characters that people type for the dot between the parts of a name. */
const dots = /\s*[\u00B7\u2022\u30FB\u2027\u2219\u22C5]\s*/g;

/** Normalises a person's name, however it was typed: one width, one dot between its parts, no blanks within a Chinese name, Chinese brackets. */
export function personNameOf(typed: string): string {
  const plain = typed.normalize('NFKC').replace(dots, '·').replace(blankWithin, '').replace(/\s+/g, ' ').trim();
  return /\p{sc=Han}/u.test(plain) ? plain.replaceAll('(', '（').replaceAll(')', '）') : plain;
}
