/** Where a block is pasted, and how many rows there may be then. */
export interface BlockPlace {
  row: number;
  column: number;
  max: number;
}

/**
 * The rows after a block of a spreadsheet was pasted at a cell: columns by tabs, rows by line ends. Null when the text is no block, so that
 * it is pasted as text. `write` gives a row with a cell in it, a new one after those `made` so far; a column that cannot take the cell gives the
 * row back as it was.
 */
export function pasteBlock<Row extends object>(
  text: string,
  rows: readonly Row[],
  { row: first, column: left, max }: BlockPlace,
  write: (row: Row | undefined, column: number, cell: string, made: readonly Row[]) => Row,
): Row[] | null {
  const lines = linesOf(text);
  if (lines.length < 2 && !text.includes('\t')) return null;
  const next = [...rows];
  for (const [down, line] of lines.slice(0, max - first).entries()) {
    let row = next[first + down];
    for (const [right, cell] of line.split('\t').entries()) row = write(row, left + right, cell.trim(), next);
    next[first + down] = row!;
  }
  return next;
}

const linesOf = (text: string): string[] => text.replace(/\r?\n$/, '').split(/\r?\n/);

/** Lines of a block for which there is no room. */
export const linesOver = (text: string, { row, max }: BlockPlace): number =>
  Math.max(0, row + linesOf(text).length - max);
