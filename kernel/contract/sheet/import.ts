import { z } from 'zod';
import { call, fileReply, grant, grantOverAll, type PermissionCode } from '../call.ts';
import { flag } from '../shapes.ts';
import { RowError } from './sheet.ts';
import type { CellKind } from './cells.ts';

/** A column of a sheet; `needed` columns must be present, `aka` lists other titles that people use. */
export interface ImportColumn<K extends string = string> {
  key: K;
  title: string;
  aka?: readonly string[];
  /** The kind of the cells, if people write it in several ways; otherwise they are text. */
  kind?: CellKind;
  needed?: boolean;
  /** A number with hidden digits stands for the stored one here, and the import checks that it does; elsewhere such a cell is refused. */
  maskStands?: true;
  /** No two lines may have the same value in this column. */
  unique?: boolean;
  /** The example that the template shows. */
  example: string;
}

interface Declared<K extends string, M extends z.ZodRawShape> {
  /** `/api/alumnus/` */
  prefix: string;
  page: string;
  /** The code that is required for the import; `Create` unless given. */
  code?: PermissionCode;
  /** The import writes data of the whole institution: it requires a scope over everything. */
  whole?: true;
  /** The name of the lines, and their counter. */
  what: string;
  unit: string;
  columns: readonly ImportColumn<K>[];
  maxRows: number;
  megabytes: number;
  /** Further fields of the reply. */
  tells: M;
  /** The reply holds secrets that are shown once. */
  shownOnce?: boolean;
}

/**
 * Declares an import from a sheet: its template, a check that names each wrong cell (`dry_run`), a sheet of the wrong lines to correct, and the
 * import of all lines or none.
 */
export function sheetImport<const K extends string, const M extends z.ZodRawShape>(declared: Declared<K, M>) {
  const { prefix, page, code = 'Create', whole, what, megabytes, tells, shownOnce } = declared;
  const access = whole ? grantOverAll(code, page) : grant(code, page);
  const upload = megabytes * 2 ** 20;
  const calls = {
    import: call({
      method: 'POST',
      path: `${prefix}import/`,
      access,
      summary: `导入${what}`,
      query: z.object({ dry_run: flag.default(false) }),
      upload,
      reply: z.object({
        total: z.number().int(),
        valid: z.number().int(),
        imported: z.number().int(),
        errors: z.array(RowError),
        /** Titles of columns in the sheet that are ignored. */
        ignored: z.array(z.string()),
        ...tells,
      }),
      ...(shownOnce ? { shownOnce } : {}),
    }),
    importErrors: call({
      method: 'POST',
      path: `${prefix}import/errors/`,
      access,
      summary: `下载${what}导入的错误行`,
      upload,
      reply: fileReply,
      quiet: true,
    }),
    importTemplate: call({
      method: 'GET',
      path: `${prefix}import/template/`,
      access,
      summary: `下载${what}导入模板`,
      reply: fileReply,
    }),
  };
  return { ...declared, calls };
}

/** Any declaration of an import, for code that serves or shows it. */
export type SheetImport = Pick<ReturnType<typeof sheetImport>, 'what' | 'unit' | 'columns' | 'maxRows' | 'calls'>;
