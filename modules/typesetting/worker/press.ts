import { Worker } from 'node:worker_threads';
import { createLine, type By } from '#kernel/server/jobs/turns.ts';
import type { FontFiles } from '../ink/faces.ts';
import type { LabelsInput } from '../page/labels.ts';
import type { ContractInput, PdfInput, SheetInput, TableInput } from '../input.ts';

export type TypesetterOrder =
  | { kind: 'document'; input: PdfInput }
  | { kind: 'sheet'; input: SheetInput }
  | { kind: 'contract'; input: ContractInput }
  | { kind: 'table'; input: TableInput }
  | { kind: 'labels'; input: LabelsInput };
export type TypesetterAnswer = { id: number; bytes: Uint8Array } | { id: number; error: string };

interface Waiting {
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
}

const patience = 60_000;
// One at a time: the clock of an order runs from when the typesetter begins it, and only what sets too long is lost with the typesetter.
const line = createLine({ atOnce: 1, waiting: 40, waitingEach: 5 });
const memoryMegabytes = 512;
let fonts: FontFiles = {};
let typesetter: { worker: Worker; waiting: Map<number, Waiting> } | null = null;
let last = 0;

/** Names the operator's fonts, once, before anything is printed. */
export function printWith(files: FontFiles): void {
  fonts = files;
}
/** The operator's fonts, as they were named. */
export const fontFiles = (): FontFiles => fonts;

/** A thread of its own keeps the fonts open: setting pages would hold up every request beside it. It keeps nobody from stopping. */
function running() {
  if (typesetter) return typesetter;
  const worker = new Worker(new URL('./press-worker.ts', import.meta.url), {
    workerData: fonts,
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  });
  const waiting = new Map<number, Waiting>();
  const made = { worker, waiting };
  worker.unref();
  worker.on('message', (answer: TypesetterAnswer) => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
    if ('error' in answer) one?.reject(new Error(`the press failed: ${answer.error}`));
    else one?.resolve(Buffer.from(answer.bytes));
  });
  const over = (error: Error) => {
    if (typesetter === made) typesetter = null;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  worker.on('error', over);
  worker.on('exit', () => over(new Error('the press has stopped')));
  typesetter = made;
  return made;
}

function print(order: TypesetterOrder): Promise<Buffer> {
  const { worker, waiting } = running();
  const id = (last += 1);
  return new Promise((resolve, reject) => {
    // What sets for a minute will not end: the next order gets a new press.
    const late = setTimeout(() => void worker.terminate(), patience);
    const done =
      <T>(tell: (value: T) => void) =>
      (value: T) => {
        clearTimeout(late);
        tell(value);
      };
    waiting.set(id, { resolve: done(resolve), reject: done(reject) });
    worker.ref();
    worker.postMessage({ ...order, id });
  });
}

/** A finished document as PDF by GB/T 9704—2012; the same input and fonts give the same bytes. Throws `lineFull` and `ownLineFull` for people. */
export async function documentPdf(input: PdfInput, by: By = 'house'): Promise<Buffer> {
  return line(by, () => print({ kind: 'document', input }));
}

/** 发文稿纸, 文件处理单 or 签报单 as PDF. Throws `lineFull` and `ownLineFull` for people. */
export async function processingSheetPdf(input: SheetInput, by: By = 'house'): Promise<Buffer> {
  return line(by, () => print({ kind: 'sheet', input }));
}

/** A contract as PDF; the same input and fonts give the same bytes. Throws `lineFull` and `ownLineFull` for people. */
export async function contractPdf(input: ContractInput, by: By = 'house'): Promise<Buffer> {
  return line(by, () => print({ kind: 'contract', input }));
}

/** A table on landscape pages as PDF; the same input and fonts give the same bytes. */
export async function tablePdf(input: TableInput, by: By = 'house'): Promise<Buffer> {
  return line(by, () => print({ kind: 'table', input }));
}

/** Labels to be cut as PDF, 24 on a sheet; the same input and fonts give the same bytes. */
export async function labelsPdf(input: LabelsInput, by: By = 'house'): Promise<Buffer> {
  return line(by, () => print({ kind: 'labels', input }));
}
