import { XMLParser } from 'fast-xml-parser';
import { format, getFormatDateInfo, getFormatInfo, isDateFormat, isValidFormat } from 'numfmt';
import { columnNumber, slicesOf } from './sheet-bounds.ts';

/** Places of a sheet, counted from 0, at which its author sees something else than the values of its cells. */
export interface SheetMarks {
  /** Cells without a readable value, with the text shown there. */
  unread: { row: number; column: number; shows: string }[];
  /** Lines that are hidden or filtered out. */
  hidden: number[];
  /** Columns that are hidden, from the first to the last of each range. */
  hiddenColumns: { first: number; last: number }[];
  /** Merged cells: the first one holds the value of all of its column. */
  merged: { row: number; last: number; column: number }[];
  /** Numbers with the text that their format shows. */
  formatted: { row: number; column: number; shows: string }[];
}
/** Returns the text that a format shows for a number; empty if that says no more than the number. */
type Shown = (value: number) => string;

type Parts = Readonly<Record<string, Uint8Array>>;
const textOf = (bytes: Uint8Array, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseAttributeValue: false,
  // A format may end in a blank.
  trimValues: false,
  processEntities: true,
  isArray: (name) => ['sheet', 'Relationship', 'numFmt', 'xf'].includes(name),
});
const parsed = (parts: Parts, path: string): Record<string, never> =>
  parts[path] ? (parser.parse(textOf(parts[path])) as Record<string, never>) : {};

interface Book {
  workbook?: {
    workbookPr?: { date1904?: string };
    sheets?: { sheet?: { name: string; state?: string; id: string }[] };
  };
  Relationships?: { Relationship?: { Id: string; Target: string }[] };
  styleSheet?: {
    numFmts?: { numFmt?: { numFmtId: string; formatCode: string }[] };
    cellXfs?: { xf?: { numFmtId?: string }[] };
  };
}

/**
 * The first sheet that is not hidden: its position counted from 1, its path, and the names of the sheets that are not read. Null if every sheet is
 * hidden.
 */
export function shownSheet(parts: Parts): { no: number; path: string; beside: string[] } | null {
  const sheets = (parsed(parts, 'xl/workbook.xml') as Book).workbook?.sheets?.sheet ?? [];
  const links = (parsed(parts, 'xl/_rels/workbook.xml.rels') as Book).Relationships?.Relationship ?? [];
  const shown = sheets.find(({ state }) => state !== 'hidden' && state !== 'veryHidden');
  if (!shown) return null;
  const target = links.find(({ Id }) => Id === shown.id)?.Target ?? '';
  const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  const beside = sheets.filter((one) => one !== shown);
  return {
    no: sheets.indexOf(shown) + 1,
    path,
    beside: beside.map(
      ({ name, state }) => name.trim() + (state === undefined || state === 'visible' ? '' : '（已隐藏）'),
    ),
  };
}

/** The formats of numbers that a workbook names only by their number. */
const builtIn = [
  ['1', '0'],
  ['2', '0.00'],
  ['3', '#,##0'],
  ['4', '#,##0.00'],
  ['9', '0%'],
  ['10', '0.00%'],
  ['12', '# ?/?'],
  ['13', '# ??/??'],
  ['37', '#,##0;-#,##0'],
  ['38', '#,##0;-#,##0'],
  ['39', '#,##0.00;-#,##0.00'],
  ['40', '#,##0.00;-#,##0.00'],
] as const;
/** So many days later the older date system of Excel begins. */
const daysTo1904 = 1462;
const isOn = (value: string | undefined) => value === '1' || value === 'true';

/** Returns for each style of a workbook, by its index, how it shows a number; styles that show nothing but the number itself are left out. */
export function formatsOf(parts: Parts): Map<string, Shown> {
  const later = isOn((parsed(parts, 'xl/workbook.xml') as Book).workbook?.workbookPr?.date1904) ? daysTo1904 : 0;
  const { numFmts, cellXfs } = (parsed(parts, 'xl/styles.xml') as Book).styleSheet ?? {};
  const own = (numFmts?.numFmt ?? []).map(({ numFmtId, formatCode }) => [numFmtId, formatCode] as const);
  const formats = new Map<string, string>([...builtIn, ...own]);
  return new Map(
    (cellXfs?.xf ?? []).flatMap(({ numFmtId = '' }, at) => {
      const shown = shownBy(formats.get(numFmtId) ?? '', later);
      return shown ? [[String(at), shown] as const] : [];
    }),
  );
}

const plainFormat = /^(?:|general|@)$/i;
const exponent = /\dE[+-]?\d/;

/**
 * Returns what a format shows for numbers. It is null for a format that adds nothing, for an exponent, which hides digits, and for a whole date,
 * which has one spelling in all sheets. Separators alone are no other spelling of a number.
 */
function shownBy(code: string, later: number): Shown | null {
  if (plainFormat.test(code) || !isValidFormat(code) || getFormatInfo(code).type === 'scientific') return null;
  const isDate = isDateFormat(code);
  const { year, month, day } = getFormatDateInfo(code);
  if (isDate && year && month && day) return null;
  return (value) => {
    const shows = format(code, isDate ? value + later : value, { locale: 'zh-CN' }).trim();
    return exponent.test(shows) || shows.replace(/(?<=\d),(?=\d{3})/g, '') === String(value) ? '' : shows;
  };
}

const columnStart = /<(?:\w+:)?col\s([^>]*)>/g;
const rowStart = /<(?:\w+:)?row\s([^>]*)>/g;
const cell = /<(?:\w+:)?c\s([^>]*?)(?:\/>|>(.*?)<\/(?:\w+:)?c>)/gs;
const value = /<(?:\w+:)?v(?:\s[^>]*)?>(.*?)<\/(?:\w+:)?v>/s;
const formula = /<(?:\w+:)?f[\s/>]/;
const merge = /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g;
const address = /^([A-Z]{1,3})(\d{1,7})$/;
const attribute = (attributes: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];

/** Reads the marks of a sheet from its XML; the values are read elsewhere. */
export function marksOf(xml: Uint8Array, formats: ReadonlyMap<string, Shown>): SheetMarks {
  const marks: SheetMarks = { unread: [], hidden: [], hiddenColumns: [], merged: [], formatted: [] };
  for (const text of slicesOf(xml)) {
    for (const [, attributes] of text.matchAll(columnStart))
      if (isHidden(attributes!, 'width'))
        marks.hiddenColumns.push({
          first: Number(attribute(attributes!, 'min')) - 1,
          last: Number(attribute(attributes!, 'max')) - 1,
        });
    for (const [, attributes] of text.matchAll(rowStart))
      if (isHidden(attributes!, 'ht')) marks.hidden.push(Number(attribute(attributes!, 'r')) - 1);
    for (const [, attributes, inside] of text.matchAll(cell)) addCell(marks, formats, attributes!, inside);
    for (const [, letters, from, to] of text.matchAll(merge))
      if (to !== from)
        marks.merged.push({ row: Number(from) - 1, last: Number(to) - 1, column: columnNumber(letters!) - 1 });
  }
  return marks;
}

/** True for a line or a column that is hidden, or whose size is nought. */
const isHidden = (attributes: string, size: 'ht' | 'width') =>
  isOn(attribute(attributes, 'hidden')) || Number(attribute(attributes, size) ?? 1) === 0;

function addCell(marks: SheetMarks, formats: ReadonlyMap<string, Shown>, attributes: string, inside = ''): void {
  const [, letters, line] = address.exec(attribute(attributes, 'r') ?? '') ?? [];
  if (!letters || inside === '') return;
  const at = { row: Number(line) - 1, column: columnNumber(letters) - 1 };
  const type = attribute(attributes, 't') ?? 'n';
  const said = value.exec(inside)?.[1];
  if (type === 'e') marks.unread.push({ ...at, shows: said ?? '#N/A' });
  // A formula may legitimately have an empty text as its result.
  else if ((said === undefined || (said === '' && type !== 'str')) && formula.test(inside))
    marks.unread.push({ ...at, shows: '' });
  const shown = type === 'n' && said ? formats.get(attribute(attributes, 's') ?? '0') : undefined;
  const shows = shown?.(Number(said)) ?? '';
  if (shows !== '') marks.formatted.push({ ...at, shows });
}
