const graphemes = new Intl.Segmenter('zh-CN', { granularity: 'grapheme' });

/** How many characters a text has; one outside the basic plane is one. */
export const charactersIn = (text: string): number => [...text].length;

/** The beginning of a text that is too long, with a mark that it goes on. What is read as one sign (an emoji of several parts) stays whole. */
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
