import { and, asc, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { usableLetterhead } from '#modules/letterheads/service.ts';
import { versionToStart, workflowNames } from '#modules/workflows/service.ts';
import { categoryInUse, codeTaken } from '../contract/refusals.ts';
import type { Category, documentSettings } from '../contract/settings.ts';
import { flowProblems } from '../engine/flow.ts';
import { documentCategoryTable, documentTable, numberRuleTable } from '../tables.ts';

type Input = BodyOf<typeof documentSettings.addCategory>;
type Row = typeof documentCategoryTable.$inferSelect;
const alive = eq(documentCategoryTable.is_deleted, false);

/** All categories in order; those switched off only for whoever keeps them. */
export async function categories(tx: Db, user: Viewer, kind: number | undefined): Promise<Category[]> {
  const may = (code: 'Retrieve' | 'Update' | 'Delete') => holds(user, code, 'document/setting');
  const rows = await tx
    .select({ category: documentCategoryTable, agency: sql<string>`coalesce(${numberRuleTable.agency_code}, '')` })
    .from(documentCategoryTable)
    .leftJoin(numberRuleTable, eq(numberRuleTable.id, documentCategoryTable.number_rule_id))
    .where(
      and(
        alive,
        kind ? eq(documentCategoryTable.doc_kind, kind) : undefined,
        may('Retrieve') ? undefined : eq(documentCategoryTable.status, 1),
      ),
    )
    .orderBy(asc(documentCategoryTable.order_id), asc(documentCategoryTable.id));
  const names = await workflowNames(
    tx,
    rows.flatMap(({ category }) => category.workflow_id ?? []),
  );
  const actions = [...(may('Update') ? ['edit'] : []), ...(may('Delete') ? ['delete'] : [])];
  return rows.map(({ category, agency }) => ({
    id: category.id,
    name: category.name,
    code: category.code,
    doc_kind: category.doc_kind,
    parent: category.parent,
    order_id: category.order_id,
    workflow_id: category.workflow_id,
    workflow_name: names.get(category.workflow_id ?? 0) ?? '',
    number_rule_id: category.number_rule_id,
    redhead_id: category.redhead_id,
    agency_code: agency,
    retention: category.retention,
    status: category.status,
    gmt_modified: category.gmt_modified,
    version: category.version,
    actions,
  }));
}

/** One change of the tree at a time, so that two moves cannot make a ring, nor a category go while another is put below it. */
async function lockTree(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('document category tree'))`);
}

/** Refuses a category that is not to stand where, or lead to what, somebody wrote. */
async function refuseWrong(tx: Db, body: Input, id: number | null): Promise<void> {
  const wrong = (field: string, label: string, msg: string) => invalid([{ field, label, msg }]);
  if (body.parent !== null) {
    const { rows } = await tx.execute<{ id: number; doc_kind: number }>(sql`
      with recursive up as (
        select id, parent, doc_kind, 1 levels from document_category where id = ${body.parent} and not is_deleted
        union all select c.id, c.parent, c.doc_kind, levels + 1 from document_category c join up on up.parent = c.id)
      select id, doc_kind from up order by levels`);
    if (rows.length === 0) throw wrong('parent', '上级类别', '上级类别不存在，请重新选择');
    if (rows.some((row) => row.id === id)) throw wrong('parent', '上级类别', '不能放在自己或自己的下级之下');
    if (rows[0]?.doc_kind !== body.doc_kind) throw wrong('parent', '上级类别', '上级类别不是同一种公文，请重新选择');
  }
  if (body.workflow_id !== null) {
    const version = await versionToStart(tx, body.workflow_id, 'documents');
    if (!version) throw wrong('workflow_id', '流程', '流程不存在、未发布，或不是公文流程，请重新选择');
    const [problem] = flowProblems(version.definition, [body.doc_kind]);
    if (problem) throw wrong('workflow_id', '流程', problem.msg);
  }
  if (body.number_rule_id !== null) {
    const [rule] = await tx
      .select({ id: numberRuleTable.id })
      .from(numberRuleTable)
      .where(and(eq(numberRuleTable.id, body.number_rule_id), eq(numberRuleTable.is_deleted, false)));
    if (!rule) throw wrong('number_rule_id', '机关代字', '机关代字不存在，请重新选择');
  }
  if (body.redhead_id !== null && !(await usableLetterhead(tx, body.redhead_id)))
    throw wrong('redhead_id', '红头模板', '红头模板不存在或已停用，请重新选择');
}

const taken = (code: string) => refuseOn('document_category_code_unique', () => codeTaken(code));

export async function addCategory(tx: Db, body: Input): Promise<number> {
  await lockTree(tx);
  await refuseWrong(tx, body, null);
  const [row] = await tx
    .insert(documentCategoryTable)
    .values(body)
    .returning({ id: documentCategoryTable.id })
    .catch(taken(body.code));
  return row!.id;
}

async function held(tx: Db, id: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(documentCategoryTable)
    .where(and(alive, eq(documentCategoryTable.id, id)))
    .for('update');
  if (!row) throw absent('公文类别');
  return row;
}

/** Changes a category; answers it as it was. */
export async function changeCategory(tx: Db, id: number, body: Input, version: number | undefined): Promise<Row> {
  await lockTree(tx);
  const before = await held(tx, id);
  checkVersion('公文类别', before, version, { id, name: before.name, version: before.version });
  await refuseWrong(tx, body, id);
  await tx
    .update(documentCategoryTable)
    .set({ ...body, ...touched(documentCategoryTable) })
    .where(eq(documentCategoryTable.id, id))
    .catch(taken(body.code));
  return before;
}

/** Deletes a category that nothing is in. */
export async function removeCategory(tx: Db, id: number): Promise<Row> {
  await lockTree(tx);
  const row = await held(tx, id);
  const used = await tx.$count(
    documentTable,
    and(eq(documentTable.category_id, id), eq(documentTable.is_deleted, false)),
  );
  const below = await tx.$count(documentCategoryTable, and(alive, eq(documentCategoryTable.parent, id)));
  if (used + below > 0) throw categoryInUse(row.name, used + below);
  await tx.update(documentCategoryTable).set({ is_deleted: true }).where(eq(documentCategoryTable.id, id));
  return row;
}
