import { addAbortSignal, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { z } from 'zod';
import type { ExportColumn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import type { Databases, Db } from '../db/db.ts';
import { maskIn } from '../text/mask-phones.ts';
import type { Page } from '../list/paging.ts';
import { writeSheet } from './sheet-writer.ts';
import type { CellValue } from './sheet-xml.ts';

const rowsAtOnce = 1000;
/** Measured on our own sheets: bytes of the finished file per cell, only for the progress bar. */
const bytesPerCell = 5;

export const tooManyToExport = refusal(
  codes.refused,
  (max: number) => `符合条件的记录超过 ${max} 条，请缩小筛选范围后再导出`,
);

type Row = Record<string, unknown>;
/** Rows of a list that hold further columns in `more`, by key, for lists whose columns depend on the data. */
interface Wider extends Page<Row> {
  more_columns?: readonly { key: string; title: string }[];
}
const moreOf = (row: Row) => (row['more'] ?? {}) as Row;

/** The sheet of one answer, its columns known. */
export interface SheetOf {
  title: string;
  columns: readonly ExportColumn[];
}

export interface Sheet {
  bytes: Readable;
  rows: number;
  /** Roughly the number of bytes of the file, for a progress bar. */
  about: number;
  /** Settles when the last byte was read or the reader left. */
  ended: Promise<void>;
}

/** A reader who has not taken the whole sheet after this time is cut off. */
const patience = 5 * 60_000;

/**
 * Opens the sheet of a list and keeps one snapshot until it is read, so that rows neither repeat nor vanish between its pages; calls `ended` when the
 * snapshot is closed. `page` returns rows in the shape of the call's own reply.
 */
export function openSheet(
  databases: Databases,
  exports: SheetOf,
  ended: () => void,
  page: (tx: Db, number: number, size: number) => Promise<unknown>,
  longest = patience,
): Promise<Sheet> {
  return new Promise((resolve, reject) => {
    databases
      .snapshot(async (tx) => {
        const sheet = await exportSheet(exports, async (number, size) => (await page(tx, number, size)) as Page<Row>);
        addAbortSignal(AbortSignal.timeout(longest), sheet.bytes);
        resolve(sheet);
        await sheet.ended;
      })
      .catch(reject)
      .finally(ended);
  });
}

/** Turns a list into a sheet, page by page; `page` answers the list's own rows, so the sheet has the list's own scope. */
async function exportSheet(exports: SheetOf, page: (number: number, size: number) => Promise<Wider>): Promise<Sheet> {
  const first = await page(1, rowsAtOnce);
  if (first.total_capped) throw tooManyToExport(first.total);
  const usual = exports.columns.map((column) => ({
    title: column.title,
    kind: 'text' as const,
    value: (row: Row) => cell(column.title, row[column.key], column.show),
  }));
  const more = (first.more_columns ?? []).map(({ key, title }) => ({
    title,
    kind: 'text' as const,
    value: (row: Row) => cell(title, moreOf(row)[key], undefined),
  }));
  const columns = [...usual, ...more];
  const bytes = writeSheet({ title: exports.title, columns, rows: rowsOf(first, page) });
  return {
    bytes,
    rows: first.total,
    about: first.total * columns.length * bytesPerCell,
    ended: finished(bytes).catch(() => undefined),
  };
}

async function* rowsOf(first: Page<Row>, page: (number: number, size: number) => Promise<Page<Row>>) {
  let rows = first.value;
  for (let number = 2; ; number++) {
    for (const row of rows) yield* linesOf(row);
    if (rows.length < rowsAtOnce) return;
    rows = (await page(number, rowsAtOnce)).value;
  }
}

/** A row, or one line for each of its `lines`. */
function linesOf(row: Row): Row[] {
  const lines = (row['lines'] ?? []) as Row[];
  return lines.length === 0 ? [row] : lines.map((line) => ({ ...row, more: { ...moreOf(row), ...line } }));
}

function cell(title: string, value: unknown, show: ExportColumn['show']): CellValue {
  const shown = show ? show(value) : value;
  if (shown === null || shown === undefined) return null;
  if (typeof shown === 'number' || typeof shown === 'boolean') return shown;
  return maskIn(title, z.string().safeParse(shown).data ?? JSON.stringify(shown));
}
