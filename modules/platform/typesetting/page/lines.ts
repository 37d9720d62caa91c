import type { Run } from '../blocks.ts';
import type { Face, Measure } from '../ink/measures.ts';

export interface Style {
  face: Face;
  size: number;
  spacing: number;
}
/** A part of a line in one style, at `x` from the line's own left edge. */
export interface Piece extends Run {
  face: Face;
  x: number;
  width: number;
}
export interface Line {
  pieces: Piece[];
  width: number;
  /** Space added to each character so that the line ends at the edge. */
  extra: number;
}
interface Atom {
  text: string;
  run: Run;
  face: Face;
  width: number;
  blank: boolean;
}

const neverFirst = /^[，。、；：？！）》」』】〕〉”’…—·,.;:?!)\]}%℃]/u;
const neverLast = /[（《「『【〔〈“‘([{]$/u;
const longestSplit = 40;
const atomPattern = /[\x21-\x7e\u00a1-\u024f]+| +|[^]/gu;

function atomsOf(runs: readonly (Run & { face: Face })[], { size, spacing }: Style, measure: Measure): Atom[] {
  return runs.flatMap((run) =>
    (run.text.match(atomPattern) ?? [])
      // A word longer than a line may be cut anywhere.
      .flatMap((text) => (text.length > longestSplit ? [...text] : [text]))
      .map((text) => ({
        text,
        run,
        face: run.face,
        width: measure(text, run.face, size) + [...text].length * spacing,
        blank: text.trim() === '' && !text.includes('　'),
      })),
  );
}

/** The end of a line that begins at `from`: characters that must not begin or end a line move with their neighbour. */
function endOfLine(atoms: readonly Atom[], from: number, room: number): number {
  let width = 0;
  let to = from;
  while (to < atoms.length) {
    width += atoms[to]!.width;
    if (width > room + 0.01 && to > from) break;
    to += 1;
  }
  if (to >= atoms.length) return to;
  const natural = to;
  while (to > from + 1 && natural - to < 4 && (neverFirst.test(atoms[to]!.text) || neverLast.test(atoms[to - 1]!.text)))
    to -= 1;
  const held = neverFirst.test(atoms[to]!.text) || neverLast.test(atoms[to - 1]!.text);
  return held ? natural : to;
}

function lineOf(atoms: readonly Atom[], extra: number): Line {
  const pieces: Piece[] = [];
  let x = 0;
  for (const { text, run, face, width } of atoms) {
    const more = width + [...text].length * extra;
    const last = pieces.at(-1);
    if (last && last.face === face && last.underlined === run.underlined && last.slanted === run.slanted) {
      last.text += text;
      last.width += more;
    } else pieces.push({ ...run, text, face, x, width: more });
    x += more;
  }
  return { pieces, width: x - extra, extra };
}

/**
 * Breaks a paragraph into lines of at most `width`, the first shorter by `indent`, by the rules of Chinese typesetting; if justified, each line but
 * the last gets the full width.
 */
export function breakLines(
  runs: readonly (Run & { face: Face })[],
  style: Style,
  measure: Measure,
  { width, indent = 0, justified = true }: { width: number; indent?: number; justified?: boolean },
): Line[] {
  const atoms = atomsOf(runs, style, measure);
  const lines: Line[] = [];
  let from = 0;
  while (from < atoms.length) {
    const room = lines.length === 0 ? width - indent : width;
    const to = endOfLine(atoms, from, room);
    let seen = to;
    while (seen > from && atoms[seen - 1]!.blank) seen -= 1;
    const held = atoms.slice(from, seen);
    const used = held.reduce((sum, atom) => sum + atom.width, 0);
    const characters = held.reduce((sum, atom) => sum + [...atom.text].length, 0);
    // The last character's own spacing lies beyond the edge.
    const extra = to < atoms.length && justified && characters > 1 ? (room - used) / (characters - 1) : 0;
    lines.push(lineOf(held, extra < style.size / 3 ? extra : 0));
    from = to;
    while (from < atoms.length && atoms[from]!.blank) from += 1;
  }
  return lines;
}
