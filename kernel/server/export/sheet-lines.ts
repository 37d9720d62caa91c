import type { ImportColumn } from '#kernel/contract/sheet/import.ts';
import { columnsMissing, sheetEmpty } from '#kernel/contract/sheet/sheet.ts';
import { hiddenLine, lostDigits, unreadCell } from './sheet-bounds.ts';
import { columnLetters } from './sheet-xml.ts';

type Column<K extends string> = Omit<ImportColumn<K>, 'example'>;

export interface SheetLine<K extends string> {
  /** Line of the sheet, the header being 1. */
  line: number;
  cells: Record<K, string>;
  /** Titles of the columns whose cell is a number that lost its last digits; each is an error, `digitsLost`. */
  altered: readonly string[];
  /** Cells without a readable value, by the title of their column, with the text shown there: an error, or nothing if a formula has no result. */
  unread: readonly { title: string; at: string; shows: string }[];
  /** The line is hidden or filtered out. */
  hidden: boolean;
}
export const digitsLost = '超过 15 位的数字末几位已丢失，请把该列设为文本格式后重新填写';
/** Returns the message for a cell without a readable value. */
export const unreadWords = (at: string, shows: string): string =>
  shows === ''
    ? `单元格 ${at} 的公式没有保存计算结果，请用表格软件打开、保存后重新上传`
    : `单元格 ${at} 是错误值 ${shows}，请改正后重新上传`;

/**
 * Returns the lines that are not empty, by the titles of the first line; stars and spaces in titles do not matter. Refuses with `columnsMissing` and
 * `sheetEmpty`.
 */
export function linesOf<K extends string>(
  sheet: readonly (readonly string[])[],
  columns: readonly Column<K>[],
  what: string,
): SheetLine<K>[] {
  const [header = [], ...rest] = sheet;
  const places = columns.map((column) => ({
    key: column.key,
    title: column.title,
    needed: column.needed ?? false,
    place: placeOf(header, column),
  }));
  const missing = places.filter((column) => column.needed && column.place < 0);
  if (missing.length > 0) throw columnsMissing(missing.map((column) => column.title));
  const lines = rest.flatMap((shown, index) => {
    const hidden = shown[0]?.startsWith(hiddenLine) ?? false;
    const cells = hidden ? shown.with(0, shown[0]!.slice(hiddenLine.length)) : shown;
    if (cells.every((cell) => cell.trim() === '')) return [];
    const found = places.map((column) => ({ ...column, text: (cells[column.place] ?? '').trim() }));
    const named = found.map(({ key, text }) => [key, text.startsWith(unreadCell) ? '' : text.replace(lostDigits, '')]);
    const unread = found
      .filter(({ text }) => text.startsWith(unreadCell))
      .map(({ title, place, text }) => ({
        title,
        at: `${columnLetters(place)}${index + 2}`,
        shows: text.slice(unreadCell.length),
      }));
    const altered = found.filter(({ text }) => text.startsWith(lostDigits)).map(({ title }) => title);
    return [{ line: index + 2, cells: Object.fromEntries(named) as Record<K, string>, altered, unread, hidden }];
  });
  if (lines.length === 0) throw sheetEmpty(what);
  return lines;
}

/** Reads a sheet without declared columns: its cells without marks, and the faults that the marks report; lines are counted from 1, columns from 0. */
export function plainSheet(sheet: readonly (readonly string[])[]): {
  lines: string[][];
  faults: { line: number; column: number; msg: string }[];
  hidden: number[];
} {
  const faults: { line: number; column: number; msg: string }[] = [];
  const hidden: number[] = [];
  const lines = sheet.map((marked, index) => {
    const isHidden = marked[0]?.startsWith(hiddenLine) ?? false;
    if (isHidden) hidden.push(index + 1);
    const shown = isHidden ? marked.with(0, marked[0]!.slice(hiddenLine.length)) : marked;
    return shown.map((text, column) => {
      const wrong = (msg: string) => void faults.push({ line: index + 1, column, msg });
      if (text.startsWith(lostDigits)) wrong(digitsLost);
      else if (text.startsWith(unreadCell))
        wrong(unreadWords(`${columnLetters(column)}${index + 1}`, text.slice(unreadCell.length)));
      else return text;
      return '';
    });
  });
  return { lines, faults, hidden };
}

/** Returns the keys of the columns that a sheet has. */
export function columnsIn<K extends string>(
  [header = []]: readonly (readonly string[])[],
  columns: readonly Column<K>[],
): Set<K> {
  return new Set(columns.filter((column) => placeOf(header, column) >= 0).map(({ key }) => key));
}

const plain = (title: string) => title.replace(/[*＊\s]/g, '');

/** Removes the unit that lists put in brackets behind a title, 合同金额（元）. */
const withoutUnit = (title: string) => title.replace(/[（(][^（()）]*[）)]$/, '');

/** Finds a column, preferably by its own title, then by another one; the exact title is preferred to one with a unit. */
function placeOf(header: readonly string[], { title, aka = [] }: { title: string; aka?: readonly string[] }): number {
  const titles = header.map(plain);
  const bare = titles.map(withoutUnit);
  const named = [title, ...aka];
  const places = [titles, bare].flatMap((headings) => named.map((one) => headings.indexOf(one)));
  return places.find((place) => place >= 0) ?? -1;
}

/** Returns the titles of a sheet that belong to no column. */
export function ignoredIn(
  [header = []]: readonly (readonly string[])[],
  columns: readonly Pick<ImportColumn, 'title' | 'aka'>[],
): string[] {
  const taken = new Set(columns.map((column) => placeOf(header, column)));
  return header.filter((title, place) => plain(title) !== '' && !taken.has(place)).map((title) => title.trim());
}
