import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { rolesById } from '#modules/access/service.ts';
import { deptsBelow, workingAmong } from '#modules/people/service.ts';
import {
  datesCrossed,
  deadlineCrossed,
  deptOutside,
  nothingToRead,
  scopeEmpty,
  scopeUnknown,
  unknownCategory,
} from '../contract/refusals.ts';
import type { PaperInput, Scope } from '../contract/rows.ts';
import { page, type PaperViewer } from '../categories/visibility.ts';
import { categoryTable, paperFileTable, paperScopeTable } from '../tables.ts';

/** Refuses a department that is not the writer's to publish for, and a category that is not in use; `category`: where the paper is kept. */
export async function checkPlaces(
  tx: Db,
  user: PaperViewer,
  code: 'Create' | 'Update',
  body: Pick<Partial<PaperInput>, 'category_id' | 'dept'>,
  category = 0,
): Promise<void> {
  if (body.category_id !== undefined) {
    const [found] = await tx
      .select({ id: categoryTable.id })
      .from(categoryTable)
      .where(and(eq(categoryTable.id, body.category_id), categoryTable.status))
      .for('share');
    if (!found) throw unknownCategory();
  }
  if (body.dept === undefined) return;
  const [there] = await deptsBelow(tx, [body.dept]);
  const scope = scopeOf(user, code, page);
  const reached = scope.all || scope.depts.has(body.dept) || user.depts.includes(body.dept);
  if (there === undefined) throw deptOutside();
  if (!reached && !user.looksAfter.includes(body.category_id ?? category)) throw deptOutside();
}

interface Dates {
  publish_date: string;
  effective_date?: string | null | undefined;
  expire_date?: string | null | undefined;
  read_deadline?: string | null | undefined;
}

/** Refuses a paper that would end before it holds, or be read before it is there. */
export function checkDates({ publish_date: publish, effective_date, expire_date, read_deadline }: Dates): void {
  const from = effective_date ?? publish;
  if (expire_date && expire_date < from) throw datesCrossed(expire_date, from);
  if (read_deadline && read_deadline < publish) throw deadlineCrossed(read_deadline, publish);
}

/** Whom the paper is meant for from now on. */
export async function placeScope(tx: Db, paperId: number, scope: Scope): Promise<void> {
  const depts = [...new Set(scope.depts)];
  const roles = [...new Set(scope.roles)];
  const users = [...new Set(scope.users)];
  await tx.delete(paperScopeTable).where(eq(paperScopeTable.paper_id, paperId));
  if (scope.all) return;
  const below = new Set(await deptsBelow(tx, depts));
  const known =
    depts.every((id) => below.has(id)) &&
    (await rolesById(tx, roles)).length === roles.length &&
    (await workingAmong(tx, users)).length === users.length;
  if (!known) throw scopeUnknown();
  const rows = [
    ...depts.map((deptId) => ({ paper_id: paperId, dept_id: deptId })),
    ...roles.map((roleId) => ({ paper_id: paperId, role_id: roleId })),
    ...users.map((userId) => ({ paper_id: paperId, user_id: userId })),
  ];
  if (rows.length === 0) throw scopeEmpty();
  await tx.insert(paperScopeTable).values(rows);
}

/** Refuses to publish a paper without text. */
export async function checkReadable(tx: Db, paper: { id: number; content: string }): Promise<void> {
  if (paper.content !== '') return;
  const [file] = await tx
    .select({ id: paperFileTable.file_id })
    .from(paperFileTable)
    .where(and(eq(paperFileTable.paper_id, paper.id), paperFileTable.is_body));
  if (!file) throw nothingToRead();
}
