import { and, asc, eq, sql } from 'drizzle-orm';
import { invalid } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import { nodeCodeTaken } from '#kernel/contract/tree.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { treeHandlers } from '#kernel/server/tree/handlers.ts';
import { usableLetterhead } from '#modules/platform/letterheads/service.ts';
import { versionToStart, workflowNames } from '#modules/workflow/workflows/service.ts';
import { documentCategories } from '../contract/categories.ts';
import { flowProblems } from '../engine/flow.ts';
import { documentCategoryTable, numberRuleTable } from '../tables.ts';

const page = 'document/setting';
type Row = typeof documentCategoryTable.$inferSelect;

export const documentCategoryModule = implement(
  'documents',
  documentCategories,
  treeHandlers(documentCategories, {
    table: documentCategoryTable,
    parent: documentCategoryTable.parent,
    order: documentCategoryTable.order_id,
    noun: '公文类别',
    holds: {
      份公文: (id) => sql`select count(*) from document where category_id = ${id} and not is_deleted`,
    },
    instead: '不再使用的可以停用',
    unique: { document_category_code_unique: (row) => nodeCodeTaken('公文类别', String(row['code'])) },
    rows,
    check: (tx, row, sent) => check(tx, row as Row, sent),
  }),
);

/** All categories in order; disabled ones only for those who maintain them. */
async function rows(tx: Db, user: Viewer, { doc_kind: kind }: { doc_kind?: number | undefined }) {
  const found = await tx
    .select({ category: documentCategoryTable, agency: sql<string>`coalesce(${numberRuleTable.agency_code}, '')` })
    .from(documentCategoryTable)
    .leftJoin(numberRuleTable, eq(numberRuleTable.id, documentCategoryTable.number_rule_id))
    .where(
      and(
        eq(documentCategoryTable.is_deleted, false),
        kind ? eq(documentCategoryTable.doc_kind, kind) : undefined,
        holds(user, 'Retrieve', page) ? undefined : eq(documentCategoryTable.status, onOff.on),
      ),
    )
    .orderBy(asc(documentCategoryTable.order_id), asc(documentCategoryTable.id));
  const names = await workflowNames(
    tx,
    found.flatMap(({ category }) => category.workflow_id ?? []),
  );
  return found.map(({ category, agency }) => ({
    ...category,
    parent: category.parent ?? 0,
    workflow_name: names.get(category.workflow_id ?? 0) ?? '',
    agency_code: agency,
  }));
}

/** Refuses a parent of another kind of document, and references to missing records. */
async function check(tx: Db, row: Row, sent: Partial<Row>): Promise<void> {
  const wrong = (field: string, label: string, msg: string) => invalid([{ field, label, msg }]);
  if (sent.parent !== undefined || sent.doc_kind !== undefined) {
    const { rows: kinds } = await tx.execute<{ above: boolean }>(sql`
      select id = ${row.parent} above from document_category where not is_deleted and doc_kind <> ${row.doc_kind}
        and (id = ${row.parent} or parent = ${row.id ?? 0}) limit 1`);
    if (kinds[0]?.above) throw wrong('parent', '上级类别', '上级类别不是同一种公文，请重新选择');
    if (kinds[0]) throw wrong('doc_kind', '公文类型', '下级类别不是同一种公文，请先移走下级类别');
  }
  if (sent.workflow_id) {
    const version = await versionToStart(tx, sent.workflow_id, 'documents');
    if (!version) throw wrong('workflow_id', '流程', '流程不存在、未发布，或不是公文流程，请重新选择');
    const [problem] = flowProblems(version.definition, [row.doc_kind]);
    if (problem) throw wrong('workflow_id', '流程', problem.msg);
  }
  if (sent.number_rule_id) {
    const rule = and(eq(numberRuleTable.id, sent.number_rule_id), eq(numberRuleTable.is_deleted, false));
    if ((await tx.$count(numberRuleTable, rule)) === 0)
      throw wrong('number_rule_id', '机关代字', '机关代字不存在，请重新选择');
  }
  if (sent.redhead_id && !(await usableLetterhead(tx, sent.redhead_id)))
    throw wrong('redhead_id', '红头模板', '红头模板不存在或已停用，请重新选择');
}
