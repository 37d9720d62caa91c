import { momentText } from '#kernel/contract/moment.ts';
import { formulaLike } from '#kernel/contract/sheet/sheet.ts';
import { asMarkup } from '../text/markup.ts';

export type CellValue = string | number | boolean | Date | null | undefined;
export type ColumnKind = 'text' | 'number' | 'date';

/** Styles by their index in `stylesXml`: plain, header, text that a spreadsheet would take for a formula. */
const style = { plain: 0, header: 1, guarded: 2 } as const;

const maxCellLength = 32_767;
const unsafe = /[&<>\r]|[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|_x[0-9A-Fa-f]{4}_/u;
const unwritable = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const padded = /^\s|\s$|\n/;

/** Text for an XML body or attribute; characters XML cannot hold are dropped, `_x0041_` stays as typed. */
export function xmlText(value: string): string {
  if (!unsafe.test(value) && !value.includes('"')) return value;
  const writable = value
    .replace(/\r\n?/g, '\n')
    .replace(unwritable, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
  return asMarkup(writable);
}

/** Letters of a column, counted from 0: A … Z, AA … */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

function textCell(address: string, value: string, header: boolean): string {
  const cut = value.length > maxCellLength ? value.slice(0, maxCellLength) : value;
  const index = formulaLike.test(cut) ? style.guarded : header ? style.header : style.plain;
  const space = padded.test(cut) ? ' xml:space="preserve"' : '';
  return `<c r="${address}" s="${index}" t="inlineStr"><is><t${space}>${xmlText(cut)}</t></is></c>`;
}

const localDate = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?)?$/;

/** `YYYY-MM-DD HH:mm` in Asia/Shanghai; a value without a zone is already local, a bare day stays a day. */
export function dateText(value: string | Date): string {
  if (typeof value === 'string') {
    const local = localDate.exec(value);
    if (local) return local[2] ? `${local[1]} ${local[2]}` : local[1]!;
  }
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : momentText(date).slice(0, 16);
}

/** One cell; '' for an empty one. Numbers beyond 15 digits become text, so that no digit is lost. */
export function cellXml(address: string, kind: ColumnKind, value: CellValue, header = false): string {
  if (value === null || value === undefined || value === '') return '';
  if (value instanceof Date) return textCell(address, dateText(value), header);
  if (typeof value === 'boolean') return textCell(address, value ? '是' : '否', header);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return '';
    if (Math.abs(value) < 1e15) return `<c r="${address}"><v>${value}</v></c>`;
    return textCell(address, String(value), header);
  }
  if (kind === 'number' && /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value) && value.length <= 16) {
    return `<c r="${address}"><v>${Number(value)}</v></c>`;
  }
  return textCell(address, kind === 'date' ? dateText(value) : value, header);
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A name a workbook accepts for a sheet: at most 31 characters, none of `[ ] : * ? / \`. */
function sheetName(title: string): string {
  const name = title
    .replace(/[[\]:*?/\\\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
    .replace(/^'+|'+$/g, '')
    .slice(0, 31);
  return name === '' ? 'Sheet1' : name;
}

/** The small parts of a workbook of one sheet, by their path in the archive. */
export function workbookParts(title: string): Record<string, string> {
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${mime}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${mime}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${mime}.styles+xml"/></Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${xmlText(sheetName(title))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': stylesXml,
  };
}

// The guarded style keeps the stored text as it is: quotePrefix stops a spreadsheet from taking it for a formula when
// the cell is edited, and the format shows it behind an apostrophe, which is what saving as CSV writes.
const stylesXml = `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="General;General;General;&quot;'&quot;@"/></numFmts><fonts count="2"><font><sz val="11"/><name val="等线"/></font><font><b/><sz val="11"/><name val="等线"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" xfId="0"/><xf numFmtId="0" fontId="1" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/></cellXfs></styleSheet>`;

/** The opening of the sheet: first row frozen, widths in characters. Closed by `sheetEnd`. */
export function sheetStart(widths: readonly number[]): string {
  const columns = widths.map((w, i) => `<col min="${i + 1}" max="${i + 1}" width="${w}" customWidth="1"/>`).join('');
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns}</cols><sheetData>`;
}
export const sheetEnd = '</sheetData></worksheet>';
