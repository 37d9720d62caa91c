import { readFileSync } from 'node:fs';
import PdfKit from 'pdfkit';

interface Glyph {
  id: number;
  advanceWidth: number;
}
/** The interface of a font in pdfkit's font library. */
export interface OpenFont {
  unitsPerEm: number;
  layout(text: string): { glyphs: Glyph[] };
  hasGlyphForCodePoint(point: number): boolean;
  glyphForCodePoint(point: number): Glyph;
}

declare global {
  namespace PDFKit {
    interface PDFDocument {
      // oxlint-disable-next-line typescript/no-misused-new -- the library declares its constructor so
      new (options: Omit<PDFDocumentOptions, 'font'> & { font: Uint8Array }): PDFDocument;
      /** The only way to a font's own tables; it is missing in the types, as a font by its bytes and an open one are. */
      readonly _font: { font: OpenFont };
    }
    namespace Mixins {
      interface PDFFont {
        font(open: OpenFont): this;
      }
    }
  }
}

/** Opens a font from a file or its bytes; throws if it cannot be embedded. */
export function openFont(file: string | Uint8Array): OpenFont {
  const bytes = typeof file === 'string' ? readFileSync(file) : Buffer.from(file);
  const document = new PdfKit({ autoFirstPage: false, font: bytes });
  return document['_font'].font;
}
