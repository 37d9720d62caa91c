import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface PageText {
  words: string;
  pages: number;
}
/** Thrown for an encrypted PDF. */
export class PdfLocked extends Error {
  override name = 'PdfLocked';
}

/** The limits of pages to set and of characters to read. */
export const mostPages = 300;
const mostCharacters = 200_000;

interface Line {
  text: string;
  right: number;
  size: number;
}

/** Joins lines: one that reaches the right edge continues in the next. */
function joined(lines: readonly Line[]): string {
  const edge = Math.max(0, ...lines.map((line) => line.right));
  return lines.map(({ text, right, size }) => (right > edge - 2 * size ? text : `${text}\n`)).join('');
}

async function linesOf(pdf: PDFDocumentProxy, number: number): Promise<Line[]> {
  const page = await pdf.getPage(number);
  const lines: Line[] = [];
  let open = null as Line | null;
  for (const item of (await page.getTextContent()).items) {
    if (!('str' in item)) continue;
    const [, , , size = 0, x = 0] = item.transform as number[];
    open = { text: (open?.text ?? '') + item.str, right: Math.max(open?.right ?? 0, x + item.width), size };
    if (!item.hasEOL) continue;
    lines.push(open);
    open = null;
  }
  if (open) lines.push(open);
  page.cleanup();
  return lines.filter((line) => line.text.trim() !== '');
}

/** The text and number of pages of a PDF; no text if it has too many. Throws for a damaged one. */
export async function pdfText(data: Uint8Array): Promise<PageText> {
  // Both libraries are large, so they are loaded with the first PDF.
  const [{ PDFDocument }, { getDocument }] = await Promise.all([
    import('@cantoo/pdf-lib'),
    import('pdfjs-dist/legacy/build/pdf.mjs'),
  ]);
  // The typesetter has to be able to open it, too.
  await PDFDocument.load(data, { updateMetadata: false, throwOnInvalidObject: true }).catch((error: Error) => {
    throw /encrypted/i.test(error.message) ? new PdfLocked() : error;
  });
  const loading = getDocument({ data, useSystemFonts: false, disableFontFace: true, verbosity: 0 });
  try {
    const pdf = await loading.promise.catch((error: Error) => {
      throw error.name === 'PasswordException' ? new PdfLocked() : error;
    });
    if ((await pdf.getPermissions()) !== null) throw new PdfLocked();
    const parts: string[] = [];
    let length = 0;
    for (let number = 1; number <= pdf.numPages && number <= mostPages && length < mostCharacters; number += 1) {
      const text = joined(await linesOf(pdf, number));
      length += text.length;
      parts.push(text);
    }
    return { words: parts.join('\n').slice(0, mostCharacters).trim(), pages: pdf.numPages };
  } finally {
    await loading.destroy();
  }
}
