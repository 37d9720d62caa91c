import { keepThread } from '#kernel/server/jobs/kept-thread.ts';
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
export type TypesetterAnswer = { bytes: Uint8Array } | { error: string };

const patience = 60_000;
// One at a time: the time limit of an order begins when the typesetter starts it, and only an order that takes too long is lost with the typesetter.
const line = createLine({ atOnce: 1, waiting: 40, waitingEach: 5 });
const memoryMegabytes = 512;
let fonts: FontFiles = {};

/** Sets the operator's fonts, once, before anything is printed. */
export function printWith(files: FontFiles): void {
  fonts = files;
}
/** The operator's fonts. */
export const fontFiles = (): FontFiles => fonts;

/**
 * A thread of its own keeps the fonts open as long as there is something to print, because typesetting would block all requests. An order that takes
 * a minute will not end: the next one gets a new typesetter.
 */
const typesetter = keepThread<TypesetterOrder, TypesetterAnswer>(new URL('./press-worker.ts', import.meta.url), {
  patience,
  options: () => ({ workerData: fonts, resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes } }),
});

async function print(order: TypesetterOrder): Promise<Buffer> {
  const answer = await typesetter(order);
  if ('error' in answer) throw new Error(`the press failed: ${answer.error}`);
  return Buffer.from(answer.bytes);
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
