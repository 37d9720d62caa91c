import { readSheet } from 'read-excel-file/browser';

/** The lines of a workbook's first sheet as text: numbers to the digits a spreadsheet shows, days and times as they are written here. */
export async function linesOf(file: File): Promise<string[][]> {
  const rows = (await readSheet(file)) as unknown as unknown[][];
  return rows.map((row) => row.map(textOf));
}

function textOf(cell: unknown): string {
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)));
  if (typeof cell === 'boolean') return cell ? '是' : '否';
  if (!(cell instanceof Date)) return typeof cell === 'string' ? cell : '';
  const moment = cell.toISOString();
  return moment.endsWith('T00:00:00.000Z') ? moment.slice(0, 10) : moment.slice(0, 16).replace('T', ' ');
}
