import { diffArrays, diffChars } from 'diff';
import type { TextPart } from '../contract/revision.ts';

/** The limit of changes to find; a text beyond it is shown as deleted and inserted as a whole. */
const mostChanges = 2000;
/** A sentence that keeps less than this share of its characters counts as a different one. */
const alike = 0.5;
const longestSentence = 2000;

const sentencesOf = (text: string) => text.match(/[^。；！？\n]*[。；！？\n]|[^。；！？\n]+$/gu) ?? [];

/**
 * Compares two texts sentence by sentence, and character by character within an edited sentence. `most` limits the changes to find, of
 * sentences and of characters in one; the time grows with its square.
 */
export function compareBodies(before: string, after: string, most = mostChanges): TextPart[] {
  const found = diffArrays(sentencesOf(before), sentencesOf(after), { maxEditLength: most });
  if (!found) return joined([part('gone', before), part('new', after)]);
  const parts: TextPart[] = [];
  for (const [index, one] of found.entries()) {
    const text = one.value.join('');
    const next = found[index + 1];
    if (one.removed && next?.added) parts.push(...touchedUp(text, next.value.join(''), most));
    else if (one.added && found[index - 1]?.removed) continue;
    else parts.push(part(one.added ? 'new' : one.removed ? 'gone' : 'same', text));
  }
  return joined(parts);
}

const part = (kind: TextPart['kind'], text: string): TextPart => ({ kind, text });

function touchedUp(before: string, after: string, most: number): TextPart[] {
  const whole = [part('gone', before), part('new', after)];
  if (before.length > longestSentence || after.length > longestSentence) return whole;
  const letters = diffChars(before, after, { maxEditLength: most });
  const kept = letters?.reduce((sum, one) => (one.added || one.removed ? sum : sum + one.value.length), 0) ?? 0;
  if (!letters || kept < Math.max(before.length, after.length) * alike) return whole;
  return letters.map((one) => part(one.added ? 'new' : one.removed ? 'gone' : 'same', one.value));
}

/** Merges neighbours of one kind and drops empty parts. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const whole: TextPart[] = [];
  for (const one of parts) {
    const last = whole.at(-1);
    if (last?.kind === one.kind) last.text += one.text;
    else if (one.text !== '') whole.push({ ...one });
  }
  return whole;
}
