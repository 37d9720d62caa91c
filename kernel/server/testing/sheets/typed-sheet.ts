import { strToU8, zipSync } from 'fflate';
import { columnLetters, sheetEnd, sheetStart, workbookParts } from '../../export/sheet-xml.ts';

/** A workbook as people type it: text as text, a bigint as a number with all its digits. */
export function typedSheet(rows: readonly (readonly (string | bigint)[])[]): Buffer {
  const cell = (value: string | bigint, at: string) =>
    typeof value === 'bigint'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const lines = rows.map(
    (cells, i) => `<row r="${i + 1}">${cells.map((one, c) => cell(one, `${columnLetters(c)}${i + 1}`)).join('')}</row>`,
  );
  const parts = { ...workbookParts('表'), 'xl/worksheets/sheet1.xml': sheetStart([10]) + lines.join('') + sheetEnd };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)]))));
}
