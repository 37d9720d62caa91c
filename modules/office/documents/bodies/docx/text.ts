import { strFromU8, strToU8 } from 'fflate';
import mammoth from 'mammoth';
import { raisedText } from '#kernel/contract/words/raised.ts';
import { cleanHtml, linesOf } from '#kernel/server/text/rich-text.ts';
import { packLoose } from '#kernel/server/export/sheet-archive.ts';
import { pictureMark } from '#modules/platform/typesetting/service.ts';
import { lossesOf } from './losses.ts';
import { withNumbers } from './numbering.ts';
import { unpackWord } from './parts.ts';

export interface WordText {
  /** Cleaned formatted text, with marks in place of pictures. */
  html: string;
  words: string;
  /** The unchanged pictures, in the order of their marks. */
  pictures: Uint8Array[];
  losses: string[];
}

const max = { pictures: 60, bytes: 40 * 2 ** 20 };
const styles = [
  ...['1', '2', '3', '4'].map((level) => `p[style-name='heading ${level}'] => h${Number(level) + 1}:fresh`),
  "p[style-name='Title'] => p.of-center:fresh",
  "p[style-name='of-center'] => p.of-center:fresh",
  "p[style-name='of-right'] => p.of-right:fresh",
  'u => u',
];
interface Aligned {
  alignment?: string;
  styleName?: string | null;
}
// Missing in the library's own types.
const { transforms } = mammoth as typeof mammoth & {
  transforms: { paragraph(change: (one: Aligned) => Aligned): (root: unknown) => unknown };
};
/** The reader of Word files maps styles only, so an alignment is passed to it as a style. */
const aligned = transforms.paragraph((one) => {
  const to = { center: 'of-center', right: 'of-right', end: 'of-right' }[one.alignment ?? ''];
  return to && !/^(?:heading|title)/i.test(one.styleName ?? '') ? { ...one, styleName: to } : one;
});
/** Raised or lowered text; a note's mark has an anchor in it. */
const raised = /<(sup|sub)>([^<]+)<\/\1>/g;
const backToText = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;

/** The text of a Word file. Throws if the file is none, or its text exceeds the limit. */
export async function wordText(bytes: Uint8Array): Promise<WordText> {
  const parts = unpackWord(bytes);
  const xml = (path: string) => (parts[path] ? strFromU8(parts[path]) : '');
  const document = xml('word/document.xml');
  const losses = lossesOf(
    document,
    Object.fromEntries(
      Object.keys(parts)
        .filter((path) => /^word\/(?:header|footer)\d*\.xml$/.test(path))
        .map((path) => [path, xml(path)]),
    ),
  );
  parts['word/document.xml'] = strToU8(withNumbers(document, xml('word/numbering.xml'), xml('word/styles.xml')));

  const pictures: Uint8Array[] = [];
  let [held, dropped] = [0, 0];
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(packLoose(parts)) },
    {
      styleMap: styles,
      externalFileAccess: false,
      transformDocument: aligned,
      convertImage: mammoth.images.imgElement(async (image) => {
        const picture = await image.readAsBuffer().catch(() => null);
        held += picture?.length ?? 0;
        if (!picture || pictures.length >= max.pictures || held > max.bytes) {
          dropped += 1;
          return { src: '' };
        }
        return { src: `#${pictures.push(new Uint8Array(picture)) - 1}` };
      }),
    },
  );
  const lowered = [...value.matchAll(raised)].filter(
    ([, kind, text]) => raisedText(text!.trim(), kind as 'sup') === null,
  );
  if (lowered.length > 0) losses.push(`上标、下标 ${lowered.length} 处：排成普通文字`);
  if (dropped > 0) losses.push(`图片 ${dropped} 张：没有保留`);
  const html = cleanHtml(
    value
      .replace(/[\uE000\uE001]/g, '')
      .replace(backToText, '')
      .replace(/<img [^>]*?src="#(\d+)"[^>]*?>/g, (_, at: string) => pictureMark(Number(at)))
      .replace(/<p class="of-(center|right)">/g, '<p style="text-align:$1">'),
  );
  return { html, words: linesOf(html).replace(/\uE000\d+\uE001/g, '〔图〕'), pictures, losses };
}
