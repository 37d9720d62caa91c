// Run as a program of its own: source, target, words and a page that lies over each, none of them trusted to be small.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { degrees, PDFDocument, type PDFEmbeddedPage, type PDFPage } from '@cantoo/pdf-lib';
import PdfKit from 'pdfkit';

const font = '@expo-google-fonts/noto-serif-sc/400Regular/NotoSerifSC_400Regular.ttf';
const slant = 24;
/** Height of the letters on the page that holds the words alone, in points. */
const drawn = 20;

/** The words on one line, on a page just as large. */
async function lineOf(words: string): Promise<Buffer> {
  const pdf = new PdfKit({ autoFirstPage: false, info: {} });
  const bytes = buffer(pdf);
  pdf.font(fileURLToPath(import.meta.resolve(font))).fontSize(drawn);
  pdf.addPage({ size: [pdf.widthOfString(words), drawn * 1.5], margin: 0 });
  // Grey is seen on white and on black.
  pdf.fillColor('#808080').text(words, 0, 0, { lineBreak: false });
  pdf.end();
  return bytes;
}

/** The line again and again over what is seen of the page, readable as the page is turned. */
function cover(page: PDFPage, line: PDFEmbeddedPage): void {
  const { x, y, width, height } = page.getCropBox();
  const size = Math.max(6, Math.min(width, height) / 32);
  const scale = size / drawn;
  const step = { along: line.width * scale + size * 4, across: size * 7 };
  const turned = slant + page.getRotation().angle;
  const angle = (turned * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const far = Math.hypot(width, height) / 2;
  const [rows, columns] = [Math.ceil(far / step.across), Math.ceil(far / step.along) + 1];
  for (let row = -rows; row <= rows; row += 1)
    for (let column = -columns; column <= columns; column += 1) {
      const along = (column + (row % 2) / 2) * step.along;
      const across = row * step.across;
      const middle = { x: along * cos - across * sin, y: along * sin + across * cos };
      if (Math.abs(middle.x) > width / 2 || Math.abs(middle.y) > height / 2) continue;
      const half = (line.width * scale) / 2;
      page.drawPage(line, {
        x: x + width / 2 + middle.x - half * cos,
        y: y + height / 2 + middle.y - half * sin,
        xScale: scale,
        yScale: scale,
        rotate: degrees(turned),
        opacity: 0.4,
      });
    }
}

/** The page over what is seen of another, as large as it fits, at its foot, readable as the page is turned. */
function lay(page: PDFPage, over: PDFEmbeddedPage): void {
  const { x, y, width, height } = page.getCropBox();
  const turned = ((page.getRotation().angle % 360) + 360) % 360;
  const [across, up] = turned % 180 === 0 ? [width, height] : [height, width];
  const scale = Math.min(across / over.width, up / over.height);
  const aside = (across - over.width * scale) / 2;
  const angle = (turned * Math.PI) / 180;
  const corner = { 0: [0, 0], 90: [width, 0], 180: [width, height], 270: [0, height] }[turned] ?? [0, 0];
  page.drawPage(over, {
    x: x + corner[0]! + aside * Math.cos(angle),
    y: y + corner[1]! + aside * Math.sin(angle),
    xScale: scale,
    yScale: scale,
    rotate: degrees(turned),
  });
}

const [, , source = '', target = '', words = '', over = ''] = process.argv;
// Throws for what is encrypted, and for what is no PDF.
const pdf = await PDFDocument.load(await readFile(source), { updateMetadata: false });
const pages = pdf.getPages();
if (words) {
  const [line] = await pdf.embedPdf(await lineOf(words));
  for (const page of pages) cover(page, line!);
}
if (over) {
  const [first] = await pdf.embedPdf(await readFile(over));
  for (const page of pages) lay(page, first!);
}
await writeFile(target, await pdf.save({ objectsPerTick: Number.POSITIVE_INFINITY }));
