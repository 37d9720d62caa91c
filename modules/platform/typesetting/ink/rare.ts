import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { decompress } from 'wawoff2';
import { openFont, type OpenFont } from './open.ts';

const find = (file: string) => createRequire(import.meta.url).resolve(file);
/** 花园明朝: the extensions A to F, in files of about a thousand characters each. */
const blocks = 'hanamin/HanaMin.css';
/** 思源黑体 has the few characters of extension G in use today, 𰻝 among them. */
const beyond = '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf';

export interface RareFaces {
  /** The first face that has a character, opened on first use; null if none has it. */
  faceOf(character: string): Promise<OpenFont | null>;
}

/** Faces for characters that the text faces lack: first the operator's own, then the built-in ones. */
export function openRareFaces(operators: readonly string[]): RareFaces {
  const opened = new Map<string, Promise<OpenFont>>();
  const open = (file: string): Promise<OpenFont> => {
    const known = opened.get(file) ?? read(file);
    opened.set(file, known);
    return known;
  };
  let listed: ReturnType<typeof readBlocks> | null = null;
  return {
    async faceOf(character) {
      const point = character.codePointAt(0)!;
      const block = (await (listed ??= readBlocks())).find(({ from, to }) => from <= point && point <= to);
      for (const file of [...operators, ...(block ? [block.file] : []), find(beyond)]) {
        const face = await open(file);
        if (face.hasGlyphForCodePoint(point)) return face;
      }
      return null;
    },
  };
}

/** The characters of each file, from its package's style sheet. */
async function readBlocks(): Promise<{ from: number; to: number; file: string }[]> {
  const sheet = await readFile(find(blocks), 'utf8');
  return [...sheet.matchAll(/url\(["']?([\w.-]+\.woff2)["']?\)[^}]*?unicode-range:\s*([^;}]+)/g)].flatMap(
    ([, file = '', ranges = '']) =>
      [...ranges.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi)].map(([, from = '', to = from]) => ({
        from: Number.parseInt(from, 16),
        to: Number.parseInt(to, 16),
        file: find(`hanamin/${file}`),
      })),
  );
}

/** Files packed for browsers are unpacked first: only a plain font can be embedded in part. */
async function read(file: string): Promise<OpenFont> {
  return openFont(file.endsWith('.woff2') ? await decompress(await readFile(file)) : file);
}
