import PdfKit from 'pdfkit';
import type { Faces } from './ink/faces.ts';
import { sheet, type Page, type Text } from './ink/measures.ts';

export interface PdfFacts {
  title: string;
  /** `YYYY-MM-DD`: the creation date stored in the file, whatever the present one. */
  day: string | null;
  /** Landscape orientation. */
  landscape?: boolean;
}

/** Writes pages as a PDF with embedded fonts; the same pages and facts give the same bytes. */
export function writePdf(pages: readonly Page[], { title, day, landscape }: PdfFacts, faces: Faces): Promise<Buffer> {
  const made = new Date(`${day ?? '2000-01-01'}T00:00:00Z`);
  const document = new PdfKit({
    size: landscape ? [sheet.height, sheet.width] : [sheet.width, sheet.height],
    margin: 0,
    autoFirstPage: false,
    lang: 'zh-CN',
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: title, CreationDate: made, ModDate: made, Producer: '', Creator: '' },
  });
  const parts: Buffer[] = [];
  const whole = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    document.on('error', reject);
  });
  for (const page of pages) {
    document.addPage();
    for (const ink of page) {
      if (ink.kind === 'text') drawText(document, ink, faces);
      else if (ink.kind === 'rule')
        document
          .lineWidth(ink.thickness)
          .moveTo(ink.x, ink.y)
          .lineTo(ink.toX, ink.toY)
          .stroke(ink.colour ?? '#000000');
      else document.image(Buffer.from(ink.bytes), ink.x, ink.y, { fit: [ink.width, ink.height] });
    }
  }
  document.end();
  return whole;
}

function drawText(document: PDFKit.PDFDocument, ink: Text, faces: Faces): void {
  let { x } = ink;
  if (ink.turned) {
    document.save().rotate(ink.turned.degrees, { origin: [sheet.width / 2, sheet.height / 2] });
    document.fillOpacity(ink.turned.opacity);
  }
  document.fontSize(ink.size).fillColor(ink.colour ?? '#000000');
  for (const { text, font } of faces.split(ink.text, ink.face)) {
    document.font(font).text(text, x, ink.y, {
      lineBreak: false,
      baseline: 'alphabetic',
      characterSpacing: ink.spacing,
      ...(ink.oblique && { oblique: true }),
    });
    x += faces.measure(text, ink.face, ink.size) + [...text].length * ink.spacing;
  }
  if (ink.turned) document.fillOpacity(1).restore();
}
