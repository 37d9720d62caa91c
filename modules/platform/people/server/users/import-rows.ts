import { and, eq, inArray, sql } from 'drizzle-orm';
import type { RowError } from '#kernel/contract/sheet/sheet.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { SheetLine } from '#kernel/server/export/sheet-lines.ts';
import { issuesOf, type Read } from '#kernel/server/import/handlers.ts';
import { holdRoles, rolesByName } from '#modules/platform/access/service.ts';
import { peopleImport, type PersonKey } from '../../contract/users/import.ts';
import { postAsked } from '../../contract/refusals.ts';
import { UserInput } from '../../contract/users.ts';
import { deptUnclear } from '../../service/depts.ts';
import { decisiveAmong } from '../../service/powers.ts';
import { deptTable, userTable } from '../../tables.ts';
import { openDelegation } from '../depts/delegation.ts';

const { columns } = peopleImport;
export type PersonLine = SheetLine<PersonKey>;

/** Checks every line as an addition by hand would be, with the same number of queries however many lines there are. */
export async function checkRows(
  tx: Db,
  viewer: Viewer,
  lines: readonly PersonLine[],
  holds: boolean,
): Promise<Read<UserInput>> {
  const book = await readBook(tx, viewer, lines, holds);
  const errors: RowError[] = [];
  const rows = lines.flatMap(({ line, cells }): UserInput[] => {
    const wrong = (key: PersonKey, msg: string) =>
      void errors.push({ row: line, field: columns.find((column) => column.key === key)!.title, msg });
    const dept = cells.dept === '' ? null : book.dept(cells.dept);
    if (dept === undefined)
      wrong(
        'dept',
        book.isUnclear(cells.dept)
          ? deptUnclear(cells.dept, true)
          : `部门“${cells.dept}”不存在或不在您的管理范围内，请写成“上级/下级”`,
      );
    if (dept === null && !book.anywhere) wrong('dept', '请填写您管理范围内的部门');
    const beside = listed(cells.depts).map((path) => book.dept(path));
    const unclear = listed(cells.depts).find((path) => book.isUnclear(path));
    if (unclear) wrong('depts', deptUnclear(unclear, true));
    else if (beside.includes(undefined)) wrong('depts', `“${cells.depts}”中有不存在或不在您管理范围内的部门`);
    const depts = beside.filter((id) => id !== undefined);
    const roles = listed(cells.roles).map((name) => ({ name, id: book.role(name) }));
    const place = [...(dept ? [dept] : []), ...depts];
    for (const { name, id } of roles) {
      if (id === undefined) wrong('roles', `角色“${name}”不存在`);
      else if (!book.mayHandle(id, place))
        wrong('roles', `角色“${name}”含有您没有的权限，或有流程按该角色确定办理人，不能授予`);
    }
    if (book.decisivePosts.has(cells.post)) wrong('post', postAsked(cells.post).message);
    if (book.taken.username.has(cells.username.toLowerCase()))
      wrong('username', `用户名“${cells.username}”已被使用过，请换一个`);
    if (book.taken.phone.has(cells.phone)) wrong('phone', `手机号 ${cells.phone} 已属于其他用户`);
    const roleIds = roles.flatMap(({ id }) => id ?? []);
    const parsed = UserInput.safeParse({ ...cells, dept: dept ?? null, depts, roles: roleIds });
    for (const issue of issuesOf(line, parsed.error, columns))
      errors.push(issue.field === '手机' ? { ...issue, msg: '请输入 11 位手机号' } : issue);
    return parsed.success ? [parsed.data] : [];
  });
  return { rows, errors };
}

const listed = (text: string) =>
  text
    .split(/[、,，;；]/)
    .map((part) => part.trim())
    .filter(Boolean);

async function readBook(tx: Db, viewer: Viewer, lines: readonly PersonLine[], holds: boolean) {
  const scope = scopeOf(viewer, 'Create', 'system/user');
  const inUse = tx
    .select({ id: deptTable.id, name: deptTable.name, parent_id: deptTable.parent_id })
    .from(deptTable)
    .where(and(eq(deptTable.is_deleted, false), eq(deptTable.is_active, true)));
  const depts = await (holds ? inUse.for('share') : inUse);
  const byId = new Map(depts.map((dept) => [dept.id, dept]));
  const pathOf = (id: number | null): string => {
    const dept = id === null ? undefined : byId.get(id);
    return dept ? [pathOf(dept.parent_id), dept.name].filter(Boolean).join('/') : '';
  };
  const reached = depts.filter((dept) => scope.all || scope.depts.has(dept.id));
  const paths = new Map(reached.map((dept) => [pathOf(dept.id), dept.id]));
  // Whoever writes a name alone may mean any that bears it.
  const isUnclear = (path: string) =>
    !/[/／]/.test(path) && reached.filter((dept) => dept.name === path.trim()).length > 1;
  const roleNames = [...new Set(lines.flatMap(({ cells }) => listed(cells.roles)))];
  const roles = await rolesByName(tx, roleNames);
  const roleIds = roles.map((role) => role.id);
  if (holds) await holdRoles(tx, roleIds);
  const delegation = await openDelegation(tx, viewer, [], {
    roles: roleIds,
    depts: reached.map((dept) => dept.id),
  });
  const usernames = await tx
    .select({ value: userTable.username })
    .from(userTable)
    .where(inArray(sql`lower(${userTable.username})`, ['', ...lines.map(({ cells }) => cells.username.toLowerCase())]));
  const phones = await tx
    .select({ value: userTable.phone })
    .from(userTable)
    .where(
      and(eq(userTable.is_deleted, false), inArray(userTable.phone, ['', ...lines.map(({ cells }) => cells.phone)])),
    );
  return {
    anywhere: scope.all,
    isUnclear,
    dept: (path: string): number | undefined =>
      isUnclear(path)
        ? undefined
        : paths.get(
            path
              .split(/[/／]/)
              .map((part) => part.trim())
              .filter(Boolean)
              .join('/'),
          ),
    role: (name: string): number | undefined => roles.find((role) => role.name === name)?.id,
    mayHandle: delegation.mayHandle,
    decisivePosts: (await decisiveAmong(tx, viewer, { posts: [...new Set(lines.map(({ cells }) => cells.post))] }))
      .posts,
    taken: {
      username: new Set(usernames.map((row) => row.value.toLowerCase())),
      phone: new Set(phones.flatMap((row) => row.value ?? [])),
    },
  };
}
