import { at } from '../ink/ink.ts';
import { core, mm, sheet, type Page } from '../ink/measures.ts';

const size = 8;
/** The most that are named; more would not fit on the line. */
const most = 5;
const places = {
  upright: { x: core.left, top: core.bottom + 8 * mm + 13 },
  landscape: { x: 12 * mm, top: sheet.width - 9 * mm },
} as const;

/**
 * Notes at the foot of each page which of its characters no face has, by their code points, since they cannot be printed. A document to be sent is
 * refused before; others are noted here.
 */
export function tellMissing(
  pages: readonly Page[],
  missing: readonly string[],
  lies: keyof typeof places = 'upright',
): Page[] {
  return pages.map((page) => {
    const here = missing.filter((one) => page.some((ink) => ink.kind === 'text' && ink.text.includes(one)));
    if (here.length === 0) return page;
    const numbers = here.map((one) => `U+${one.codePointAt(0)!.toString(16).toUpperCase()}`);
    const which = `${numbers.slice(0, most).join('、')}${here.length > most ? ` 等 ${here.length} 个` : ''}`;
    const { x, top } = places[lies];
    const text = `本页印作〓的字没有可用的字体（${which}），请系统管理员补充字体（FONT_DIR）`;
    return [...page, at(x, { text, face: 'song', size, top })];
  });
}
