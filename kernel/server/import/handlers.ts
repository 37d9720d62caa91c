import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { readCell } from '#kernel/contract/sheet/cells.ts';
import type { ImportColumn, sheetImport } from '#kernel/contract/sheet/import.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { rowsWrong, type RowError } from '#kernel/contract/sheet/sheet.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Db } from '../db/db.ts';
import {
  columnsIn,
  digitsLost,
  ignoredIn,
  linesOf,
  titlesHidden,
  unreadWords,
  type SheetLine,
} from '../export/sheet-lines.ts';
import { readBook } from '../export/sheet-reader.ts';
import { writeSheet } from '../export/sheet-writer.ts';
import { staged, type Context, type FileReply, type ReplyTo } from '../http/implement.ts';
import { maskedNumberIn, maskedWords } from '../text/mask-phones.ts';

/** Rows that can be imported, and the errors. */
export interface Read<R> {
  rows: R[];
  errors: RowError[];
}
type Lines<K extends string> = readonly SheetLine<K>[];
/** The inputs of an import besides its rows. */
export interface TakenSheet<K extends string, P> {
  prepared: P;
  present: ReadonlySet<K>;
  lines: Lines<K>;
}
type Outcome = { total: number; valid: number; imported: number; errors: RowError[]; ignored: string[] };

export interface ServedImport<K extends string, R, P, More> {
  /** Checks lines by themselves, before a transaction begins; refuses a sheet that lacks columns that belong together. */
  read?(lines: Lines<K>, present: ReadonlySet<K>): Read<R>;
  /**
   * Checks lines against the database, with the same number of statements for any number of lines; returns `rows` if `read` gives none. With `holds`,
   * the data it relies on is locked until the transaction ends; otherwise it is only looked at.
   */
  check(tx: Db, user: Viewer, lines: Lines<K>, holds: boolean): Promise<{ rows?: R[]; errors: RowError[] }>;
  /** Slow work for so many rows before the transaction of the import begins. */
  prepare?(rows: number): Promise<P>;
  /** Imports all rows; throws `rowsWrong` if that is no longer possible. */
  apply(tx: Db, user: Viewer, rows: readonly R[], sheet: TakenSheet<K, P>): Promise<More>;
  /** The reply's extra fields when nothing was imported. */
  nothing: More;
  /** The fields that the operation log keeps. */
  logged(rows: readonly R[], outcome: More): Record<string, unknown>;
}

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const mostColumns = 40;
/** An average. The limits of all columns together would be thousands; people fill in dozens. */
const lettersInLine = 400;

/** The handlers of a `sheetImport`. */
export function importHandlers<
  const K extends string,
  const M extends z.ZodRawShape,
  R,
  P,
  More extends z.output<z.ZodObject<M>>,
>(declared: ReturnType<typeof sheetImport<K, M>>, served: ServedImport<K, R, P, More>) {
  const { what, unit, maxRows, calls } = declared;
  const columns = declared.columns as readonly ImportColumn<K>[];

  const read = async (bytes: Buffer) => {
    const {
      rows: sheet,
      beside,
      hiddenColumns,
    } = await readBook(bytes, {
      maxRows: maxRows + 1,
      maxColumns: mostColumns,
      maxLetters: maxRows * lettersInLine,
      maxUnpacked: 24 * 2 ** 20,
    });
    const told = linesOf(sheet, columns, what);
    const { lines, errors: unclear } = meant(told, columns);
    const present = columnsIn(sheet, columns);
    const { rows = null, errors = [] } = served.read?.(lines, present) ?? {};
    // A cell that cannot be read is reported only as such, not with its other errors.
    const cell = ({ row, field }: RowError) => `${row} ${field}`;
    const unread = [...unreadIn(lines), ...maskedIn(lines, columns), ...unclear];
    const known = new Set(unread.map(cell));
    const others = [...errors, ...alteredIn(lines), ...hiddenIn(lines, columns), ...repeatedIn(lines, columns)];
    const hidden = titlesHidden(sheet, columns, hiddenColumns).map((field) => ({ row: 1, field, msg: columnHidden }));
    const found = [...hidden, ...unread, ...others.filter((one) => !known.has(cell(one)))];
    const ignored = [...ignoredIn(sheet, columns, hiddenColumns), ...beside.map((name) => `工作表“${name}”`)];
    return { lines, present, rows, errors: found, ignored, isKnown: (one: RowError) => known.has(cell(one)) };
  };
  type Sheet = Awaited<ReturnType<typeof read>>;
  const checked = async (tx: Db, user: Viewer, { lines, rows, errors, isKnown }: Sheet, holds = true) => {
    const known = await served.check(tx, user, lines, holds);
    const wrong = [...errors, ...known.errors.filter((one) => !isKnown(one))].toSorted((a, b) => a.row - b.row);
    return { rows: rows ?? known.rows ?? [], errors: wrong, valid: countValid(lines, wrong) };
  };

  return {
    import: staged(calls.import, {
      async before({ file, query }, { read: db, user }) {
        const sheet = await read(file.bytes);
        if (query.dry_run || !served.prepare) return { sheet, prepared: undefined as P };
        // Nothing slow is done for a sheet that will be refused.
        const { errors, valid } = await checked(db, user, sheet, false);
        if (errors.length > 0) throw rowsWrong(what, errors, sheet.lines.length, valid);
        return { sheet, prepared: await served.prepare(sheet.lines.length) };
      },
      async run({ query, prepared: { sheet, prepared } }, { tx, user, audit }) {
        const { rows, errors, valid } = await checked(tx, user, sheet);
        const total = sheet.lines.length;
        const outcome: Outcome = { total, valid, imported: 0, errors, ignored: sheet.ignored };
        type Reply = ReplyTo<typeof calls.import>;
        if (query.dry_run) return { ...outcome, ...served.nothing } as Reply;
        if (errors.length > 0) throw rowsWrong(what, errors, total, valid);
        const more = await served.apply(tx, user, rows, { ...sheet, prepared });
        audit({ type: what, title: `导入 ${rows.length} ${unit}`, after: served.logged(rows, more) });
        return { ...outcome, ...more, imported: rows.length } as Reply;
      },
    }),

    importErrors: staged(calls.importErrors, {
      before: ({ file }) => read(file.bytes),
      async run({ prepared: sheet }, { tx, user }: Pick<Context, 'tx'> & { user: Viewer }): Promise<FileReply> {
        const { errors } = await checked(tx, user, sheet);
        return { type: sheetType, name: `${what}导入错误行.xlsx`, bytes: wrongLines(sheet.lines, columns, errors) };
      },
    }),

    importTemplate: (): FileReply => ({
      type: sheetType,
      name: `${what}导入模板.xlsx`,
      bytes: writeSheet({
        title: what,
        columns: columns.map(({ title, example }) => ({ title, kind: 'text' as const, value: () => example })),
        rows: [1],
      }),
    }),
  };
}

/** Counts the lines without an error; an error of the headings is one of all lines. */
function countValid<K extends string>(lines: Lines<K>, errors: readonly RowError[]): number {
  const wrong = new Set(errors.map(({ row }) => row));
  return wrong.has(1) ? 0 : lines.filter(({ line }) => !wrong.has(line)).length;
}

const alteredIn = <K extends string>(lines: Lines<K>): RowError[] =>
  lines.flatMap(({ line, altered }) => altered.map((field) => ({ row: line, field, msg: digitsLost })));

/** Normalises the cells by the kinds of their columns; a cell that must be clarified first is an error and stays as typed. */
function meant<K extends string>(lines: Lines<K>, columns: readonly ImportColumn<K>[]) {
  const errors: RowError[] = [];
  const read = lines.map((line) => {
    const cells = columns.map(({ key, title, kind, needed }) => {
      if (kind === 'day' && needed && line.cells[key] === '')
        errors.push({ row: line.line, field: title, msg: unfilled });
      const found = readCell(kind, line.cells[key]);
      if ('asks' in found) errors.push({ row: line.line, field: title, msg: found.asks });
      return [key, 'asks' in found ? line.cells[key] : found.text];
    });
    return { ...line, cells: Object.fromEntries(cells) as Record<K, string> };
  });
  return { lines: read, errors };
}

const unreadIn = <K extends string>(lines: Lines<K>): RowError[] =>
  lines.flatMap(({ line, unread }) =>
    unread.map(({ title, at, shows }) => ({ row: line, field: title, msg: unreadWords(at, shows) })),
  );

/** Cells with a number whose digits an export has hidden: storing them would lose the number. */
const maskedIn = <K extends string>(lines: Lines<K>, columns: readonly ImportColumn<K>[]): RowError[] =>
  lines.flatMap(({ line, cells }) =>
    columns.flatMap(({ key, title, kind, maskStands }) => {
      const masked = maskStands ? null : maskedNumberIn(kind, cells[key]);
      return masked === null ? [] : [{ row: line, field: title, msg: maskedWords(masked) }];
    }),
  );

const columnHidden = '这一列被隐藏了：要导入请取消隐藏，不导入请删去这一列';
const hiddenIn = <K extends string>(lines: Lines<K>, columns: readonly ImportColumn<K>[]): RowError[] =>
  lines.flatMap(({ line, hidden }) =>
    hidden
      ? [{ row: line, field: columns[0]!.title, msg: '这一行被隐藏或筛选掉了：要导入请取消隐藏，不导入请删去这一行' }]
      : [],
  );

/** Cells of a `unique` column that repeat an earlier line, ignoring case. */
function repeatedIn<K extends string>(lines: Lines<K>, columns: readonly ImportColumn<K>[]): RowError[] {
  return columns
    .filter((column) => column.unique)
    .flatMap(({ key, title }) => {
      const seen = new Map<string, number>();
      return lines.flatMap(({ line, cells }): RowError[] => {
        const said = cells[key].toLowerCase();
        const earlier = seen.get(said);
        if (said !== '' && earlier === undefined) seen.set(said, line);
        return earlier === undefined ? [] : [{ row: line, field: title, msg: `与第 ${earlier} 行重复` }];
      });
    });
}

/** Errors that a schema finds in a line whose fields have the keys of the columns; an error without a column stands at the first. */
export function issuesOf<K extends string>(
  line: number,
  error: z.ZodError | undefined,
  columns: readonly ImportColumn<K>[],
): RowError[] {
  return (error?.issues ?? []).map((issue) => ({
    row: line,
    field: (columns.find(({ key }) => key === issue.path[0]) ?? columns[0]!).title,
    msg: issue.message,
  }));
}

/** The lines that cannot be imported, as a sheet to correct and send again: the errors first, then the cells. */
function wrongLines<K extends string>(
  lines: Lines<K>,
  columns: readonly ImportColumn<K>[],
  errors: readonly RowError[],
): Readable {
  const said = Map.groupBy(errors, ({ row }) => row);
  const ofAll = said.get(1) ?? [];
  const saidOf = (line: number) => [...ofAll, ...(said.get(line) ?? [])];
  const column = (title: string, value: (line: SheetLine<K>) => string) => ({ title, kind: 'text' as const, value });
  const problem = column('问题', ({ line }) =>
    saidOf(line)
      .map(({ field, msg }) => `${field}：${msg}`)
      .join('；'),
  );
  return writeSheet({
    title: '错误行',
    columns: [{ ...problem, width: 48 }, ...columns.map(({ key, title }) => column(title, ({ cells }) => cells[key]))],
    rows: lines.filter(({ line }) => saidOf(line).length > 0),
  });
}
