import type { TracedPart } from '../contract/files/edits.ts';
import { compareBodies } from './compare.ts';

export interface Version {
  text: string;
  /** The number of the change that made it; null for the first. */
  no: number | null;
}
interface Piece {
  text: string;
  by: number | null;
  gone: number | null;
}

/** Merges all versions of a text into one: the insertions and deletions of each change. */
export function traceOf([first, ...later]: readonly [Version, ...Version[]]): TracedPart[] {
  let pieces: Piece[] = [{ text: first.text, by: null, gone: null }];
  let before = first.text;
  for (const { text, no } of later) {
    pieces = changed(pieces, compareBodies(before, text), no);
    before = text;
  }
  return joined(pieces);
}

function changed(pieces: readonly Piece[], parts: ReturnType<typeof compareBodies>, no: number | null): Piece[] {
  const made: Piece[] = [];
  const rest = pieces.toReversed();
  /** Passes over a number of characters that still stand, with the deleted ones between them. */
  const pass = (letters: number, gone: number | null) => {
    let left = letters;
    while (left > 0) {
      const piece = rest.pop()!;
      if (piece.gone !== null) {
        made.push(piece);
        continue;
      }
      const text = piece.text.slice(0, left);
      if (text.length < piece.text.length) rest.push({ ...piece, text: piece.text.slice(left) });
      made.push({ ...piece, text, gone });
      left -= text.length;
    }
  };
  for (const { kind, text } of parts) {
    if (kind === 'new') made.push({ text, by: no, gone: null });
    else pass(text.length, kind === 'gone' ? no : null);
  }
  return [...made, ...rest.toReversed()];
}

function joined(pieces: readonly Piece[]): TracedPart[] {
  const whole: TracedPart[] = [];
  for (const { text, by, gone } of pieces) {
    if (text === '') continue;
    const kind = gone !== null ? 'gone' : by !== null ? 'new' : 'same';
    const last = whole.at(-1);
    if (last?.kind === kind && last.no === (gone ?? by)) last.text += text;
    else whole.push({ kind, text, no: gone ?? by });
  }
  return whole;
}
