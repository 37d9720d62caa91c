import { parentPort, workerData } from 'node:worker_threads';
import { ArchiveTooBig } from '#kernel/server/export/sheet-archive.ts';
import type { BodyAnswer, BodyQuestion } from './read.ts';

async function read({ ext, bytes }: BodyQuestion): Promise<BodyAnswer> {
  try {
    if (ext === 'docx') return { kind: 'text', ...(await (await import('./docx/text.ts')).wordText(bytes)) };
    if (ext === 'ofd') return { kind: 'pages', ...(await import('./ofd-text.ts')).ofdText(bytes) };
    return { kind: 'pages', ...(await (await import('./pdf-text.ts')).pdfText(bytes)) };
  } catch (error) {
    if (error instanceof ArchiveTooBig) return { kind: 'tooBig' };
    return { kind: (error as Error).name === 'PdfLocked' ? 'locked' : 'damaged' };
  }
}

parentPort!.postMessage(await read(workerData as BodyQuestion));
