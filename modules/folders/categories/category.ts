import { eq, sql } from 'drizzle-orm';
import { absent, stale } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { deptNamesById, peopleByName } from '#modules/people/service.ts';
import { versionToStart } from '#modules/workflows/service.ts';
import { mayChangeTree } from './categories.ts';
import {
  categoryInUse,
  categoryRing,
  categoryTaken,
  codeTaken,
  scopeUnknown,
  tooDeep,
  unknownFlow,
  unknownManagers,
  wholeTree,
} from '../contract/refusals.ts';
import { maxLevels, type CategoryInput } from '../contract/rows.ts';
import { categoryDeptTable, categoryManagerTable, categoryTable } from '../tables.ts';

type Writing = Pick<Context, 'tx' | 'audit'> & { user: Viewer };

export async function createCategory(body: CategoryInput, { tx, user, audit }: Writing) {
  if (!mayChangeTree(user, 'Create')) throw wholeTree();
  await lockTree(tx);
  const parentId = body.parent || null;
  await checkPlace(tx, null, parentId);
  const [made] = await tx
    .insert(categoryTable)
    .values({
      name: body.name,
      code: body.code ?? '',
      parent_id: parentId,
      order_id: body.order_id ?? 0,
      status: body.status ?? true,
      workflow_id: await flowOf(tx, body),
    })
    .returning({ id: categoryTable.id })
    .catch(refuseOn('folder_category_name', () => categoryTaken(body.name)))
    .catch(refuseOn('folder_category_code', () => codeTaken(body.code ?? '')));
  const { id } = made!;
  await place(tx, id, body);
  audit({ type: '文件分类', id, title: body.name, after: facts(body) });
  return { id };
}

export async function updateCategory(
  id: number,
  body: Partial<CategoryInput> & { version?: number | undefined },
  { tx, user, audit }: Writing,
) {
  if (!mayChangeTree(user, 'Update')) throw wholeTree();
  await lockTree(tx);
  const [before] = await tx.select().from(categoryTable).where(eq(categoryTable.id, id)).for('update');
  if (!before) throw absent('该分类');
  if (body.version !== undefined && body.version !== before.version)
    throw stale('分类', { ...before, parent: before.parent_id ?? 0, order_id: before.order_id, status: before.status });
  const parentId = body.parent === undefined ? before.parent_id : body.parent || null;
  if (parentId !== before.parent_id) await checkPlace(tx, id, parentId);
  const name = body.name ?? before.name;
  await tx
    .update(categoryTable)
    .set({
      name,
      code: body.code ?? before.code,
      parent_id: parentId,
      order_id: body.order_id ?? before.order_id,
      status: body.status ?? before.status,
      workflow_id: body.workflow_id === undefined ? before.workflow_id : await flowOf(tx, body),
      version: before.version + 1,
      gmt_modified: sql`now()`,
    })
    .where(eq(categoryTable.id, id))
    .catch(refuseOn('folder_category_name', () => categoryTaken(name)))
    .catch(refuseOn('folder_category_code', () => codeTaken(body.code ?? '')));
  await place(tx, id, body);
  const was = {
    name: before.name,
    code: before.code,
    parent: before.parent_id,
    order_id: before.order_id,
    status: before.status,
    workflow_id: before.workflow_id,
  };
  audit({ type: '文件分类', id, title: name, before: facts(was), after: facts({ ...was, ...body }) });
  return { id };
}

export async function removeCategory(id: number, { tx, user, audit }: Writing) {
  if (!mayChangeTree(user, 'Delete')) throw wholeTree();
  await lockTree(tx);
  const { rows } = await tx.execute<{ name: string; children: number; papers: number }>(sql`
    select c.name, (select count(*)::int from folder_category b where b.parent_id = c.id) children,
      (select count(*)::int from folder_paper p where p.category_id = c.id) papers
    from folder_category c where c.id = ${id} for update`);
  const [found] = rows;
  if (!found) throw absent('该分类');
  if (found.children + found.papers > 0) throw categoryInUse(found.name, found.children, found.papers);
  await tx.delete(categoryTable).where(eq(categoryTable.id, id));
  audit({ type: '文件分类', id, title: found.name, before: { 名称: found.name } });
  return { id };
}

/** One change of the tree at a time, so that two moves cannot make a ring or a fifth level together. */
async function lockTree(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('folder category tree'))`);
}

/** Refuses a parent that is not there, lies below the category itself, or would make the tree too deep. */
async function checkPlace(tx: Db, id: number | null, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  const { rows } = await tx.execute<{ id: number; name: string; levels: number }>(sql`
    with recursive up as (
      select id, name, parent_id, 1 levels from folder_category where id = ${parentId}
      union all select c.id, c.name, c.parent_id, levels + 1 from folder_category c join up on up.parent_id = c.id)
    select id, name, levels from up order by levels`);
  const [parent] = rows;
  if (!parent) throw absent('上级分类');
  if (rows.some((row) => row.id === id)) throw categoryRing(parent.name);
  const { rows: own } = await tx.execute<{ levels: number }>(sql`
    with recursive down as (
      select id, 1 levels from folder_category where id = ${id}
      union all select c.id, levels + 1 from folder_category c join down on c.parent_id = down.id)
    select coalesce(max(levels), 1)::int levels from down`);
  if (rows.length + (own[0]?.levels ?? 1) > maxLevels) throw tooDeep(maxLevels);
}

/** The workflow that decides whether papers are published; refuses one that is not for papers. */
async function flowOf(tx: Db, { workflow_id: id }: Partial<CategoryInput>): Promise<number | null> {
  if (!id) return null;
  if (!(await versionToStart(tx, id, 'folders'))) throw unknownFlow();
  return id;
}

/** Puts the departments and people that were sent; an empty list empties. */
async function place(tx: Db, id: number, body: Partial<CategoryInput>): Promise<void> {
  if (body.scope) {
    const depts = [...new Set(body.scope)];
    if ((await deptNamesById(tx, depts)).size < depts.length) throw scopeUnknown();
    await tx.delete(categoryDeptTable).where(eq(categoryDeptTable.category_id, id));
    if (depts.length > 0)
      await tx.insert(categoryDeptTable).values(depts.map((deptId) => ({ category_id: id, dept_id: deptId })));
  }
  if (body.managers) {
    const names = [...new Set(body.managers)].filter(Boolean);
    const people = await peopleByName(tx, names);
    const unknown = names.filter((name) => !people.has(name));
    if (unknown.length > 0) throw unknownManagers(unknown);
    await tx.delete(categoryManagerTable).where(eq(categoryManagerTable.category_id, id));
    const rows = [...people.values()].map((one) => ({ category_id: id, user_id: one.id }));
    if (rows.length > 0) await tx.insert(categoryManagerTable).values(rows);
  }
}

function facts(body: Partial<CategoryInput>): Record<string, unknown> {
  return {
    名称: body.name,
    编码: body.code,
    上级: body.parent ?? 0,
    可见部门: body.scope,
    管理员: body.managers,
    排序: body.order_id,
    启用: body.status,
    发布审批流程: body.workflow_id ?? null,
  };
}
