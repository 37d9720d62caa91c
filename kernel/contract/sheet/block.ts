/** The cell where a block is pasted, and the maximum number of rows. */
export interface BlockPlace {
  row: number;
  column: number;
  max: number;
}

/**
 * Returns the rows after a block of a spreadsheet was pasted at a cell: tabs separate columns, line ends rows. Null if the text is not a block, so
 * that it is pasted as text. `write` returns a row with one cell set, or a new row after the `made` new ones so far; for a column that cannot take
 * the cell it returns the row unchanged.
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

/** The number of lines of a block that do not fit. */
export const linesOver = (text: string, { row, max }: BlockPlace): number =>
  Math.max(0, row + linesOf(text).length - max);
