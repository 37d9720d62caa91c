// Run as a separate process with source, target, words, an overlay page and strokes, none of which can be trusted to be small.
import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import {
  appendBezierCurve,
  degrees,
  lineTo,
  LineCapStyle,
  moveTo,
  PDFDocument,
  popGraphicsState,
  pushGraphicsState,
  setLineCap,
  setLineJoin,
  LineJoinStyle,
  setLineWidth,
  setStrokingRgbColor,
  stroke,
  type PDFEmbeddedPage,
  type PDFPage,
} from '@cantoo/pdf-lib';
import PdfKit from 'pdfkit';
import { openFaces } from '#modules/platform/typesetting/service/faces.ts';
import type { Drawing } from './pdf.ts';

const slant = 24;
/** Height of the letters on the page that holds the words alone, in points. */
const drawn = 20;
/** Height of the letters of a note at the foot of a page, in points. */
const noted = 8;
/** Strokes are given in this fraction of a page's width. */
const unit = 10_000;

/** The words on one line, on a page of the same size. */
async function lineOf(words: string): Promise<Buffer> {
  const pdf = new PdfKit({ autoFirstPage: false, info: {} });
  const bytes = buffer(pdf);
  const faces = openFaces({});
  await faces.prepare([words]);
  pdf.addPage({ size: [faces.measure(words, 'song', drawn), drawn * 1.5], margin: 0 });
  // Grey is visible on white and on black.
  pdf.fontSize(drawn).fillColor('#808080');
  let x = 0;
  for (const { text, font } of faces.split(words, 'song')) {
    pdf.font(font).text(text, x, 0, { lineBreak: false });
    x += faces.measure(text, 'song', drawn);
  }
  pdf.end();
  return bytes;
}

/** The line repeated over the visible part of the page, upright in its rotation. */
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

/** One page over the visible part of another, as large as it fits, at its foot, upright in its rotation. */
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

/** Converts a point of the visible part of a page to page coordinates; unit: the visible width. */
function placeOn(page: PDFPage): {
  place: (across: number, down: number) => [number, number];
  width: number;
  turned: number;
} {
  const { x, y, width, height } = page.getCropBox();
  const turned = ((page.getRotation().angle % 360) + 360) % 360;
  const seen = turned % 180 === 0 ? width : height;
  const place = (across: number, down: number): [number, number] => {
    const [right, below] = [across * seen, down * seen];
    if (turned === 90) return [x + below, y + right];
    if (turned === 180) return [x + width - right, y + below];
    if (turned === 270) return [x + width - below, y + height - right];
    return [x + right, y + height - below];
  };
  return { place, width: seen, turned };
}

/** One stroke as a curve through the midpoints between its points, as it is shown while drawing. */
function draw(page: PDFPage, { points, colour, width }: Drawing['strokes'][number]): void {
  const on = placeOn(page);
  const at = Array.from({ length: points.length / 2 }, (_none, index) =>
    on.place(points[index * 2]! / unit, points[index * 2 + 1]! / unit),
  );
  const [red, green, blue] = [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16) / 255);
  let here = at[0]!;
  const way = at.slice(1).map((point, index) => {
    const next = at[index + 2];
    const to: [number, number] = next ? [(point[0] + next[0]) / 2, (point[1] + next[1]) / 2] : point;
    const bent = (from: number, through: number) => from + ((through - from) * 2) / 3;
    const curve = appendBezierCurve(
      bent(here[0], point[0]),
      bent(here[1], point[1]),
      bent(to[0], point[0]),
      bent(to[1], point[1]),
      ...to,
    );
    here = to;
    return curve;
  });
  page.pushOperators(
    pushGraphicsState(),
    setStrokingRgbColor(red!, green!, blue!),
    setLineWidth((width / unit) * on.width),
    setLineCap(LineCapStyle.Round),
    setLineJoin(LineJoinStyle.Round),
    moveTo(...at[0]!),
    // A dot is a line of no length with round ends.
    ...(way.length > 0 ? way : [lineTo(...at[0]!)]),
    stroke(),
    popGraphicsState(),
  );
}

/** Small words centred at the foot of a page. */
function note(page: PDFPage, words: PDFEmbeddedPage): void {
  const on = placeOn(page);
  const [wide, high] = [page.getCropBox().width, page.getCropBox().height];
  const down = on.turned % 180 === 0 ? high / on.width : wide / on.width;
  const scale = Math.min(noted / drawn, (on.width * 0.9) / words.width);
  const [x, y] = on.place(0.5 - (words.width * scale) / 2 / on.width, down - 12 / on.width);
  page.drawPage(words, { x, y, xScale: scale, yScale: scale, rotate: degrees(on.turned) });
}

const [, , source = '', target = '', words = '', over = '', drawing = ''] = process.argv;
// Throws if it is encrypted, or no PDF.
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
if (drawing) {
  const { strokes, notes } = JSON.parse(await readFile(drawing, 'utf8')) as Drawing;
  for (const one of strokes) if (pages[one.page - 1]) draw(pages[one.page - 1]!, one);
  for (const { page, words: said } of notes) {
    const [line] = await pdf.embedPdf(await lineOf(said));
    if (pages[page - 1]) note(pages[page - 1]!, line!);
  }
}
await writeFile(target, await pdf.save({ objectsPerTick: Number.POSITIVE_INFINITY }));
