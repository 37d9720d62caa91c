import { degrees, PDFDocument, type PDFEmbeddedPage, type PDFPage } from '@cantoo/pdf-lib';
import { core, sheet } from './ink/measures.ts';
import type { Slot } from './page/flow.ts';

/**
 * Inserts the pages of PDFs between ours: `make` receives the number of pages of each and returns their positions. Landscape pages are rotated with
 * their head to the left, as the standard requires for tables. Fails if one is encrypted or broken.
 */
export async function pdfAround(
  files: readonly Uint8Array[],
  make: (counts: number[]) => { ours: Promise<Buffer>; slots: readonly Slot[] },
): Promise<Buffer> {
  const theirs: PDFPage[][] = [];
  for (const file of files) theirs.push((await PDFDocument.load(file, { updateMetadata: false })).getPages());
  const { ours, slots } = make(theirs.map((pages) => pages.length));
  const whole = await PDFDocument.load(await ours, { updateMetadata: false });
  for (const slot of slots) {
    const page = theirs[slot.file]![slot.at]!;
    const { x, y, width, height } = page.getCropBox();
    const shown = await whole.embedPage(page, { left: x, bottom: y, right: x + width, top: y + height });
    place(whole.getPage(slot.page), shown, page, slot.top);
  }
  return Buffer.from(await whole.save({ objectsPerTick: Number.POSITIVE_INFINITY }));
}

/** Placed above the page number and below `top`, centred, never enlarged. */
function place(onto: PDFPage, shown: PDFEmbeddedPage, page: PDFPage, top: number): void {
  const turned = (((page.getRotation().angle % 360) + 360) % 360) as 0 | 90 | 180 | 270;
  const lying = turned % 180 === 0 ? shown.width > shown.height : shown.height > shown.width;
  // Clockwise, like the page's own rotation; a quarter back puts its head to the left.
  const angle = (turned + (lying ? 270 : 0)) % 360;
  const upright = angle % 180 === 0;
  const natural = upright ? shown : { width: shown.height, height: shown.width };
  const room = core.bottom - top;
  const scale = Math.min(1, sheet.width / natural.width, room / natural.height);
  const [width, height] = [natural.width * scale, natural.height * scale];
  const left = (sheet.width - width) / 2;
  const bottom = sheet.height - core.bottom + (room - height);
  onto.drawPage(shown, {
    x: left + (angle === 180 || angle === 270 ? width : 0),
    y: bottom + (angle === 90 || angle === 180 ? height : 0),
    xScale: scale,
    yScale: scale,
    rotate: degrees(-angle),
  });
}
