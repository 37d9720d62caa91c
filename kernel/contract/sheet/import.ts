import { z } from 'zod';
import { call, fileReply, grant, grantOverAll, type PermissionCode } from '../call.ts';
import { flag } from '../shapes.ts';
import { RowError } from './sheet.ts';
import type { CellKind } from './cells.ts';

/** A column of a sheet; `needed` ones must be there, `aka` are other titles that people give it. */
export interface ImportColumn<K extends string = string> {
  key: K;
  title: string;
  aka?: readonly string[];
  /** What its cells hold, where that is written in several ways; else they are text. */
  kind?: CellKind;
  needed?: boolean;
  /** No two lines say the same here. */
  unique?: boolean;
  /** What the template shows. */
  example: string;
}

interface Declared<K extends string, M extends z.ZodRawShape> {
  /** `/api/alumnus/` */
  prefix: string;
  page: string;
  /** What whoever takes it over holds there; `Create` unless said. */
  code?: PermissionCode;
  /** What it brings is the whole house's: only for those whose scope is everything. */
  whole?: true;
  /** What its lines are, and what they are counted in. */
  what: string;
  unit: string;
  columns: readonly ImportColumn<K>[];
  maxRows: number;
  megabytes: number;
  /** What is told besides. */
  tells: M;
  /** What is told holds secrets that are shown once. */
  shownOnce?: boolean;
}

/**
 * A sheet that is taken over, said once: its template, a check that names each wrong cell (`dry_run`), the wrong lines as a sheet to
 * be mended, and all of it or nothing.
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
        /** Titles of the sheet that nothing is taken from. */
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

/** Any declaration, for what serves or shows it. */
export type SheetImport = Pick<ReturnType<typeof sheetImport>, 'what' | 'unit' | 'columns' | 'maxRows' | 'calls'>;
