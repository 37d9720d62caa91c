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
import { tellMissing } from '../page/missing.ts';
import { sheetPages } from '../page/sheet.ts';

const port = parentPort!;
const faces = openFaces(workerData as FontFiles);

/** All words of an order, at any depth. */
function* wordsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (value && typeof value === 'object' && !ArrayBuffer.isView(value))
    for (const part of Object.values(value)) yield* wordsIn(part);
}

async function print({ kind, input }: TypesetterOrder): Promise<Buffer> {
  const missing = await faces.prepare(wordsIn(input));
  if (kind === 'sheet') {
    const facts = { title: input.name, day: null };
    return writePdf(tellMissing(sheetPages(input, faces.measure), missing), facts, faces);
  }
  if (kind === 'table') {
    const facts = { title: input.title, day: null, landscape: true };
    return writePdf(tellMissing(landscapePages(input, faces.measure), missing, 'landscape'), facts, faces);
  }
  if (kind === 'labels') return writePdf(labelPages(input, faces.measure), { title: input.title, day: null }, faces);
  if (kind === 'contract') return writePdf(tellMissing(contractPages(input, faces.measure), missing), input, faces);
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
