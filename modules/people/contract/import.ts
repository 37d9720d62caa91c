import { z } from 'zod';
import { call, fileReply, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { flag } from '#kernel/contract/shapes.ts';
import { sheetRefusals } from '#kernel/contract/sheet.ts';

export const maxImportRows = 500;

export const RowError = z.object({ row: z.number().int(), field: z.string(), msg: z.string() });
export type RowError = z.output<typeof RowError>;

export const importRefused = refusal(
  codes.refused,
  (errors: readonly RowError[], _total: number, _valid: number) =>
    `表格有 ${errors.length} 处错误，未导入任何用户，请改正后重新上传`,
  (errors, total, valid) => ({ total, valid, errors }),
);
export const notTemplate = refusal(
  codes.refused,
  (missing: readonly string[]) => `表格第一行缺少“${missing.join('、')}”列，请下载模板填写后再上传`,
);
export const emptySheet = refusal(codes.refused, () => '表格里没有用户，请从第二行起填写后再上传');

export const peopleImport = {
  importUsers: call({
    method: 'POST',
    path: '/api/accounts/users/import/',
    access: grant('Create', 'system/user'),
    summary: '导入用户',
    query: z.object({ dry_run: flag.default(false) }),
    upload: 5 * 2 ** 20,
    reply: z.object({
      total: z.number().int(),
      valid: z.number().int(),
      imported: z.number().int(),
      /** `row` is the line of the sheet, the header being 1. */
      errors: z.array(RowError),
      /** One-time passwords of those who were imported, shown this once. */
      passwords: z.array(z.object({ username: z.string(), alias: z.string(), password: z.string() })),
    }),
    refuses: [importRefused, notTemplate, emptySheet, ...sheetRefusals],
    shownOnce: true,
  }),
  importTemplate: call({
    method: 'GET',
    path: '/api/accounts/users/import/template/',
    access: grant('Create', 'system/user'),
    summary: '下载用户导入模板',
    reply: fileReply,
  }),
};
