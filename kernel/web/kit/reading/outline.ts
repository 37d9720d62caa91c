export interface Heading {
  /** Index of the line in the text, from 0. */
  line: number;
  /** 1 编、章; 2 节 and 一、; 3 （一）. */
  level: 1 | 2 | 3;
  title: string;
}

const number = '[〇零一二三四五六七八九十百]+';
const forms: [RegExp, Heading['level']][] = [
  [new RegExp(`^第${number}[编章](\\s|$)`), 1],
  [new RegExp(`^第${number}节(\\s|$)`), 2],
  [new RegExp(`^${number}、`), 2],
  [new RegExp(`^[（(]${number}[）)]`), 3],
];
const longest = 40;

/** Finds headings in a plain text by the conventions of Chinese documents; a numbered line that is a whole sentence is not a heading. */
export function headingsOf(text: string): Heading[] {
  return text.split('\n').flatMap((whole, line) => {
    const title = whole.trim();
    const level = forms.find(([form]) => form.test(title))?.[1];
    const sentence = /[。；;]./.test(title) || (level !== 1 && /[。；;]$/.test(title));
    return level && title.length <= longest && !sentence ? [{ line, level, title }] : [];
  });
}

/**
 * The headings with their depth for screen readers: the first level comes below the page title, and none is more than one level deeper than the one
 * before it.
 */
export function nested(headings: readonly Heading[]): (Heading & { depth: number })[] {
  const top = Math.min(...headings.map((one) => one.level));
  let before = 1;
  return headings.map((one) => ({ ...one, depth: (before = Math.min(one.level - top + 2, before + 1)) }));
}
