/** Blanks beside a single character, as in 张 三: between longer words they part a name from what stands before it. */
const blankWithin = /(?<=(?<!\p{sc=Han})\p{sc=Han})\s+(?=\p{sc=Han})|(?<=\p{sc=Han})\s+(?=\p{sc=Han}(?!\p{sc=Han}))/gu;
/** Signs that people take for the dot between the parts of a name. */
const dots = /\s*[\u00B7\u2022\u30FB\u2027\u2219\u22C5]\s*/g;

/** The name of a person written one way, however it was typed: one width, one dot between its parts, no blanks within a Chinese name, brackets as Chinese has them. */
export function personNameOf(typed: string): string {
  const plain = typed.normalize('NFKC').replace(dots, '·').replace(blankWithin, '').replace(/\s+/g, ' ').trim();
  return /\p{sc=Han}/u.test(plain) ? plain.replaceAll('(', '（').replaceAll(')', '）') : plain;
}
