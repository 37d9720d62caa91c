import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { nodeCodeTaken, nodeTaken } from '#kernel/contract/tree.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { implement, type Context, type ServerModule } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches, searchVector } from '#kernel/server/list/search.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { checkPlace, lockTree, moveNode, refuseUnlessEmpty, type Tree } from '#kernel/server/tree/tree.ts';
import { rightsChanged } from '#modules/platform/access/service.ts';
import { depts, parentOutside, type DeptInput, type DeptRow } from '../../contract/depts.ts';
import { saysOrShows } from '../../service/words.ts';
import { deptPersonTable, deptTable } from '../../tables.ts';
import { keepingParts, notNamingOneself } from './dept-delegation.ts';
import { keepingPlace } from './dept-place.ts';
import { deptFacts, deptRows, placeParts, selectDepts } from './dept-rows.ts';
import { deptsWithin } from './reach.ts';

const page = 'system/dept';
const tree: Tree = {
  table: deptTable,
  parent: deptTable.parent_id,
  order: deptTable.order_id,
  noun: '部门',
  holds: {
    名人员: (id) => sql`
      select count(distinct u.id) from app_user u left join user_dept d on d.user_id = u.id
      where not u.is_deleted and (u.dept_id = ${id} or d.dept_id = ${id})`,
  },
};

export const deptsModule: ServerModule = implement('people', depts, {
  async list({ query }, { tx, user }) {
    const select = selectDepts(tx).where(
      and(
        deptsWithin(user, 'Retrieve', page),
        saysOrShows(
          query.search_value,
          (word) => matches(deptTable.search, word),
          (ids) =>
            sql`exists (select from ${deptPersonTable} where ${deptPersonTable.dept_id} = ${deptTable.id} and ${deptPersonTable.user_id} in ${ids})`,
        ),
        query.parent === undefined
          ? undefined
          : query.parent === 0
            ? isNull(deptTable.parent_id)
            : eq(deptTable.parent_id, query.parent),
        query.type === undefined ? undefined : eq(deptTable.type, query.type),
        query.status === undefined ? undefined : eq(deptTable.is_active, query.status),
      ),
    );
    const found = await pageOf(tx, query, select.$dynamic(), {
      by: { order_id: deptTable.order_id, name: deptTable.name, gmt_created: deptTable.gmt_created },
      first: 'order_id',
      tie: deptTable.id,
    });
    return { ...found, value: await deptRows(tx, user, found.value) };
  },

  async create({ body }, { tx, user, audit }) {
    await lockTree(tx, tree);
    notNamingOneself(user, body);
    const parentId = body.parent || null;
    await checkParent(tx, user, 'Create', parentId);
    const [made] = await saving(
      body.name,
      body.code,
      tx
        .insert(deptTable)
        .values({
          ...columnsOf(body),
          name: body.name,
          parent_id: parentId,
          search: searchOf(body.name, body.code, body.label),
        })
        .returning({ id: deptTable.id }),
    );
    await placeParts(tx, made!.id, body);
    await rightsChanged(tx, 'all');
    const row = (await read(tx, user, made!.id))!;
    audit({ type: '部门', id: row.id, title: row.name, after: deptFacts(row) });
    return row;
  },

  async get({ params }, { tx, user }) {
    const [found] = await selectDepts(tx).where(and(eq(deptTable.id, params.id), deptsWithin(user, 'Retrieve', page)));
    const [row] = await deptRows(tx, user, found ? [found] : []);
    if (!row) throw absent('部门');
    return row;
  },

  replace: ({ params, body }, context) => change(params.id, body, context),
  update: ({ params, body }, context) => change(params.id, body, context),

  async move({ params: { id }, body }, { tx, user, audit }) {
    await lockTree(tx, tree);
    const found = await deptToChange(tx, user, id, 'Update');
    const before = (await read(tx, user, id))!;
    checkVersion('部门', found, body.version, before);
    const parentId = body.parent === undefined ? found.parent_id : body.parent || null;
    const put = () => saving(found.name, '', moveNode(tx, tree, id, body));
    if (parentId === found.parent_id) await put();
    else {
      await checkParent(tx, user, 'Update', parentId);
      await checkPlace(tx, tree, id, parentId);
      await keepingPlace(tx, user, { id, name: before.name, parent: parentId }, put);
      await rightsChanged(tx, 'all');
    }
    const after = (await read(tx, user, id))!;
    audit({ type: '部门', id, title: after.name, before: deptFacts(before), after: deptFacts(after) });
    return { id };
  },

  async remove({ params }, { tx, user, audit, services }) {
    await lockTree(tx, tree);
    await deptToChange(tx, user, params.id, 'Delete');
    const row = (await read(tx, user, params.id))!;
    await refuseUnlessEmpty(tx, { ...tree, holds: { ...tree.holds, ...services.product.inDepts } }, row);
    await tx.delete(deptPersonTable).where(eq(deptPersonTable.dept_id, row.id));
    await tx
      .update(deptTable)
      .set({ is_deleted: true, gmt_modified: sql`now()`, version: row.version + 1 })
      .where(eq(deptTable.id, row.id));
    await rightsChanged(tx, 'all');
    audit({ type: '部门', id: row.id, title: row.name, before: deptFacts(row) });
    return { id: row.id };
  },
});

async function change(
  id: number,
  body: Partial<DeptInput> & { version?: number | undefined },
  { tx, user, audit }: Context,
): Promise<DeptRow> {
  if (!user) throw absent('部门');
  if (body.parent !== undefined) await lockTree(tx, tree);
  const found = await deptToChange(tx, user, id, 'Update');
  const before = (await read(tx, user, id))!;
  checkVersion('部门', found, body.version, before);
  notNamingOneself(user, body, before);
  await keepingParts(tx, user, body, before);
  const parentId = body.parent === undefined ? found.parent_id : body.parent || null;
  if (parentId !== found.parent_id) {
    await checkParent(tx, user, 'Update', parentId);
    await checkPlace(tx, tree, id, parentId);
  }
  const name = body.name ?? found.name;
  const code = body.code ?? found.code ?? '';
  const write = () =>
    saving(
      name,
      code,
      tx
        .update(deptTable)
        .set({
          ...columnsOf(body),
          parent_id: parentId,
          search: searchOf(name, code, body.label ?? found.label),
          gmt_modified: sql`now()`,
          version: found.version + 1,
        })
        .where(eq(deptTable.id, id)),
    );
  await (parentId === found.parent_id
    ? write()
    : keepingPlace(tx, user, { id, name: before.name, parent: parentId }, write));
  await placeParts(tx, id, body);
  if (parentId !== found.parent_id) await rightsChanged(tx, 'all');
  const after = (await read(tx, user, id))!;
  audit({ type: '部门', id, title: after.name, before: deptFacts(before), after: deptFacts(after) });
  return after;
}

async function checkParent(tx: Db, user: Viewer, code: 'Create' | 'Update', parentId: number | null): Promise<void> {
  const scope = scopeOf(user, code, page);
  if (parentId === null) {
    if (!scope.all) throw parentOutside();
    return;
  }
  const [parent] = await tx
    .select({ id: deptTable.id })
    .from(deptTable)
    .where(and(eq(deptTable.id, parentId), deptsWithin(user, code, page)))
    .for('share');
  if (!parent) throw parentOutside();
}

async function deptToChange(tx: Db, user: Viewer, id: number, code: 'Update' | 'Delete') {
  const [found] = await tx
    .select()
    .from(deptTable)
    .where(and(eq(deptTable.id, id), deptsWithin(user, code, page)))
    .for('update');
  if (!found) throw absent('部门');
  return found;
}

async function read(tx: Db, user: Viewer, id: number): Promise<DeptRow | undefined> {
  const rows = await selectDepts(tx).where(inArray(deptTable.id, [id]));
  return (await deptRows(tx, user, rows))[0];
}

function columnsOf(body: Partial<DeptInput>) {
  const { name, type, phone, order_id, status, label } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(body.code === undefined ? {} : { code: body.code || null }),
    ...(type === undefined ? {} : { type }),
    ...(phone === undefined ? {} : { phone }),
    ...(order_id === undefined ? {} : { order_id }),
    ...(status === undefined ? {} : { is_active: status }),
    ...(label === undefined ? {} : { label }),
  };
}

function searchOf(name: string, code = '', label = ''): string {
  return searchVector({ names: [name], codes: [code], texts: [label] });
}

function saving<T>(name: string, code: string | undefined, work: Promise<T>): Promise<T> {
  return work
    .catch(refuseOn('dept_name_unique', () => nodeTaken('部门', name)))
    .catch(refuseOn('dept_code_unique', () => nodeCodeTaken('部门', code ?? '')));
}
