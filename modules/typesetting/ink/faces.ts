import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PdfKit from 'pdfkit';
import type { Face, Measure } from './measures.ts';

/** Font files of an operator, by what they are used for; what is missing is set in the font that came with the product. */
export type FontFiles = Partial<Record<Exclude<Face, 'song'>, string>>;

interface Glyph {
  id: number;
  advanceWidth: number;
}
/** What pdfkit draws with: a font as its own font library reads it. */
interface OpenFont {
  unitsPerEm: number;
  layout(text: string): { glyphs: Glyph[] };
  hasGlyphForCodePoint(point: number): boolean;
  glyphForCodePoint(point: number): Glyph;
}
export interface Faces {
  measure: Measure;
  /** A text in stretches that one font has all the characters of. */
  split(text: string, face: Face): { text: string; font: OpenFont }[];
}

const own = { regular: '400Regular/NotoSerifSC_400Regular.ttf', strong: '700Bold/NotoSerifSC_700Bold.ttf' };
const find = (file: string) => createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-serif-sc/${file}`);
/** Stands for a character that no font has, as printers do. */
const unknown = '〓';

/** Opens a font of a file; throws where it is none that can be embedded. */
export function openFont(file: string): OpenFont {
  const document = new PdfKit({ autoFirstPage: false, font: readFileSync(file) as never });
  // The only way to a font's own tables; the types do not know it.
  return (document as unknown as Record<'_font', { font: OpenFont }>)['_font'].font;
}

/** Opens the fonts once, for as many documents as there come. */
export function openFaces(files: FontFiles): Faces {
  const regular = openFont(find(own.regular));
  const strong = openFont(find(own.strong));
  const opened = new Map<string, OpenFont>();
  const chosen = (file: string | undefined, instead: OpenFont) => {
    if (!file) return instead;
    const font = opened.get(file) ?? openFont(file);
    opened.set(file, font);
    return font;
  };
  const fonts: Record<Face, OpenFont> = {
    text: chosen(files.text, regular),
    kai: chosen(files.kai, regular),
    song: regular,
    bold: chosen(files.bold, strong),
    title: chosen(files.title, strong),
  };
  const spare = { text: regular, kai: regular, song: regular, bold: strong, title: strong };
  const fontOf = (character: string, face: Face): OpenFont | null => {
    const point = character.codePointAt(0)!;
    return [fonts[face], spare[face]].find((font) => font.hasGlyphForCodePoint(point)) ?? null;
  };
  const widths = new Map<string, number>();
  const width = (character: string, face: Face): number => {
    const key = face + character;
    let known = widths.get(key);
    if (known === undefined) {
      const font = fontOf(character, face);
      const shown = font ? character : unknown;
      const from = font ?? regular;
      known = from.glyphForCodePoint(shown.codePointAt(0)!).advanceWidth / from.unitsPerEm;
      if (widths.size < 20_000) widths.set(key, known);
    }
    return known;
  };
  return {
    measure: (text, face, size) => [...text].reduce((sum, character) => sum + width(character, face), 0) * size,
    split(text, face) {
      const parts: { text: string; font: OpenFont }[] = [];
      for (const character of text) {
        const font = fontOf(character, face);
        const shown = font ? character : unknown;
        const last = parts.at(-1);
        if (last && last.font === (font ?? regular)) last.text += shown;
        else parts.push({ text: shown, font: font ?? regular });
      }
      return parts;
    },
  };
}
