import { parentPort, workerData } from 'node:worker_threads';
import { readSheet } from 'read-excel-file/universal';
import { ArchiveTooBig, packLoose, unpackWorkbook } from './sheet-archive.ts';
import { cellBounds, lostDigits, mostInCell } from './sheet-bounds.ts';
import type { SheetAnswer, SheetQuestion } from './sheet-reader.ts';

const cellsInMessage = 4000;

type Cell = string | number | boolean | Date | null;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell.trim();
  // 15 digits are what a spreadsheet shows: 0.1 + 0.2 is 0.3 there.
  if (typeof cell === 'number')
    return (Math.abs(cell) < mostInCell ? '' : lostDigits) + String(Number(cell.toPrecision(15)));
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  const iso = cell.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}

async function answer({ bytes, maxRows, maxColumns, maxUnpacked }: SheetQuestion): Promise<SheetAnswer | Cell[][]> {
  let beyond: SheetAnswer | undefined;
  try {
    const parts = unpackWorkbook(bytes, maxUnpacked);
    for (const [path, xml] of Object.entries(parts)) {
      if (!path.startsWith('xl/worksheets/')) continue;
      const bounds = cellBounds(xml);
      if (bounds.rows <= maxRows && bounds.columns <= maxColumns) continue;
      // Only the first sheet is read; without this part the reader fails just when it was that one.
      beyond = { kind: bounds.rows > maxRows ? 'tooManyRows' : 'tooManyColumns' };
      delete parts[path];
    }
    return (await readSheet(packLoose(parts))) as unknown as Cell[][];
  } catch (error) {
    return beyond ?? { kind: error instanceof ArchiveTooBig ? 'tooBig' : 'damaged' };
  }
}

const port = parentPort!;
const asked = workerData as SheetQuestion;
const found = await answer(asked);
if (!Array.isArray(found)) {
  port.postMessage(found);
} else {
  // Shared strings are one object here and a copy each on the other side: bound what is sent, not what is stored.
  const step = Math.max(1, Math.floor(cellsInMessage / Math.max(1, found[0]?.length ?? 1)));
  let at = 0;
  let characters = 0;
  const next = () => {
    const rows = found.slice(at, at + step).map((row) => row.map(cellText));
    at += step;
    for (const row of rows) for (const cell of row) characters += cell.length;
    const message: SheetAnswer =
      characters > asked.maxLetters ? { kind: 'tooBig' } : { kind: 'rows', rows, last: at >= found.length };
    port.postMessage(message);
  };
  port.on('message', next);
  next();
}
