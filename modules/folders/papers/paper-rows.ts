import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { approvalOf, isBeingApproved, isWithAuthor } from './approving.ts';
import type { Paper } from '../contract/list.ts';
import { paperStatus } from '../contract/rows.ts';
import { managedBy, meantFor, page, readingOf, type PaperViewer } from '../categories/visibility.ts';
import { categoryTable, collectTable, paperTable, readTable } from '../tables.ts';

/** Papers as lists show them to a person, with what that person did and may do. Give it a condition. */
export function selectPapers(tx: Db, viewer: PaperViewer) {
  return tx
    .select({
      id: paperTable.id,
      title: paperTable.title,
      category_id: paperTable.category_id,
      category_name: categoryTable.name,
      fwh: paperTable.fwh,
      dept: paperTable.dept_id,
      dept_name: sql<string>`(select d.name from dept d where d.id = ${paperTable.dept_id})`,
      publish_date: paperTable.publish_date,
      effective_date: paperTable.effective_date,
      expire_date: paperTable.expire_date,
      status: paperTable.status,
      version_no: paperTable.version_no,
      keywords: paperTable.keywords,
      must_read: paperTable.must_read,
      read_deadline: paperTable.read_deadline,
      top: paperTable.top,
      read_count: paperTable.read_count,
      collect_count: paperTable.collect_count,
      my_read: sql<boolean>`${readTable.user_id} is not null`,
      to_confirm: sql<boolean>`${toConfirm(viewer)}`,
      collect_id: collectTable.id,
      gmt_created: paperTable.gmt_created,
      gmt_modified: paperTable.gmt_modified,
      version: paperTable.version,
      ticket_id: paperTable.ticket_id,
      act_state: paperTable.act_state,
      managed: sql<boolean>`${managedBy(viewer, 'Retrieve')}`,
      updates: sql<boolean>`${managedBy(viewer, 'Update')}`,
      deletes: sql<boolean>`${managedBy(viewer, 'Delete')}`,
    })
    .from(paperTable)
    .innerJoin(categoryTable, eq(categoryTable.id, paperTable.category_id))
    .leftJoin(readTable, readBySelf(viewer))
    .leftJoin(collectTable, and(eq(collectTable.paper_id, paperTable.id), eq(collectTable.user_id, viewer.id)));
}
/** Joins what a person has read of a paper in its version. */
export const readBySelf = (viewer: PaperViewer) =>
  and(
    eq(readTable.paper_id, paperTable.id),
    eq(readTable.user_id, viewer.id),
    eq(readTable.version_no, paperTable.version_no),
  );

export type Selected = Awaited<ReturnType<typeof selectPapers>>[number];

/** In force, to be read, meant for the person and not confirmed: what the badge counts. Needs the joins of `selectPapers`. */
export function toConfirm(viewer: PaperViewer) {
  return sql`(${paperTable.must_read} and ${paperTable.status} = ${paperStatus.inForce} and ${readTable.confirmed_at} is null
    and ${meantFor(viewer)})`;
}

/** Rows as they leave; `rated` adds the reading rate of those the viewer manages, in one statement. */
export async function paperRows(
  tx: Db,
  viewer: PaperViewer,
  selected: readonly Selected[],
  rated = false,
): Promise<Paper[]> {
  const known = rated
    ? await readingOf(
        tx,
        selected.filter((row) => row.managed).map((row) => row.id),
      )
    : new Map<number, never>();
  const approvals = await approvalOf(tx, viewer, selected);
  return selected.map(({ managed, updates, deletes, ticket_id: ticketId, act_state: actState, ...row }) => {
    const reading = known.get(row.id);
    const draft = row.status === paperStatus.draft;
    const asked = draft && isBeingApproved({ act_state: actState });
    const approval = approvals.get(row.id);
    // What came back is whoever's who has its ticket.
    const others = (action: string) =>
      draft && isWithAuthor({ ticket_id: ticketId, act_state: actState }) && !approval?.may.includes(action);
    const done = row.must_read ? reading?.confirmed : reading?.read;
    return {
      ...row,
      approval: approval ?? null,
      read_rate: reading && done !== undefined ? Math.floor((done * 100) / reading.total) : null,
      actions: actionsOf(row.status, {
        managed,
        updates: updates && !asked && !others('save'),
        deletes: deletes && !asked && !others('delete'),
        publishes: updates && ticketId === null,
        creates: holds(viewer, 'Create', page),
      }),
    };
  });
}

/** What may be done with a paper in a state by somebody of these rights. */
export function actionsOf(
  status: number,
  may: { managed: boolean; updates: boolean; deletes: boolean; publishes: boolean; creates: boolean },
): string[] {
  const { draft, inForce } = paperStatus;
  const all: [string, boolean][] = [
    ['update', may.updates && (status === draft || status === inForce)],
    ['publish', may.publishes && status === draft],
    ['revise', may.updates && may.creates && status === inForce],
    ['repeal', may.updates && status === inForce],
    ['readers', may.managed && status !== draft],
    ['urge', may.updates && status === inForce],
    ['delete', may.deletes && status === draft],
  ];
  return all.flatMap(([name, allowed]) => (allowed ? [name] : []));
}
