import type { Db } from '#kernel/server/db/db.ts';
import { rowsWrong } from '#kernel/contract/sheet.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import { ignoredIn, linesOf } from '#kernel/server/export/sheet-lines.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { maxImportRows, peopleImport } from '../../contract/import.ts';
import { userDeptTable, userRoleTable, userTable } from '../../tables.ts';
import { checkRows, importColumns, type ImportRow } from './import-rows.ts';
import { oneTimePassword, type OneTimePassword } from './one-time-password.ts';
import { withVisibility, columnsOf } from './user-parts.ts';

export const importModule = implement('people', peopleImport, {
  importUsers: staged(peopleImport.importUsers, {
    async before({ file, query }) {
      const sheet = await readSheet(file.bytes, {
        maxRows: maxImportRows + 1,
        maxColumns: 30,
        maxUnpacked: 24 * 2 ** 20,
      });
      const rows = linesOf(sheet, importColumns, '用户');
      const passwords: OneTimePassword[] = [];
      if (!query.dry_run) while (passwords.length < rows.length) passwords.push(await oneTimePassword());
      return { rows, passwords, ignored: ignoredIn(sheet, importColumns) };
    },
    async run({ query, prepared }, { tx, user, audit }) {
      const { rows, errors } = await checkRows(tx, user, prepared.rows);
      const told = {
        total: prepared.rows.length,
        valid: rows.length,
        errors,
        ignored: prepared.ignored,
        imported: 0,
        passwords: [],
      };
      if (query.dry_run) return told;
      if (errors.length > 0) throw rowsWrong('用户', errors, told.total, told.valid);
      await insertRows(tx, rows, prepared.passwords);
      const names = rows.map(({ input }) => `${input.alias}（${input.username}）`).join('、');
      audit({ type: '用户', title: `导入 ${rows.length} 人`, after: { 名单: names } });
      const passwords = rows.map(({ input: { username, alias } }, index) => ({
        username,
        alias,
        password: prepared.passwords[index]?.plain ?? '',
      }));
      return { ...told, imported: rows.length, passwords };
    },
  }),

  importTemplate: () => ({
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    name: '用户导入模板.xlsx',
    bytes: writeSheet({
      title: '用户',
      columns: importColumns.map(({ title, example }) => ({ title, kind: 'text' as const, value: () => example })),
      rows: [1],
    }),
  }),
});

async function insertRows(tx: Db, rows: readonly ImportRow[], passwords: readonly OneTimePassword[]): Promise<void> {
  const inputs = await withVisibility(
    tx,
    rows.map((row) => row.input),
  );
  const made = await tx
    .insert(userTable)
    .values(
      inputs.map((input, index) => ({
        ...columnsOf(input),
        username: input.username,
        alias: input.alias,
        password: passwords[index]?.hash ?? '',
        must_change_pwd: true,
      })),
    )
    .returning({ id: userTable.id, username: userTable.username });
  const ids = new Map(made.map((user) => [user.username, user.id]));
  const roles = rows.flatMap(({ input }) =>
    (input.roles ?? []).map((roleId) => ({ user_id: ids.get(input.username) ?? 0, role_id: roleId })),
  );
  if (roles.length > 0) await tx.insert(userRoleTable).values(roles).onConflictDoNothing();
  const beside = rows.flatMap(({ input }) =>
    (input.depts ?? [])
      .filter((deptId) => deptId !== input.dept)
      .map((deptId) => ({ user_id: ids.get(input.username) ?? 0, dept_id: deptId })),
  );
  if (beside.length > 0) await tx.insert(userDeptTable).values(beside).onConflictDoNothing();
}
