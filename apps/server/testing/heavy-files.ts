import { buffer } from 'node:stream/consumers';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { para, wordFile } from '#modules/office/documents/testing/word.ts';
import { whole, type Uploaded } from './uploading.ts';

const mostEntries = 5000;
const widest = { width: 8000, height: 5000 };

export interface HeavyFile {
  name: string;
  body: Uploaded;
}

/** Files of each kind as large as an upload accepts (`most` bytes), by the part that is examined. */
export async function heavyFiles(most: number): Promise<HeavyFile[]> {
  const [start, end] = [Buffer.from('%PDF-1.7\n'), Buffer.from('\n%%EOF')];
  const entries = Object.fromEntries(Array.from({ length: mostEntries }, (_, n) => [`${n}.txt`, new Uint8Array(100)]));
  const picture = sharp({ create: { ...widest, channels: 3, background: '#888' } });
  return [
    { name: '字.txt', body: { before: new Uint8Array(), fill: '甲,', length: most, after: new Uint8Array() } },
    { name: '版.pdf', body: { before: start, fill: ' ', length: most - start.length - end.length, after: end } },
    { name: '包.zip', body: whole(zipSync(entries, { level: 0 })) },
    { name: '图.jpg', body: whole(await picture.jpeg({ quality: 60 }).toBuffer()) },
  ];
}

/** A Word file of so many paragraphs. */
export const heavyWord = (paragraphs: number): Uint8Array =>
  wordFile(Array.from({ length: paragraphs }, (_, n) => para(`（${n}）甲《乙》12345号`)).join(''));

/** A sheet of so many lines with the same cells, in which `#` becomes the line's number. */
export async function heavySheet(cells: Record<string, string>, lines: number): Promise<Uploaded> {
  const columns = Object.entries(cells).map(([title, cell]) => ({
    title,
    kind: 'text' as const,
    value: (line: number) => cell.replace('#', String(line).padStart(5, '0')),
  }));
  const rows = Array.from({ length: lines }, (_, line) => line);
  return whole(await buffer(writeSheet({ title: '导入', columns, rows })));
}
