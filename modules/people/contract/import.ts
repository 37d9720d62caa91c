import { z } from 'zod';
import { call, fileReply, grant } from '#kernel/contract/call.ts';
import { flag } from '#kernel/contract/shapes.ts';
import { importRefusals, RowError } from '#kernel/contract/sheet.ts';

export const maxImportRows = 500;

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
      errors: z.array(RowError),
      /** Titles of the sheet that nothing is taken from. */
      ignored: z.array(z.string()),
      /** One-time passwords of those who were imported, shown this once. */
      passwords: z.array(z.object({ username: z.string(), alias: z.string(), password: z.string() })),
    }),
    refuses: importRefusals,
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
