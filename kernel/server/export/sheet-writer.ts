import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { holdFailure } from '../process/held-failure.ts';
import { cellXml, columnLetters, sheetEnd, sheetStart, workbookParts } from './sheet-xml.ts';
import type { CellValue, ColumnKind } from './sheet-xml.ts';

export interface SheetColumn<Row> {
  title: string;
  /** In characters; 16 unless given. */
  width?: number;
  kind: ColumnKind;
  value: (row: Row) => CellValue;
}

export interface SheetPlan<Row> {
  /** Name of the sheet. */
  title: string;
  columns: readonly SheetColumn<Row>[];
  rows: AsyncIterable<Row> | Iterable<Row>;
  /** Called now and then, and at the end, with the number of rows written. */
  onProgress?: (rows: number) => void;
}

const maxRows = 1_048_575;
const chunkLength = 32_768;

/**
 * Writes an .xlsx of one sheet as a stream: bold frozen header, then one line for each row. Memory does not grow with the rows. No cell is ever a
 * formula: text that begins like one (`= + - @`, tab, CR, also full-width or after blanks) stays text, and is shown and saved as CSV after an
 * apostrophe. Dates are text, `YYYY-MM-DD HH:mm` in Asia/Shanghai. The stream fails if `rows` fails, or after 1,048,575 rows; if its reader goes
 * away, `rows` is closed.
 */
export function writeSheet<Row>(plan: SheetPlan<Row>): Readable {
  const zip = new ZipFile();
  const out = holdFailure(zip.outputStream as Readable);
  const body = Readable.from(sheetBody(plan), { objectMode: false, highWaterMark: chunkLength });
  zip.on('error', (error) => out.destroy(error));
  body.on('error', (error) => out.destroy(error));
  out.on('close', () => body.destroy());
  for (const [path, text] of Object.entries(workbookParts(plan.title))) zip.addBuffer(Buffer.from(text), path);
  zip.addReadStream(body, 'xl/worksheets/sheet1.xml', { compressionLevel: 3 });
  zip.end();
  return out;
}

async function* sheetBody<Row>({ columns, rows, onProgress }: SheetPlan<Row>): AsyncGenerator<Buffer> {
  const letters = columns.map((_, i) => columnLetters(i));
  const header = columns.map((c, i) => cellXml(`${letters[i]}1`, 'text', c.title, true)).join('');
  let chunk = `${sheetStart(columns.map((c) => c.width ?? 16))}<row r="1">${header}</row>`;
  let written = 0;
  for await (const row of rows) {
    written += 1;
    if (written > maxRows) throw new RangeError(`a sheet holds at most ${maxRows} rows`);
    const line = written + 1;
    chunk += `<row r="${line}">`;
    for (const [i, column] of columns.entries()) chunk += cellXml(letters[i]! + line, column.kind, column.value(row));
    chunk += '</row>';
    if (chunk.length >= chunkLength) {
      yield Buffer.from(chunk);
      chunk = '';
      onProgress?.(written);
      await nextTurn();
    }
  }
  yield Buffer.from(chunk + sheetEnd);
  onProgress?.(written);
}
