import { parentPort, workerData } from 'node:worker_threads';
import { readSheet } from 'read-excel-file/universal';
import { ArchiveTooBig, packLoose, unpackWorkbook } from './sheet-archive.ts';
import { cellBounds, hiddenLine, lostDigits, mostInCell, shownCell, unreadCell, withPlaces } from './sheet-bounds.ts';
import { formatsOf, marksOf, shownSheet, type SheetMarks } from './sheet-marks.ts';
import type { SheetAnswer, SheetQuestion } from './sheet-reader.ts';

const cellsInMessage = 4000;

type Cell = string | number | boolean | Date | null;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell.trim();
  // A spreadsheet shows 15 digits: there 0.1 + 0.2 is 0.3.
  if (typeof cell === 'number')
    return (Math.abs(cell) < mostInCell ? '' : lostDigits) + String(Number(cell.toPrecision(15)));
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  const iso = cell.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}

interface Found {
  rows: Cell[][];
  beside: string[];
  hiddenColumns: number[];
}

/** Returns the values of a sheet as its author sees them. */
function asShown(rows: Cell[][], { unread, hidden, merged, formatted }: SheetMarks): Cell[][] {
  reach(rows, unread);
  const put = (row: number, column: number, cell: Cell) => {
    if (rows[row] && column < rows[row].length) rows[row][column] = cell;
  };
  for (const { row, column, shows } of formatted) {
    const text = cellText(rows[row]?.[column] ?? null);
    if (!text.startsWith(lostDigits)) put(row, column, shownCell + shows + shownCell + text);
  }
  for (const { row, column, shows } of unread) put(row, column, unreadCell + shows);
  for (const { row, last, column } of merged)
    for (let at = row + 1; at <= last && at < rows.length; at++) put(at, column, rows[row]?.[column] ?? null);
  for (const row of hidden) {
    const held = rows[row];
    if (held?.some((cell) => cell !== null)) put(row, 0, hiddenLine + cellText(held[0] ?? null));
  }
  return rows;
}

/** Lengthens rows and columns up to the last of some cells: the reader leaves out what holds no value at the end of a sheet. */
function reach(rows: Cell[][], cells: readonly { row: number; column: number }[]): void {
  let [height, width] = [rows.length, rows[0]?.length ?? 0];
  for (const { row, column } of cells) {
    height = Math.max(height, row + 1);
    width = Math.max(width, column + 1);
  }
  while (rows.length < height) rows.push([]);
  for (const row of rows) while (row.length < width) row.push(null);
}

/** The hidden columns among so many. */
const columnsAmong = (ranges: SheetMarks['hiddenColumns'], count: number): number[] =>
  Array.from({ length: count }, (_, at) => at).filter((at) =>
    ranges.some(({ first, last }) => first <= at && at <= last),
  );

async function answer({ bytes, maxRows, maxColumns, maxUnpacked }: SheetQuestion): Promise<SheetAnswer | Found> {
  let beyond: SheetAnswer | undefined;
  try {
    const parts = unpackWorkbook(bytes, maxUnpacked);
    const sheet = shownSheet(parts);
    if (!sheet) return { kind: 'damaged' };
    if (parts[sheet.path]) parts[sheet.path] = withPlaces(parts[sheet.path]!, 2 * maxUnpacked);
    for (const [path, xml] of Object.entries(parts)) {
      if (!path.startsWith('xl/worksheets/')) continue;
      const bounds = cellBounds(xml);
      if (bounds.rows <= maxRows && bounds.columns <= maxColumns) continue;
      // Only the first sheet is read; without this part the reader fails only if it was that one.
      beyond = { kind: bounds.rows > maxRows ? 'tooManyRows' : 'tooManyColumns' };
      delete parts[path];
    }
    const marks = parts[sheet.path] ? marksOf(parts[sheet.path]!, formatsOf(parts)) : null;
    const read = (await readSheet(packLoose(parts), sheet.no)) as Cell[][];
    const rows = marks ? asShown(read, marks) : read;
    const hiddenColumns = columnsAmong(marks?.hiddenColumns ?? [], rows[0]?.length ?? 0);
    return { rows, beside: sheet.beside, hiddenColumns };
  } catch (error) {
    return beyond ?? { kind: error instanceof ArchiveTooBig ? 'tooBig' : 'damaged' };
  }
}

const port = parentPort!;
const asked = workerData as SheetQuestion;
const found = await answer(asked);
if ('kind' in found) {
  port.postMessage(found);
} else {
  // Shared strings are one object here and one copy each on the other side, so the bound applies to what is sent.
  const step = Math.max(1, Math.floor(cellsInMessage / Math.max(1, found.rows[0]?.length ?? 1)));
  let at = 0;
  let characters = 0;
  const next = () => {
    const rows = found.rows.slice(at, at + step).map((row) => row.map(cellText));
    at += step;
    for (const row of rows) for (const cell of row) characters += cell.length;
    const message: SheetAnswer =
      characters > asked.maxLetters
        ? { kind: 'tooBig' }
        : {
            kind: 'rows',
            rows,
            last: at >= found.rows.length,
            beside: found.beside,
            hiddenColumns: found.hiddenColumns,
          };
    port.postMessage(message);
  };
  port.on('message', next);
  next();
}
