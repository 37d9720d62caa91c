import { createRequire } from 'node:module';
import { isBlank, seenOf, uncommonIn } from './characters.ts';
import type { Face, Measure } from './measures.ts';
import { openFont, type OpenFont } from './open.ts';
import { openRareFaces } from './rare.ts';

/** An operator's font files by use; for missing ones the built-in font is used. */
export type FontFiles = Partial<Record<Exclude<Face, 'song'>, string>> & {
  /** For characters that no other face has. */
  rare?: readonly string[];
};

export interface Faces {
  measure: Measure;
  /** Splits a text into parts, each of which one font has completely. */
  split(text: string, face: Face): { text: string; font: OpenFont }[];
  /** Opens the fonts needed for texts to be measured and drawn from now on. Returns the characters that no face has. */
  prepare(texts: Iterable<string>): Promise<string[]>;
}

const own = { regular: '400Regular/NotoSerifSC_400Regular.ttf', strong: '700Bold/NotoSerifSC_700Bold.ttf' };
const find = (file: string) => createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-serif-sc/${file}`);
/** Replaces a character that no font has, as printers do. */
const unknown = '〓';
/** Opens the fonts once, for any number of documents. */
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
  // An operator's face for another use may have characters that no other has.
  const faces = openRareFaces([files.rare ?? [], files.text ?? [], files.kai ?? [], files.title ?? []].flat());
  const rare = new Map<string, OpenFont | null>();
  /** The form of a character in a face: itself, or its replacement. */
  const drawn = (character: string, face: Face): { shown: string; font: OpenFont } => {
    const has = (font: OpenFont) => font.hasGlyphForCodePoint(character.codePointAt(0)!);
    const font = [fonts[face], spare[face]].find(has) ?? rare.get(character);
    if (font) return { shown: character, font };
    return { shown: isBlank(character) ? ' ' : unknown, font: regular };
  };
  const widths = new Map<string, number>();
  const width = (character: string, face: Face): number => {
    const key = face + character;
    let known = widths.get(key);
    if (known === undefined) {
      const { shown, font } = drawn(character, face);
      known = font.glyphForCodePoint(shown.codePointAt(0)!).advanceWidth / font.unitsPerEm;
      if (widths.size < 20_000) widths.set(key, known);
    }
    return known;
  };
  return {
    measure: (text, face, size) => seenOf(text).reduce((sum, character) => sum + width(character, face), 0) * size,
    split(text, face) {
      const parts: { text: string; font: OpenFont }[] = [];
      for (const character of seenOf(text)) {
        const { shown, font } = drawn(character, face);
        const last = parts.at(-1);
        if (last && last.font === font) last.text += shown;
        else parts.push({ text: shown, font });
      }
      return parts;
    },
    async prepare(texts) {
      const missing: string[] = [];
      for (const character of uncommonIn(texts)) {
        if (regular.hasGlyphForCodePoint(character.codePointAt(0)!)) continue;
        if (!rare.has(character)) {
          rare.set(character, await faces.faceOf(character));
          // Measures taken before its face was open are wrong.
          widths.clear();
        }
        if (rare.get(character) === null) missing.push(character);
      }
      return missing;
    },
  };
}
