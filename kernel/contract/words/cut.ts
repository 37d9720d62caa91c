const graphemes = new Intl.Segmenter('zh-CN', { granularity: 'grapheme' });

/** The number of characters of a text; one outside the basic plane counts as one. */
export const charactersIn = (text: string): number => [...text].length;

/** Returns the beginning of a text that is too long, with an ellipsis. It never splits what is read as one sign (an emoji of several parts). */
export function cutTo(text: string, most: number, sizeOf: (part: string) => number = charactersIn): string {
  if (sizeOf(text) <= most) return text;
  let [kept, left] = ['', most - sizeOf('…')];
  for (const { segment } of graphemes.segment(text)) {
    left -= sizeOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}
