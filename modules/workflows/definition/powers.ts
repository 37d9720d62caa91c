import { and, eq, sql } from 'drizzle-orm';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Powers } from '#modules/people/service/powers.ts';
import { grantsOf, mayReach } from '../service.ts';
import { workflowGrantTable, workflowTable } from '../tables.ts';
import { mayAdminister, type Flow } from './administer.ts';

/** Wherever a definition says a post or a role: who is asked, up to whom, and conditions on it. Who may only begin decides nothing. */
const said = [
  ['post', '$.**.posts[*]'],
  ['post', '$.**.post'],
  ['post', '$.** ? (@.op == "post_of").value[*]'],
  ['role', '$.states[*].**.roles[*]'],
  ['role', '$.** ? (@.op == "role_of").value[*]'],
  // Leaders of the school are found by the role of that name.
  ['role', '$.states[*].** ? (@.variable == "xld").variable'],
] as const;

/** Posts and roles that versions of workflows, or their lists of rights, name: rows `(flow, kind, word)`. */
const named = (versions: 'in force' | 'ever') => {
  const status = versions === 'ever' ? sql`v.status <> 'draft'` : sql`v.status = 'published'`;
  const words = said.map(
    ([kind, path]) =>
      sql`select ${kind}::text kind, x #>> '{}' word from jsonb_path_query(v.definition, ${path}::jsonpath) x`,
  );
  return sql`(select v.workflow_id flow, one.kind, one.word
      from workflow_version v cross join lateral (${sql.join(words, sql` union `)}) one where ${status}
    union select workflow_id, 'role', holder from workflow_grant where holder_type = 'role') named`;
};

/** Whether somebody could name whom they like for a workflow. */
const names = (viewer: Viewer, flow: Flow, own: Awaited<ReturnType<typeof grantsOf>>) =>
  mayReach(viewer, flow.id) && mayAdminister(viewer, 'Update', flow, own);

const flows = (tx: Db) => tx.selectDistinct({ flow: workflowTable }).from(workflowTable).$dynamic();

export const workflowPowers: Powers = {
  // Older versions too: tickets go on by them.
  async decisive(tx, viewer, { posts, roles }) {
    const rows = await namedRows<{ flow: number; kind: 'post' | 'role'; word: string }>(
      tx,
      sql`select distinct flow, kind, word from ${named('ever')} join workflow w on w.id = flow and not w.is_deleted
        where kind = 'post' and word = any(${sql.param(posts)}::text[]) or kind = 'role' and word = any(${sql.param(roles)}::text[])`,
    );
    if (rows.length === 0) return { posts: [], roles: [] };
    const own = await grantsOf(tx, viewer);
    const found = await flows(tx).where(
      sql`${workflowTable.id} = any(${sql.param(rows.map((row) => row.flow))}::int[])`,
    );
    const beyond = new Set(found.filter(({ flow }) => !names(viewer, flow, own)).map(({ flow }) => flow.id));
    const of = (kind: string) => rows.filter((row) => row.kind === kind && beyond.has(row.flow)).map((row) => row.word);
    return { posts: of('post'), roles: of('role') };
  },
  async namesRole(tx, code) {
    const rows = await namedRows<{ name: string }>(
      tx,
      sql`select distinct w.name from ${named('in force')} join workflow w on w.id = flow and not w.is_deleted
        where kind = 'role' and word = ${code} order by w.name limit 5`,
    );
    return rows.map((row) => row.name);
  },
  async beyond(tx, viewer, person) {
    const { holder, holder_type, workflow_id } = workflowGrantTable;
    const found = await flows(tx)
      .innerJoin(workflowGrantTable, eq(workflowTable.id, workflow_id))
      .where(and(eq(holder_type, 'user'), eq(holder, String(person)), eq(workflowTable.is_deleted, false)));
    if (found.length === 0) return false;
    const own = await grantsOf(tx, viewer);
    return found.some(({ flow }) => !names(viewer, flow, own));
  },
};
