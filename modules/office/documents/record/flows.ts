import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { flowByCategory } from '#modules/workflow/records/service.ts';
import type { Problem } from '#modules/workflow/workflows/engine/check/problem.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { workflowByKey, type BoundFlow } from '#modules/workflow/workflows/service.ts';
import { noWorkflow } from '../contract/refusals.ts';
import { docKind } from '../contract/shapes.ts';
import { flowProblems } from '../engine/flow.ts';
import { documentCategoryTable } from '../tables.ts';
import type { Stored } from '../visibility/visibility.ts';

const standard: Readonly<Record<number, string>> = {
  1: 'document_sending',
  2: 'document_receiving',
  3: 'document_memo',
};
const kindsBy = ({ key }: BoundFlow): number[] =>
  Object.keys(standard)
    .map(Number)
    .filter((kind) => standard[kind] === key);

/** The workflow of a document's category, else of its kind. */
export const flow = flowByCategory<Stored>(
  documentCategoryTable,
  (doc) => doc.category_id,
  {
    async of(tx, { doc_kind }) {
      const id = await workflowByKey(tx, standard[doc_kind] ?? '');
      if (id === null) throw noWorkflow(docKind.label(doc_kind));
      return id;
    },
    uses: (_tx, bound) => Promise.resolve(kindsBy(bound).map((kind) => `没有另选流程的${docKind.label(kind)}`)),
  },
  '类别',
);

/** Problems that keep a definition from deciding the kinds of documents that use it. */
export async function problemsOf(tx: Db, bound: BoundFlow, definition: Definition): Promise<Problem[]> {
  const { doc_kind, workflow_id, is_deleted } = documentCategoryTable;
  const named = await tx
    .selectDistinct({ doc_kind })
    .from(documentCategoryTable)
    .where(and(eq(workflow_id, bound.id), eq(is_deleted, false)));
  return flowProblems(definition, [...new Set([...kindsBy(bound), ...named.map((row) => row.doc_kind)])]);
}
