import { ArchiveTooBig } from './sheet-archive.ts';
import { columnLetters } from './sheet-xml.ts';

/** Prefix of a number with more digits than a cell keeps: the number that was typed is lost. No text of a sheet begins with it. */
export const lostDigits = '\0';
/**
 * Prefixes of the text in a cell whose value cannot be read, of the first cell of a hidden line, and of both the text and the number of a cell that is
 * shown in another way than it is. No text of a sheet begins with them.
 */
export const [unreadCell, hiddenLine, shownCell] = ['\u0001', '\u0002', '\u0003'] as const;
/** From here on a number has more than the 15 digits that a spreadsheet keeps. */
export const mostInCell = 1e15;

const rowOrCell = /<(?:\w+:)?(row|c)\s(?:[^>]*?\s)?r\s*=\s*["']([^"'>]*)["'][^>]*?(\/?)>/g;
const address = /^([A-Z]{1,3})(\d{1,7})$/;
const rowNumber = /^\d{1,7}$/;
const sliceLength = 4 * 2 ** 20;
const mostColumns = 16_384;

export function columnNumber(letters: string): number {
  let number = 0;
  for (let i = 0; i < letters.length; i += 1) number = number * 26 + letters.charCodeAt(i) - 64;
  return number;
}

/** Yields XML in pieces that cut no tag, and no line where lines are shorter than a piece, so that a large sheet never becomes one text. */
export function* slicesOf(xml: Uint8Array): Generator<string> {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(from + sliceLength, bytes.length);
    if (to < bytes.length) {
      const line = bytes.lastIndexOf('row>', to - 4);
      const tag = bytes.lastIndexOf('<', to - 1);
      if (line > from) to = line + 'row>'.length;
      else if (tag > from) to = tag;
    }
    yield bytes.toString('latin1', from, to);
    from = to;
  }
}

/**
 * Finds the extent of a worksheet's cells in its XML before anything builds a grid: a single cell at XFD1048576 would otherwise become 17 thousand
 * million cells. Empty cells that only carry a style do not count. Returns the largest row and column, counted from 1; throws for an address that no
 * spreadsheet writes.
 */
export function cellBounds(xml: Uint8Array): { rows: number; columns: number } {
  const bounds = { rows: 0, columns: 0 };
  for (const text of slicesOf(xml)) {
    for (const [, element, at, empty] of text.matchAll(rowOrCell)) {
      if (element === 'row' ? !rowNumber.test(at!) : !address.test(at!)) throw new Error('an impossible address');
      if (element === 'row' || empty) continue;
      const [, letters, row] = address.exec(at!)!;
      bounds.rows = Math.max(bounds.rows, Number(row));
      bounds.columns = Math.max(bounds.columns, columnNumber(letters!));
    }
  }
  return bounds;
}

const withoutPlace = /<(?:\w+:)?(?:row|c)(?=[\s/>])(?![^>]*\sr\s*=)/;
const tag = /<((?:\w+:)?(row|c))(?=[\s/>])([^>]*)>/g;
const place = /\sr\s*=\s*["']([^"']*)["']/;

/**
 * Returns the XML with an address in every line and cell: the format lets a writer leave it out, and then it is the one after the one before. Throws
 * `ArchiveTooBig` if it grows beyond so many bytes.
 */
export function withPlaces(xml: Uint8Array, maxBytes: number): Uint8Array {
  let complete = true;
  for (const text of slicesOf(xml)) complete &&= !withoutPlace.test(text);
  if (complete) return xml;
  let [row, column, length] = [0, 0, 0];
  const placed = (text: string) =>
    text.replace(tag, (whole, name: string, element: string, attributes: string, at: number) => {
      const said = place.exec(attributes)?.[1];
      if (element === 'row') {
        column = 0;
        row = Number(said ?? lineOfCells(text, at + whole.length) ?? row + 1);
        return said === undefined ? `<${name} r="${row}"${attributes}>` : whole;
      }
      column = said === undefined ? column + 1 : columnNumber(address.exec(said)?.[1] ?? '');
      if (column > mostColumns) throw new Error('an impossible address');
      return said === undefined ? `<${name} r="${columnLetters(column - 1)}${row}"${attributes}>` : whole;
    });
  const pieces: Buffer[] = [];
  for (const text of slicesOf(xml)) {
    const piece = Buffer.from(placed(text), 'latin1');
    length += piece.length;
    if (length > maxBytes) throw new ArchiveTooBig();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Returns the number of the line whose first cell comes next in the text, if that cell says it. */
function lineOfCells(text: string, from: number): string | undefined {
  const tags = new RegExp(tag);
  tags.lastIndex = from;
  const [, , element, attributes = ''] = tags.exec(text) ?? [];
  const said = element === 'c' ? place.exec(attributes)?.[1] : undefined;
  return said === undefined ? undefined : address.exec(said)?.[2];
}
