import { columnsMissing, sheetEmpty } from '#kernel/contract/sheet.ts';

/** A column of a template, known by its title unless it has a key; `needed` ones must be there. */
export type SheetColumn<K extends string> = { needed?: boolean } & (
  { key: K; title: string } | { key?: never; title: K }
);
export interface SheetLine<K extends string> {
  /** Line of the sheet, the header being 1. */
  line: number;
  cells: Record<K, string>;
}

/** Lines with anything in them, by the titles of the first one; a star or spaces in a title do not matter. Refuses with `columnsMissing` and `sheetEmpty`. */
export function linesOf<K extends string>(
  sheet: readonly (readonly string[])[],
  columns: readonly SheetColumn<K>[],
  what: string,
): SheetLine<K>[] {
  const [header = [], ...rest] = sheet;
  const places = columns.map((column) => ({
    key: column.key ?? column.title,
    title: column.title,
    needed: column.needed ?? false,
    place: header.findIndex((cell) => cell.replace(/[*＊\s]/g, '') === column.title),
  }));
  const missing = places.filter((column) => column.needed && column.place < 0);
  if (missing.length > 0) throw columnsMissing(missing.map((column) => column.title));
  const lines = rest.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    const named = places.map(({ key, place }) => [key, place < 0 ? '' : (cells[place] ?? '').trim()]);
    return [{ line: index + 2, cells: Object.fromEntries(named) as Record<K, string> }];
  });
  if (lines.length === 0) throw sheetEmpty(what);
  return lines;
}
