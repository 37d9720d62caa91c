import { readFileSync } from 'node:fs';
import PdfKit from 'pdfkit';

interface Glyph {
  id: number;
  advanceWidth: number;
}
/** What pdfkit draws with: a font as its own font library reads it. */
export interface OpenFont {
  unitsPerEm: number;
  layout(text: string): { glyphs: Glyph[] };
  hasGlyphForCodePoint(point: number): boolean;
  glyphForCodePoint(point: number): Glyph;
}

/** Opens a font of a file or of its bytes; throws where it is none that can be embedded. */
export function openFont(file: string | Uint8Array): OpenFont {
  const bytes = typeof file === 'string' ? readFileSync(file) : Buffer.from(file);
  const document = new PdfKit({ autoFirstPage: false, font: bytes as never });
  // The only way to a font's own tables; the types do not know it.
  return (document as unknown as Record<'_font', { font: OpenFont }>)['_font'].font;
}
