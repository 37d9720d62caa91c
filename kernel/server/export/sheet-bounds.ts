/** Prefix of a number with more digits than a cell keeps: the number that was typed is lost. No text of a sheet begins with it. */
export const lostDigits = '\0';
/** Prefixes of the text in a cell whose value cannot be read, and of the first cell of a hidden line. No text of a sheet begins with them. */
export const [unreadCell, hiddenLine] = ['\u0001', '\u0002'] as const;
/** From here on a number has more than the 15 digits that a spreadsheet keeps. */
export const mostInCell = 1e15;

const rowOrCell = /<(?:\w+:)?(row|c)\s(?:[^>]*?\s)?r\s*=\s*["']([^"'>]*)["'][^>]*?(\/?)>/g;
const address = /^([A-Z]{1,3})(\d{1,7})$/;
const rowNumber = /^\d{1,7}$/;
const sliceLength = 4 * 2 ** 20;

export function columnNumber(letters: string): number {
  let number = 0;
  for (let i = 0; i < letters.length; i += 1) number = number * 26 + letters.charCodeAt(i) - 64;
  return number;
}

/**
 * Finds the extent of a worksheet's cells in its XML before anything builds a grid: a single cell at XFD1048576 would otherwise become 17 thousand
 * million cells. Empty cells that only carry a style do not count. Returns the largest row and column, counted from 1; throws for an address that no
 * spreadsheet writes.
 */
export function cellBounds(xml: Uint8Array): { rows: number; columns: number } {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  const bounds = { rows: 0, columns: 0 };
  let from = 0;
  while (from < bytes.length) {
    let to = Math.min(from + sliceLength, bytes.length);
    const tag = to < bytes.length ? bytes.lastIndexOf('<', to - 1) : -1;
    if (tag > from) to = tag;
    for (const [, element, at, empty] of bytes.toString('latin1', from, to).matchAll(rowOrCell)) {
      if (element === 'row' ? !rowNumber.test(at!) : !address.test(at!)) throw new Error('an impossible address');
      if (element === 'row' || empty) continue;
      const [, letters, row] = address.exec(at!)!;
      bounds.rows = Math.max(bounds.rows, Number(row));
      bounds.columns = Math.max(bounds.columns, columnNumber(letters!));
    }
    from = to;
  }
  return bounds;
}
