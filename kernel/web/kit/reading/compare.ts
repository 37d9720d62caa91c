import { diffArrays } from 'diff';

export interface Difference {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** The maximum number of removed and added lines: beyond that the two texts are not versions of each other. */
const max = 1000;

/** Compares the lines of two texts; null if they differ too much. */
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
