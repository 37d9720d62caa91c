import { diffArrays } from 'diff';

export interface Difference {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Lines taken out and put in that are looked for, at most: beyond that the two are no versions of each other. */
const max = 1000;

/** What became of the lines of a text; null where the two differ in too much. */
export function compareTexts(before: string, after: string): Difference[] | null {
  const parts = diffArrays(linesOf(before), linesOf(after), { maxEditLength: max });
  if (!parts) return null;
  return parts.flatMap(({ added, removed, value }) =>
    value.map((text) => ({ kind: removed ? ('gone' as const) : added ? ('new' as const) : ('same' as const), text })),
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
