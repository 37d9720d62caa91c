import { cutTo } from '#kernel/contract/words/cut.ts';

const around = 12;
const longest = 400;
const short = 60;
const shortened = (text: string) => cutTo(text, longest + 1);

/** The parts where two texts differ, with some words around; both in full if short. Linear in their length. */
export function excerpts(before: string, after: string): { before: string; after: string } {
  if (before.length <= short && after.length <= short) return { before, after };
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const from = Math.max(0, start - around);
  const cut = (text: string) => {
    const to = Math.min(text.length, text.length - end + around);
    return `${from > 0 ? '…' : ''}${shortened(text.slice(from, to))}${to < text.length ? '…' : ''}`;
  };
  return { before: cut(before), after: cut(after) };
}
