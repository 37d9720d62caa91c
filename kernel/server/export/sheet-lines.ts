import { chosenText } from '#kernel/contract/sheet/cells.ts';
import type { ImportColumn } from '#kernel/contract/sheet/import.ts';
import { columnsMissing, headingsUnread, sheetEmpty } from '#kernel/contract/sheet/sheet.ts';
import { maskedNumberIn, maskedWords } from '../text/mask-phones.ts';
import { hiddenLine, lostDigits, shownCell, unreadCell } from './sheet-bounds.ts';
import { columnLetters } from './sheet-xml.ts';

type Column<K extends string> = Omit<ImportColumn<K>, 'example'>;
type Sheet = readonly (readonly string[])[];

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

/** A cell without its mark: the text that is shown, the number behind it, and the mark that says why it cannot be relied on. */
interface PlainCell {
  shows: string;
  value: string;
  mark: typeof unreadCell | typeof lostDigits | null;
}
function plainCell(marked: string): PlainCell {
  if (marked.startsWith(shownCell)) {
    const [, shows = '', value = shows] = marked.split(shownCell);
    return { shows, value, mark: null };
  }
  const mark = ([unreadCell, lostDigits] as const).find((one) => marked.startsWith(one)) ?? null;
  const shows = mark === null ? marked : marked.slice(mark.length);
  return { shows, value: shows, mark };
}
const placeName = (line: number, column: number) => `${columnLetters(column)}${line}`;

/** Removes the mark of a hidden line. */
const unhidden = (line: readonly string[]): readonly string[] =>
  line[0]?.startsWith(hiddenLine) ? line.with(0, line[0].slice(hiddenLine.length)) : line;

/** Returns the headings of a sheet. Refuses with `headingsUnread` if it is not known what a column is called. */
function headingsOf([first = []]: Sheet): string[] {
  const cells = unhidden(first).map(plainCell);
  const faults = cells.flatMap(({ mark, shows }, column) =>
    mark === unreadCell ? [unreadWords(placeName(1, column), shows)] : [],
  );
  if (faults.length > 0) throw headingsUnread(faults);
  return cells.map(({ shows }) => shows);
}

/**
 * Returns the lines that are not empty, by the titles of the first line; stars and spaces in titles do not matter. Refuses with `columnsMissing`,
 * `headingsUnread` and `sheetEmpty`.
 */
export function linesOf<K extends string>(sheet: Sheet, columns: readonly Column<K>[], what: string): SheetLine<K>[] {
  const header = headingsOf(sheet);
  const places = columns.map((column) => ({
    key: column.key,
    title: column.title,
    kind: column.kind,
    needed: column.needed ?? false,
    place: placeOf(header, column),
  }));
  const missing = places.filter((column) => column.needed && column.place < 0);
  if (missing.length > 0) throw columnsMissing(missing.map((column) => column.title));
  const lines = sheet.slice(1).flatMap((marked, index) => {
    const line = index + 2;
    const cells = unhidden(marked);
    if (cells.every((cell) => cell.trim() === '')) return [];
    const found = places.map((column) => ({ ...column, ...plainCell(cells[column.place] ?? '') }));
    const named = found.map(({ key, kind, shows, value, mark }) => [
      key,
      mark === unreadCell ? '' : chosenText(kind, shows, value).trim(),
    ]);
    const unread = found
      .filter(({ mark }) => mark === unreadCell)
      .map(({ title, place, shows }) => ({ title, at: placeName(line, place), shows }));
    const altered = found.filter(({ mark }) => mark === lostDigits).map(({ title }) => title);
    const hidden = cells !== marked;
    return [{ line, cells: Object.fromEntries(named) as Record<K, string>, altered, unread, hidden }];
  });
  if (lines.length === 0) throw sheetEmpty(what);
  return lines;
}

interface PlainSheet {
  /** Cells as they are shown, without marks. */
  lines: string[][];
  /** The numbers that are shown in another way. */
  values: { line: number; column: number; value: string }[];
  faults: { line: number; column: number; msg: string }[];
  hidden: number[];
}
/** Reads a sheet without declared columns: its cells without marks, and the faults that the marks report; lines are counted from 1, columns from 0. */
export function plainSheet(sheet: Sheet): PlainSheet {
  const values: PlainSheet['values'] = [];
  const faults: PlainSheet['faults'] = [];
  const hidden: number[] = [];
  const lines = sheet.map((marked, index) => {
    const line = index + 1;
    const cells = unhidden(marked);
    if (cells !== marked) hidden.push(line);
    return cells.map((cell, column) => {
      const { shows, value, mark } = plainCell(cell);
      const masked = maskedNumberIn(undefined, shows);
      const wrong = (msg: string) => void faults.push({ line, column, msg });
      if (mark === lostDigits) wrong(digitsLost);
      else if (mark === unreadCell) wrong(unreadWords(placeName(line, column), shows));
      else if (masked !== null) wrong(maskedWords(masked));
      else {
        if (value !== shows) values.push({ line, column, value });
        return shows;
      }
      return '';
    });
  });
  return { lines, values, faults, hidden };
}

/** Returns the keys of the columns that a sheet has. */
export function columnsIn<K extends string>(sheet: Sheet, columns: readonly Column<K>[]): Set<K> {
  const header = headingsOf(sheet);
  return new Set(columns.filter((column) => placeOf(header, column) >= 0).map(({ key }) => key));
}

/** Returns the titles of the columns that hold something and are among the hidden ones of a sheet, counted from 0. */
export function titlesHidden(
  sheet: Sheet,
  columns: readonly Pick<ImportColumn, 'title' | 'aka'>[],
  hidden: readonly number[],
): string[] {
  const header = headingsOf(sheet);
  const holds = (place: number) => sheet.slice(1).some((line) => (unhidden(line)[place] ?? '') !== '');
  return columns
    .map((column) => ({ title: column.title, place: placeOf(header, column) }))
    .filter(({ place }) => hidden.includes(place) && holds(place))
    .map(({ title }) => title);
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

/** Returns the headings of a sheet that belong to no column, and the letters of columns that hold something without a heading; hidden ones say so. */
export function ignoredIn(
  sheet: Sheet,
  columns: readonly Pick<ImportColumn, 'title' | 'aka'>[],
  hidden: readonly number[],
): string[] {
  const header = headingsOf(sheet);
  const taken = new Set(columns.map((column) => placeOf(header, column)));
  const below = sheet.slice(1).map(unhidden);
  const widest = below.reduce((most, line) => Math.max(most, line.length), header.length);
  return Array.from({ length: widest }, (_none, place) => place).flatMap((place) => {
    const title = (header[place] ?? '').trim();
    const holds = () => below.some((line) => (line[place] ?? '').trim() !== '');
    if (taken.has(place) || (plain(title) === '' && !holds())) return [];
    const named = plain(title) === '' ? `${columnLetters(place)} 列（没有列名）` : title;
    return [named + (hidden.includes(place) ? '（已隐藏）' : '')];
  });
}
