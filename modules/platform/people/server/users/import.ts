import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { importHandlers } from '#kernel/server/import/handlers.ts';
import { peopleImport } from '../../contract/users/import.ts';
import type { UserInput } from '../../contract/users.ts';
import { userDeptTable, userRoleTable, userTable } from '../../tables.ts';
import { checkRows } from './import-rows.ts';
import { oneTimePassword, type OneTimePassword } from './one-time-password.ts';
import { withVisibility, columnsOf } from './user-parts.ts';

export const importModule = implement(
  'people',
  peopleImport.calls,
  importHandlers(peopleImport, {
    check: checkRows,
    async prepare(rows) {
      const passwords: OneTimePassword[] = [];
      while (passwords.length < rows) passwords.push(await oneTimePassword());
      return passwords;
    },
    async apply(tx, _user, rows, { prepared }) {
      await insertRows(tx, rows, prepared);
      const passwords = rows.map(({ username, alias }, index) => ({
        username,
        alias,
        password: prepared[index]?.plain ?? '',
      }));
      return { passwords };
    },
    nothing: { passwords: [] },
    logged: (rows) => ({ 名单: rows.map(({ alias, username }) => `${alias}（${username}）`).join('、') }),
  }),
);

async function insertRows(tx: Db, rows: readonly UserInput[], passwords: readonly OneTimePassword[]): Promise<void> {
  const inputs = await withVisibility(tx, rows);
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
  const roles = rows.flatMap((input) =>
    (input.roles ?? []).map((roleId) => ({ user_id: ids.get(input.username) ?? 0, role_id: roleId })),
  );
  if (roles.length > 0) await tx.insert(userRoleTable).values(roles).onConflictDoNothing();
  const beside = rows.flatMap((input) =>
    (input.depts ?? [])
      .filter((deptId) => deptId !== input.dept)
      .map((deptId) => ({ user_id: ids.get(input.username) ?? 0, dept_id: deptId })),
  );
  if (beside.length > 0) await tx.insert(userDeptTable).values(beside).onConflictDoNothing();
}
