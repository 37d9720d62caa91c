import { and, eq, inArray } from 'drizzle-orm';
import type { RowError } from '#kernel/contract/sheet.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { digitsLost, type SheetLine } from '#kernel/server/export/sheet-lines.ts';
import { holdRoles, rolesByName } from '#modules/access/service.ts';
import { UserInput } from '../../contract/users.ts';
import { deptTable, userTable } from '../../tables.ts';
import { openDelegation } from '../depts/delegation.ts';

/** Columns of the sheet in their order; those marked must be there. */
export const importColumns = [
  { title: '姓名', aka: ['名字'], needed: true, example: '王晓明' },
  { title: '用户名', aka: ['登录名', '账号'], needed: true, example: 'wangxm' },
  { title: '手机', aka: ['手机号', '手机号码', '联系电话', '移动电话', '电话'], example: '13800000000' },
  { title: '部门', aka: ['所在部门', '所属部门'], example: '总务处/维修科' },
  { title: '兼职部门', example: '' },
  { title: '职务', aka: ['职位', '岗位'], example: '科员' },
  { title: '角色', example: '员工' },
  { title: '性别', example: '男' },
  { title: '邮箱', aka: ['邮箱地址', '电子邮箱', '电子邮件', 'Email', 'email'], example: '' },
  { title: '办公电话', example: '' },
  { title: '办公室', example: '行政楼 301' },
  { title: '工号', aka: ['职工号', '人员编号'], example: '' },
] as const;
type Title = (typeof importColumns)[number]['title'];

const titleOf: Record<string, Title> = {
  alias: '姓名',
  username: '用户名',
  depts: '兼职部门',
  roles: '角色',
  phone: '手机',
  post: '职务',
  gender: '性别',
  email: '邮箱',
  office_phone: '办公电话',
  office_room: '办公室',
  employ_no: '工号',
};

export type PersonLine = SheetLine<Title>;
export interface ImportRow {
  line: number;
  input: UserInput;
}
export interface Checked {
  rows: ImportRow[];
  errors: RowError[];
}

/** Checks every line as an addition by hand would be, with the same number of queries however many lines there are. */
export async function checkRows(tx: Db, viewer: Viewer, rows: readonly PersonLine[]): Promise<Checked> {
  const book = await readBook(tx, viewer, rows);
  const errors: RowError[] = [];
  const seen = { 用户名: new Map<string, number>(), 手机: new Map<string, number>() };
  const checked = rows.map(({ line, cells, altered }): ImportRow | null => {
    const found: RowError[] = altered.map((title) => ({ row: line, field: title, msg: digitsLost }));
    const wrong = (field: Title, msg: string) => void found.push({ row: line, field, msg });
    const dept = cells.部门 === '' ? null : book.dept(cells.部门);
    if (dept === undefined) wrong('部门', `部门“${cells.部门}”不存在或不在您的管理范围内，请写成“上级/下级”`);
    if (dept === null && !book.anywhere) wrong('部门', '请填写您管理范围内的部门');
    const beside = listed(cells.兼职部门).map((path) => book.dept(path));
    if (beside.includes(undefined)) wrong('兼职部门', `“${cells.兼职部门}”中有不存在或不在您管理范围内的部门`);
    const depts = beside.filter((id) => id !== undefined);
    const roles = listed(cells.角色).map((name) => ({ name, id: book.role(name) }));
    const place = [...(dept ? [dept] : []), ...depts];
    for (const { name, id } of roles) {
      if (id === undefined) wrong('角色', `角色“${name}”不存在`);
      else if (!book.mayHandle(id, place)) wrong('角色', `角色“${name}”含有您没有的权限，不能授予`);
    }
    const parsed = UserInput.safeParse({
      alias: cells.姓名,
      username: cells.用户名,
      phone: cells.手机,
      dept: dept ?? null,
      depts,
      post: cells.职务,
      roles: roles.flatMap(({ id }) => id ?? []),
      gender: cells.性别,
      email: cells.邮箱,
      office_phone: cells.办公电话,
      office_room: cells.办公室,
      employ_no: cells.工号,
    });
    for (const issue of parsed.error?.issues ?? []) {
      // A column nobody named a field for must still not let its line vanish.
      const title = titleOf[String(issue.path[0])] ?? '用户名';
      wrong(title, title === '手机' ? '请输入 11 位手机号' : issue.message);
    }
    for (const field of ['用户名', '手机'] as const) {
      const value = cells[field];
      if (value === '') continue;
      const earlier = seen[field].get(value);
      if (earlier !== undefined) wrong(field, `与第 ${earlier} 行重复`);
      else if (book.taken[field].has(value))
        wrong(field, field === '用户名' ? `用户名“${value}”已被使用过，请换一个` : `手机号 ${value} 已属于其他用户`);
      seen[field].set(value, earlier ?? line);
    }
    errors.push(...found);
    return found.length === 0 && parsed.success ? { line, input: parsed.data } : null;
  });
  return { rows: checked.filter((row) => row !== null), errors };
}

const listed = (text: string) =>
  text
    .split(/[、,，;；]/)
    .map((part) => part.trim())
    .filter(Boolean);

async function readBook(tx: Db, viewer: Viewer, rows: readonly PersonLine[]) {
  const scope = scopeOf(viewer, 'Create', 'system/user');
  const depts = await tx
    .select({ id: deptTable.id, name: deptTable.name, parent_id: deptTable.parent_id })
    .from(deptTable)
    .where(and(eq(deptTable.is_deleted, false), eq(deptTable.is_active, true)))
    .for('share');
  const byId = new Map(depts.map((dept) => [dept.id, dept]));
  const pathOf = (id: number | null): string => {
    const dept = id === null ? undefined : byId.get(id);
    return dept ? [pathOf(dept.parent_id), dept.name].filter(Boolean).join('/') : '';
  };
  const reached = depts.filter((dept) => scope.all || scope.depts.has(dept.id));
  const paths = new Map(reached.map((dept) => [pathOf(dept.id), dept.id]));
  const roleNames = [...new Set(rows.flatMap(({ cells }) => listed(cells.角色)))];
  const roles = await rolesByName(tx, roleNames);
  await holdRoles(
    tx,
    roles.map((role) => role.id),
  );
  const delegation = await openDelegation(tx, viewer, [], {
    roles: roles.map((role) => role.id),
    depts: reached.map((dept) => dept.id),
  });
  const usernames = await tx
    .select({ value: userTable.username })
    .from(userTable)
    .where(inArray(userTable.username, ['', ...rows.map(({ cells }) => cells.用户名)]));
  const phones = await tx
    .select({ value: userTable.phone })
    .from(userTable)
    .where(
      and(eq(userTable.is_deleted, false), inArray(userTable.phone, ['', ...rows.map(({ cells }) => cells.手机)])),
    );
  return {
    anywhere: scope.all,
    dept: (path: string): number | undefined =>
      paths.get(
        path
          .split(/[/／]/)
          .map((part) => part.trim())
          .filter(Boolean)
          .join('/'),
      ),
    role: (name: string): number | undefined => roles.find((role) => role.name === name)?.id,
    mayHandle: delegation.mayHandle,
    taken: {
      用户名: new Set(usernames.map((row) => row.value)),
      手机: new Set(phones.flatMap((row) => row.value ?? [])),
    },
  };
}
