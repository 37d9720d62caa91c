import { and, eq, inArray, sql } from 'drizzle-orm';
import type { RowError } from '#kernel/contract/sheet/sheet.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { lastingUntil, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { SheetLine } from '#kernel/server/export/sheet-lines.ts';
import { issuesOf, type Read } from '#kernel/server/import/handlers.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { holdRoles, rolesByName } from '#modules/platform/access/service.ts';
import { peopleImport, type PersonKey } from '../../contract/users/import.ts';
import { deptDecides, postAsked } from '../../contract/refusals.ts';
import { UserInput } from '../../contract/users.ts';
import { deptsNamed, deptUnclear } from '../../service/depts.ts';
import { decisiveAmong, decisiveDepts } from '../../service/powers.ts';
import { userTable } from '../../tables.ts';
import { openDelegation } from '../depts/delegation.ts';

const { columns } = peopleImport;
export type PersonLine = SheetLine<PersonKey>;

/** Checks every line like a manual addition, in a constant number of queries. */
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
    const dept = book.depts.get(cells.dept) ?? null;
    if (cells.dept === '' && !book.anywhere) wrong('dept', '请填写您管理范围内的部门');
    if (cells.dept !== '' && dept === null) wrong('dept', whyNoDept(book, cells.dept));
    const beside = listed(cells.depts);
    const unknown = beside.find((named) => !book.depts.get(named));
    if (unknown !== undefined) wrong('depts', whyNoDept(book, unknown));
    for (const [key, names] of [['dept', [cells.dept]] as const, ['depts', beside] as const])
      for (const name of names)
        if (book.decisiveDepts.has(book.depts.get(name) ?? 0)) wrong(key, deptDecides(name).message);
    const depts = beside.flatMap((named) => book.depts.get(named) ?? []);
    const roles = listed(cells.roles).map((name) => ({ name, id: book.role(name) }));
    const place = [...(dept === null ? [] : [dept]), ...depts];
    for (const { name, id } of roles) {
      const why = id === undefined ? `角色“${name}”不存在` : book.whyNotGive({ id, name }, place)?.message;
      if (why) wrong('roles', why);
    }
    if (book.decisivePosts.has(cells.post)) wrong('post', postAsked(cells.post).message);
    if (book.taken.username.has(cells.username.toLowerCase()))
      wrong('username', `用户名“${cells.username}”已被使用过，请换一个`);
    if (book.taken.phone.has(cells.phone)) wrong('phone', `手机号 ${cells.phone} 已属于其他用户`);
    const roleIds = roles.flatMap(({ id }) => id ?? []);
    const parsed = UserInput.safeParse({ ...cells, dept, depts, roles: roleIds });
    for (const issue of issuesOf(line, parsed.error, columns))
      errors.push(issue.field === '手机' ? { ...issue, msg: '请输入 11 位手机号' } : issue);
    return parsed.success ? [parsed.data] : [];
  });
  return { rows, errors };
}

/** For a missing or ambiguous one, what to write instead. */
const whyNoDept = ({ depts }: Pick<Book, 'depts'>, named: string) =>
  depts.has(named)
    ? deptUnclear(named, true)
    : `部门“${named}”不存在、已停用或不在您的管理范围内，请核对名称，或写成“上级/下级”`;

const listed = (text: string) =>
  text
    .split(/[、,，;；]/)
    .map((part) => part.trim())
    .filter(Boolean);

type Book = Awaited<ReturnType<typeof readBook>>;
async function readBook(tx: Db, viewer: Viewer, lines: readonly PersonLine[], holds: boolean) {
  const scope = scopeOf(viewer, 'Create', 'system/user');
  const depts = await deptsNamed(
    tx,
    lines.flatMap(({ cells }) => [cells.dept, ...listed(cells.depts)]),
    { reached: (id) => scope.all || scope.depts.has(id), holds },
  );
  const roleNames = [...new Set(lines.flatMap(({ cells }) => listed(cells.roles)))];
  const roles = await rolesByName(tx, roleNames);
  const roleIds = roles.map((role) => role.id);
  if (holds) await holdRoles(tx, roleIds);
  const delegation = await openDelegation(tx, viewer, [], {
    roles: roleIds,
    depts: [...depts.values()].flatMap((id) => id ?? []),
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
    depts,
    role: (name: string): number | undefined => roles.find((role) => plainly(role.name) === plainly(name))?.id,
    whyNotGive: delegation.whyNotGive,
    decisiveDepts: new Set(
      await decisiveDepts(tx, lastingUntil(viewer, null), [...new Set([...depts.values()].flatMap((id) => id ?? []))]),
    ),
    decisivePosts: (
      await decisiveAmong(tx, lastingUntil(viewer, null), { posts: [...new Set(lines.map(({ cells }) => cells.post))] })
    ).posts,
    taken: {
      username: new Set(usernames.map((row) => row.value.toLowerCase())),
      phone: new Set(phones.flatMap((row) => row.value ?? [])),
    },
  };
}
