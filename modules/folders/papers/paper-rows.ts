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
      category_id: paperTable.categoryId,
      category_name: categoryTable.name,
      fwh: paperTable.fwh,
      dept: paperTable.deptId,
      dept_name: sql<string>`(select d.name from dept d where d.id = ${paperTable.deptId})`,
      publish_date: paperTable.publishDate,
      effective_date: paperTable.effectiveDate,
      expire_date: paperTable.expireDate,
      status: paperTable.status,
      version_no: paperTable.versionNo,
      keywords: paperTable.keywords,
      must_read: paperTable.mustRead,
      read_deadline: paperTable.readDeadline,
      top: paperTable.top,
      read_count: paperTable.readCount,
      collect_count: paperTable.collectCount,
      my_read: sql<boolean>`${readTable.userId} is not null`,
      to_confirm: sql<boolean>`${toConfirm(viewer)}`,
      collect_id: collectTable.id,
      gmt_created: paperTable.created,
      gmt_modified: paperTable.modified,
      version: paperTable.version,
      ticketId: paperTable.ticketId,
      actState: paperTable.actState,
      managed: sql<boolean>`${managedBy(viewer, 'Retrieve')}`,
      updates: sql<boolean>`${managedBy(viewer, 'Update')}`,
      deletes: sql<boolean>`${managedBy(viewer, 'Delete')}`,
    })
    .from(paperTable)
    .innerJoin(categoryTable, eq(categoryTable.id, paperTable.categoryId))
    .leftJoin(readTable, readBySelf(viewer))
    .leftJoin(collectTable, and(eq(collectTable.paperId, paperTable.id), eq(collectTable.userId, viewer.id)));
}
/** Joins what a person has read of a paper in its version. */
export const readBySelf = (viewer: PaperViewer) =>
  and(
    eq(readTable.paperId, paperTable.id),
    eq(readTable.userId, viewer.id),
    eq(readTable.versionNo, paperTable.versionNo),
  );

export type Selected = Awaited<ReturnType<typeof selectPapers>>[number];

/** In force, to be read, meant for the person and not confirmed: what the badge counts. Needs the joins of `selectPapers`. */
export function toConfirm(viewer: PaperViewer) {
  return sql`(${paperTable.mustRead} and ${paperTable.status} = ${paperStatus.inForce} and ${readTable.confirmed} is null
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
  return selected.map(({ managed, updates, deletes, ticketId, actState, ...row }) => {
    const reading = known.get(row.id);
    const draft = row.status === paperStatus.draft;
    const asked = draft && isBeingApproved({ actState });
    const approval = approvals.get(row.id);
    // What came back is whoever's who has its ticket.
    const others = (action: string) => draft && isWithAuthor({ ticketId, actState }) && !approval?.may.includes(action);
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
