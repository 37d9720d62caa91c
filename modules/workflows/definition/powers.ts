import { and, eq, sql } from 'drizzle-orm';
import type { Powers } from '#modules/people/service/powers.ts';
import { grantsOf, mayReach } from '../service.ts';
import { workflowGrantTable, workflowTable, workflowVersionTable } from '../tables.ts';
import { mayAdminister } from './administer.ts';

const { status, definition, workflow_id: ofFlow } = workflowVersionTable;
/** Wherever a definition says a post: who is asked, up to whom, and conditions on it. */
const saysPost = [
  '$.**.posts[*] ? (@ == $post)',
  '$.**.post ? (@ == $post)',
  '$.** ? (@.op == "post_of").value[*] ? (@ == $post)',
];

export const workflowPowers: Powers = {
  async asksPost(tx, post) {
    const vars = sql`jsonb_build_object('post', ${post}::text)`;
    const paths = saysPost.map((path) => sql`jsonb_path_exists(${definition}, ${path}::jsonpath, ${vars})`);
    const [found] = await tx
      .select({ id: workflowVersionTable.id })
      .from(workflowVersionTable)
      .innerJoin(workflowTable, eq(workflowTable.id, ofFlow))
      .where(and(sql`${status} <> 'draft'`, eq(workflowTable.is_deleted, false), sql`(${sql.join(paths, sql` or `)})`))
      .limit(1);
    return found !== undefined;
  },
  async beyond(tx, viewer, person) {
    const { holder, holder_type, workflow_id } = workflowGrantTable;
    const flows = await tx
      .selectDistinct({ flow: workflowTable })
      .from(workflowGrantTable)
      .innerJoin(workflowTable, eq(workflowTable.id, workflow_id))
      .where(and(eq(holder_type, 'user'), eq(holder, String(person)), eq(workflowTable.is_deleted, false)));
    if (flows.length === 0) return false;
    const own = await grantsOf(tx, viewer);
    return flows.some(({ flow }) => !mayReach(viewer, flow.id) || !mayAdminister(viewer, 'Update', flow, own));
  },
};
