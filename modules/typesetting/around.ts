import { degrees, PDFDocument, type PDFEmbeddedPage, type PDFPage } from '@cantoo/pdf-lib';
import { core, sheet } from './ink/measures.ts';

/**
 * Puts the pages of a PDF between ours: `make` says which pages of ours are left empty for them, from where. What is wider than high is
 * turned, its head to the left, as the standard has it of tables. Fails for what is encrypted or broken.
 */
export async function pdfAround(
  pdf: Uint8Array,
  make: (count: number) => { ours: Promise<Buffer>; from: number },
): Promise<Buffer> {
  const theirs = await PDFDocument.load(pdf, { updateMetadata: false });
  const pages = theirs.getPages();
  const { ours, from } = make(pages.length);
  const whole = await PDFDocument.load(await ours, { updateMetadata: false });
  for (const [index, page] of pages.entries()) {
    const { x, y, width, height } = page.getCropBox();
    const shown = await whole.embedPage(page, { left: x, bottom: y, right: x + width, top: y + height });
    place(whole.getPage(from + index), shown, page);
  }
  return Buffer.from(await whole.save({ objectsPerTick: Number.POSITIVE_INFINITY }));
}

/** Above the number of the page, in the middle, never larger than it is. */
function place(onto: PDFPage, shown: PDFEmbeddedPage, page: PDFPage): void {
  const turned = (((page.getRotation().angle % 360) + 360) % 360) as 0 | 90 | 180 | 270;
  const lying = turned % 180 === 0 ? shown.width > shown.height : shown.height > shown.width;
  // Clockwise, as the page itself is turned; a quarter back lays its head to the left.
  const angle = (turned + (lying ? 270 : 0)) % 360;
  const upright = angle % 180 === 0;
  const natural = upright ? shown : { width: shown.height, height: shown.width };
  const scale = Math.min(1, sheet.width / natural.width, core.bottom / natural.height);
  const [width, height] = [natural.width * scale, natural.height * scale];
  const left = (sheet.width - width) / 2;
  const bottom = sheet.height - core.bottom + (core.bottom - height);
  onto.drawPage(shown, {
    x: left + (angle === 180 || angle === 270 ? width : 0),
    y: bottom + (angle === 90 || angle === 180 ? height : 0),
    xScale: scale,
    yScale: scale,
    rotate: degrees(-angle),
  });
}
