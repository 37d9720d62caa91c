import { XMLParser } from 'fast-xml-parser';
import { columnNumber } from './sheet-bounds.ts';

/** Places of a sheet, counted from 0, at which its author sees something else than the values of its cells. */
export interface SheetMarks {
  /** Cells without a readable value, with the text shown there. */
  unread: { row: number; column: number; shows: string }[];
  /** Lines that are hidden or filtered out. */
  hidden: number[];
  /** Merged cells: the first one holds the value of all of its column. */
  merged: { row: number; last: number; column: number }[];
  /** Numbers that are shown with leading zeros up to this number of digits. */
  padded: { row: number; column: number; digits: number }[];
}

type Parts = Readonly<Record<string, Uint8Array>>;
const textOf = (bytes: Uint8Array, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseAttributeValue: false,
  processEntities: true,
  isArray: (name) => ['sheet', 'Relationship', 'numFmt', 'xf'].includes(name),
});
const parsed = (parts: Parts, path: string): Record<string, never> =>
  parts[path] ? (parser.parse(textOf(parts[path])) as Record<string, never>) : {};

interface Book {
  workbook?: { sheets?: { sheet?: { name: string; state?: string; id: string }[] } };
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
    beside: beside.map(({ name, state }) => (state === undefined || state === 'visible' ? name : `${name}（已隐藏）`)),
  };
}

/** The number of digits that each style of a workbook shows, if its format consists only of zeros. */
export function paddedStyles(parts: Parts): Map<string, number> {
  const { numFmts, cellXfs } = (parsed(parts, 'xl/styles.xml') as Book).styleSheet ?? {};
  const digits = new Map(
    (numFmts?.numFmt ?? []).flatMap(({ numFmtId, formatCode }) =>
      /^0{2,15}$/.test(formatCode) ? [[numFmtId, formatCode.length] as const] : [],
    ),
  );
  const styles = (cellXfs?.xf ?? []).map(({ numFmtId = '' }, at) => [String(at), digits.get(numFmtId) ?? 0] as const);
  return new Map(styles.filter(([, count]) => count > 0));
}

const sliceLength = 4 * 2 ** 20;
const rowStart = /<(?:\w+:)?row\s([^>]*)>/g;
const cell = /<(?:\w+:)?c\s([^>]*?)(?:\/>|>(.*?)<\/(?:\w+:)?c>)/gs;
const value = /<(?:\w+:)?v(?:\s[^>]*)?>(.*?)<\/(?:\w+:)?v>/s;
const formula = /<(?:\w+:)?f[\s/>]/;
const merge = /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g;
const address = /^([A-Z]{1,3})(\d{1,7})$/;
const attribute = (attributes: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];

/** Reads the marks of a sheet from its XML; the values are read elsewhere. */
export function marksOf(xml: Uint8Array, styles: ReadonlyMap<string, number>): SheetMarks {
  const marks: SheetMarks = { unread: [], hidden: [], merged: [], padded: [] };
  for (const text of slicesOf(xml)) {
    for (const [, attributes] of text.matchAll(rowStart)) {
      const hidden = attribute(attributes!, 'hidden');
      if (hidden === '1' || hidden === 'true') marks.hidden.push(Number(attribute(attributes!, 'r')) - 1);
    }
    for (const [, attributes, inside] of text.matchAll(cell)) addCell(marks, styles, attributes!, inside);
    for (const [, letters, from, to] of text.matchAll(merge))
      if (to !== from)
        marks.merged.push({ row: Number(from) - 1, last: Number(to) - 1, column: columnNumber(letters!) - 1 });
  }
  return marks;
}

function addCell(marks: SheetMarks, styles: ReadonlyMap<string, number>, attributes: string, inside = ''): void {
  const [, letters, line] = address.exec(attribute(attributes, 'r') ?? '') ?? [];
  if (!letters || inside === '') return;
  const at = { row: Number(line) - 1, column: columnNumber(letters) - 1 };
  const type = attribute(attributes, 't') ?? 'n';
  const said = value.exec(inside)?.[1];
  if (type === 'e') marks.unread.push({ ...at, shows: said ?? '#N/A' });
  // A formula may legitimately have an empty text as its result.
  else if ((said === undefined || (said === '' && type !== 'str')) && formula.test(inside))
    marks.unread.push({ ...at, shows: '' });
  const digits = type === 'n' ? styles.get(attribute(attributes, 's') ?? '') : undefined;
  if (digits !== undefined && said !== undefined) marks.padded.push({ ...at, digits });
}

/** Yields the XML in pieces of whole lines, so that a large sheet never becomes one text. */
function* slicesOf(xml: Uint8Array): Generator<string> {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(from + sliceLength, bytes.length);
    const end = to < bytes.length ? bytes.lastIndexOf('row>', to) : -1;
    if (end > from) to = end + 'row>'.length;
    yield bytes.toString('latin1', from, to);
    from = to;
  }
}
