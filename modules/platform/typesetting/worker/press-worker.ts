import { parentPort, workerData } from 'node:worker_threads';
import { elementsOf, filesOf } from '../elements.ts';
import { openFaces, type FontFiles } from '../ink/faces.ts';
import { pagesOf } from '../page/pages.ts';
import { pdfAround } from '../around.ts';
import { writePdf } from '../pdf.ts';
import type { TypesetterAnswer, TypesetterOrder } from './press.ts';
import { contractPages } from '../page/contract.ts';
import { labelPages } from '../page/labels.ts';
import { landscapePages } from '../page/landscape.ts';
import { sheetPages } from '../page/sheet.ts';

const port = parentPort!;
const faces = openFaces(workerData as FontFiles);

/** All words of an order, wherever they stand in it. */
function* wordsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (value && typeof value === 'object' && !ArrayBuffer.isView(value))
    for (const part of Object.values(value)) yield* wordsIn(part);
}

async function print({ kind, input }: TypesetterOrder): Promise<Buffer> {
  await faces.prepare(wordsIn(input));
  if (kind === 'sheet') {
    const facts = { title: input.name, day: null };
    return writePdf(sheetPages(input, faces.measure), facts, faces);
  }
  if (kind === 'table') {
    const facts = { title: input.title, day: null, landscape: true };
    return writePdf(landscapePages(input, faces.measure), facts, faces);
  }
  if (kind === 'labels') return writePdf(labelPages(input, faces.measure), { title: input.title, day: null }, faces);
  if (kind === 'contract') return writePdf(contractPages(input, faces.measure), input, faces);
  const facts = { title: input.title, day: input.writtenDate };
  const layout = elementsOf(input);
  const files = filesOf(input);
  if (files.length === 0) return writePdf(pagesOf(layout, faces.measure).pages, facts, faces);
  return pdfAround(files, (counts) => {
    const { pages, slots } = pagesOf(layout, faces.measure, counts);
    return { ours: writePdf(pages, facts, faces), slots };
  });
}

port.on('message', (order: TypesetterOrder) => {
  print(order).then(
    (bytes) => port.postMessage({ bytes: new Uint8Array(bytes) } satisfies TypesetterAnswer),
    (error: Error) => port.postMessage({ error: error.stack ?? error.message } satisfies TypesetterAnswer),
  );
});
