import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runConfined } from '#kernel/server/files/confined.ts';
import { createLine, type By } from '#kernel/server/jobs/turns.ts';

const line = createLine({ atOnce: 2, waiting: 40, waitingEach: 5 });
const program = fileURLToPath(new URL('stamp.ts', import.meta.url));
const heap = '--max-old-space-size=1024';
const bounds = { seconds: 30, megabytes: 2048, counts: 'written', fileMegabytes: 400 } as const;

/** A PDF with the watermark over every page. Fails if it is encrypted, broken, or takes too much time or memory; throws `lineFull` and `ownLineFull`. */
export const pdfWithWords = (source: string, words: string, by: By): Promise<Buffer> =>
  stamped(source, by, () => Promise.resolve([words]));

/** A PDF with the first page of another over every page of its own; fails in the same cases. */
export const pdfUnder = (source: string, over: Uint8Array, by: By): Promise<Buffer> =>
  stamped(source, by, async (folder) => {
    const path = join(folder, 'over.pdf');
    await writeFile(path, over);
    return ['', path];
  });

/** Strokes on the pages of a PDF, counted from 1. */
export interface Drawing {
  strokes: readonly {
    page: number;
    /** Format `#d4190b`. */
    colour: string;
    /** x and y of each point in turn, and the width of the pen: ten-thousandths of the visible width of the page, from its upper left corner. */
    points: readonly number[];
    width: number;
  }[];
  /** Authors, at the foot of a page. */
  notes: readonly { page: number; words: string }[];
}

/** A PDF with strokes over its pages, following their rotation; fails in the same cases. */
export const pdfWithStrokes = (source: string, drawing: Drawing, by: By): Promise<Buffer> =>
  stamped(source, by, async (folder) => {
    const path = join(folder, 'drawing.json');
    await writeFile(path, JSON.stringify(drawing));
    return ['', '', path];
  });

function stamped(source: string, by: By, marks: (folder: string) => Promise<string[]>): Promise<Buffer> {
  return line(by, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gongdan-mark-'));
    try {
      const target = join(folder, 'marked.pdf');
      await runConfined([process.execPath, heap, program, source, target, ...(await marks(folder))], {
        ...bounds,
        folder,
      });
      return await readFile(target);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
