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

/** Opens a font from a file or its bytes; throws if it cannot be embedded. */
export function openFont(file: string | Uint8Array): OpenFont {
  const bytes = typeof file === 'string' ? readFileSync(file) : Buffer.from(file);
  const document = new PdfKit({ autoFirstPage: false, font: bytes as never });
  // The only way to a font's own tables; it is missing in the types.
  return (document as unknown as Record<'_font', { font: OpenFont }>)['_font'].font;
}
