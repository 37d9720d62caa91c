import { Worker } from 'node:worker_threads';
import {
  notSheet,
  sheetBusy,
  sheetDamaged,
  sheetLocked,
  sheetTooBig,
  sheetTooManyColumns,
  sheetTooManyRows,
} from '#kernel/contract/sheet/sheet.ts';
import type { Refusal } from '#kernel/contract/refusal.ts';
import { mostUnpacked } from './sheet-archive.ts';

export interface SheetLimits {
  /** Header included; 50,000 unless given. */
  maxRows?: number;
  /** 100 unless given. */
  maxColumns?: number;
  /** Characters in all cells; 16 million unless given. */
  maxLetters?: number;
  /** Bytes of the unpacked file; 64 MB unless given. */
  maxUnpacked?: number;
}
export interface SheetQuestion {
  bytes: Uint8Array;
  maxRows: number;
  maxColumns: number;
  maxLetters: number;
  maxUnpacked: number;
}
export type SheetAnswer =
  | { kind: 'rows'; rows: string[][]; last: boolean; beside: string[]; hiddenColumns: number[] }
  | { kind: 'tooBig' | 'damaged' | 'tooManyRows' | 'tooManyColumns' };

const timeLimit = 20_000;
const heapLimit = 256;
const maxAtOnce = 2;
const maxWaiting = 8;

const oleMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const zipMagic = Buffer.from('PK\x03\x04', 'latin1');
const lockedMark = Buffer.from('EncryptedPackage', 'utf16le');

let running = 0;
const waiting: (() => void)[] = [];

/** A sheet, the names of the other sheets, which are not read, and its columns that are hidden, counted from 0. */
export interface ReadSheet {
  rows: string[][];
  beside: string[];
  hiddenColumns: number[];
}

/** Returns only the lines of `readBook`. */
export const readSheet = async (bytes: Buffer, limits: SheetLimits = {}): Promise<string[][]> =>
  (await readBook(bytes, limits)).rows;

/**
 * Reads the first visible sheet of an uploaded .xlsx: its rows from the first line on, all of equal length, with cells as trimmed text as the author
 * sees it (dates `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`, blanks `''`, numbers that lost digits behind `lostDigits`, errors and formulas without a
 * value behind `unreadCell`, numbers that a format shows in another way after `shownCell` with the number itself behind a second one, merged cells in
 * each of their lines, hidden lines behind `hiddenLine`). It works in its own thread with bounds on memory (256 MB) and time (20 s); two sheets are
 * read at once, the others wait. Throws the refusals of `contract/sheet/sheet.ts`.
 */
export async function readBook(bytes: Buffer, limits: SheetLimits = {}): Promise<ReadSheet> {
  if (bytes.subarray(0, 8).equals(oleMagic)) throw bytes.includes(lockedMark) ? sheetLocked() : notSheet();
  if (!bytes.subarray(0, 4).equals(zipMagic)) throw notSheet();
  if (running < maxAtOnce) running += 1;
  else if (waiting.length >= maxWaiting) throw sheetBusy();
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    const { maxRows = 50_000, maxColumns = 100, maxLetters = 16 * 2 ** 20, maxUnpacked = mostUnpacked } = limits;
    return await readInThread({ bytes, maxRows, maxColumns, maxLetters, maxUnpacked });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function readInThread(question: SheetQuestion): Promise<ReadSheet> {
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), {
    workerData: question,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  const rows: string[][] = [];
  return new Promise<ReadSheet>((resolve, reject) => {
    const timer = setTimeout(() => reject(sheetTooBig()), timeLimit);
    worker.on('message', (answer: SheetAnswer) => {
      if (answer.kind !== 'rows') return reject(refusalOf(answer.kind, question));
      for (const row of answer.rows) rows.push(row);
      if (answer.last) resolve({ rows, beside: answer.beside, hiddenColumns: answer.hiddenColumns });
      else worker.postMessage('next');
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? sheetTooBig() : error),
    );
    worker.on('exit', () => {
      clearTimeout(timer);
      reject(sheetDamaged());
    });
  }).finally(() => worker.terminate());
}

function refusalOf(kind: Exclude<SheetAnswer['kind'], 'rows'>, { maxRows, maxColumns }: SheetQuestion): Refusal {
  switch (kind) {
    case 'tooBig':
      return sheetTooBig();
    case 'tooManyRows':
      return sheetTooManyRows(maxRows);
    case 'tooManyColumns':
      return sheetTooManyColumns(maxColumns);
    case 'damaged':
      return sheetDamaged();
  }
}
