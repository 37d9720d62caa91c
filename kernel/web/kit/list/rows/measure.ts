/** Size in CSS pixels of the text for which the columns’ widths are given. */
export const usualText = 14;

/** Returns the width of a text in CSS pixels, at the usual size. */
export type Measure = (text: string, strong?: boolean) => number;

/** Width in CSS pixels of a character. */
const letter = { wide: 14.2, narrow: 8.2 };

/** Reckons from the number of characters, where nothing is drawn. */
export const countLetters: Measure = (text) =>
  [...text].reduce((sum, one) => sum + (one.charCodeAt(0) > 0x2e7f ? letter.wide : letter.narrow), 0);

/** The widths measured so far, by font and text; forgotten when there are too many. */
const known = new Map<string, number>();
const most = 10_000;
let pen: OffscreenCanvasRenderingContext2D | null = null;

/** Measures texts as they are drawn in this font, if the browser can. */
export function measureIn(family: string): Measure {
  if (typeof OffscreenCanvas === 'undefined') return countLetters;
  pen ??= new OffscreenCanvas(1, 1).getContext('2d');
  const drawing = pen;
  if (!drawing) return countLetters;
  return (text, strong = false) => {
    const font = `${strong ? 600 : 400} ${usualText}px ${family}`;
    // Columns of figures show all digits equally wide, which a canvas does not.
    const digits = text.replaceAll(/\d/g, '0');
    const key = `${font} ${digits}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    drawing.font = font;
    const { width } = drawing.measureText(digits);
    known.set(key, width);
    return width;
  };
}
