import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { RecordModule } from '#modules/tickets/service.ts';
import type { BoundFlow } from '#modules/workflows/service.ts';
import { workflowByKey } from '#modules/workflows/service.ts';
import { noWorkflow } from '../contract/refusals.ts';
import { docKinds } from '../contract/shapes.ts';
import { documentMeaning, flowProblems } from '../engine/flow.ts';
import { documentCategoryTable } from '../tables.ts';
import type { Stored } from '../visibility/visibility.ts';

const standard: Readonly<Record<number, string>> = {
  1: 'document_sending',
  2: 'document_receiving',
  3: 'document_memo',
};

/** The workflow of a document's category, else of its kind. */
export async function workflowOf(
  tx: Db,
  { doc_kind: docKind, category_id: categoryId }: Pick<Stored, 'doc_kind' | 'category_id'>,
): Promise<number> {
  const [category] =
    categoryId === null
      ? []
      : await tx
          .select({ flow: documentCategoryTable.workflow_id })
          .from(documentCategoryTable)
          .where(eq(documentCategoryTable.id, categoryId));
  const id = category?.flow ?? (await workflowByKey(tx, standard[docKind] ?? ''));
  if (id === null) throw noWorkflow(docKinds[docKind as 1]);
  return id;
}

/** What starts a workflow: kinds of document without another, and categories that name it. */
async function startersOf(tx: Db, { id, key }: BoundFlow): Promise<{ kind: number; name: string }[]> {
  const categories = await tx
    .select({ kind: documentCategoryTable.doc_kind, name: documentCategoryTable.name })
    .from(documentCategoryTable)
    .where(and(eq(documentCategoryTable.workflow_id, id), eq(documentCategoryTable.is_deleted, false)))
    .orderBy(documentCategoryTable.id);
  const kinds = Object.keys(standard)
    .map(Number)
    .filter((kind) => standard[kind] === key);
  return [
    ...kinds.map((kind) => ({ kind, name: `没有另选流程的${docKinds[kind as 1]}` })),
    ...categories.map(({ kind, name }) => ({ kind, name: `类别“${name}”` })),
  ];
}

/** What documents ask of the workflows that decide them. */
export const documentFlows = {
  name: '公文',
  fills: ['title', 'countersigners', 'issuer'],
  meanings: [documentMeaning],
  async problems(tx, flow, definition) {
    const kinds = (await startersOf(tx, flow)).map(({ kind }) => kind);
    return flowProblems(definition, [...new Set(kinds)]);
  },
  uses: async (tx, flow) => (await startersOf(tx, flow)).map(({ name }) => name),
} satisfies Partial<RecordModule>;
