import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageFrom, pageWithin, type Page } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { seenDocument, seesPast } from '#modules/office/documents/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { logOf, ticketViewerFor } from '#modules/workflow/tickets/service.ts';
import type { distributions } from '../contract.ts';
import type { DistLog } from '../contract/shapes.ts';
import { seen } from '../rows.ts';
import { managedBy, visibleTo } from '../visibility.ts';
import { distEventTable, distTable } from '../tables.ts';

const names = { distribute: '分发', urge: '催读', reply: '回复', recall: '收回分发' };
const max = 500;

/** The history of a document and its distributions, oldest first unless asked otherwise. */
export async function flowLogs(
  tx: Db,
  user: Viewer,
  asked: QueryOf<typeof distributions.flowLogs>,
): Promise<Page<DistLog>> {
  const documentId = asked.dist_id ? (await seen(tx, user, asked.dist_id)).row.document_id : asked.document_id!;
  const flow = await flowOf(tx, user, documentId);
  if (flow === null && !asked.dist_id) throw absent('公文');
  const all = [...(flow ?? []), ...(await eventsOf(tx, user, documentId, asked.dist_id))];
  if (asked.desc) all.reverse();
  const total = { total: all.length, capped: false };
  const page = pageWithin(asked, total);
  return pageFrom(asked, page, all.slice((page - 1) * asked.per_page, page * asked.per_page), total);
}

/** The workflow's log, for those who see the document by more than its distribution; null if the person may not see the document. */
async function flowOf(tx: Db, user: Viewer, documentId: number): Promise<DistLog[] | null> {
  const found = await seenDocument(tx, user, documentId).catch((stop: unknown) => {
    if (stop instanceof Refusal) return null;
    throw stop;
  });
  if (!found) return null;
  if (!(await seesPast(tx, found.viewer, documentId))) return [];
  const { value } = await logOf(tx, found.ticketId, { page: 1, per_page: max }, found.viewer.tickets);
  return value.map((log) => ({
    key: `flow-${log.id}`,
    kind: 'flow',
    action: log.action,
    action_name: log.transition.transition_name,
    state_name: log.state.state_name,
    participant_info: log.participant_info,
    content: log.suggestion,
    gmt_created: log.gmt_created,
  }));
}

/** People who only received it see that it was given out, and their own replies. */
async function eventsOf(tx: Db, user: Viewer, documentId: number, distId?: number): Promise<DistLog[]> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const rows = await tx
    .select({
      id: distEventTable.id,
      kind: distEventTable.kind,
      actor: distEventTable.actor_id,
      people: distEventTable.people,
      content: distEventTable.content,
      gmt_created: distEventTable.gmt_created,
      managed: sql<boolean>`${managedBy(tx, viewer)}`,
    })
    .from(distEventTable)
    .innerJoin(distTable, eq(distTable.id, distEventTable.dist_id))
    .where(
      and(
        eq(distEventTable.document_id, documentId),
        distId === undefined ? undefined : eq(distEventTable.dist_id, distId),
        visibleTo(tx, viewer),
        or(managedBy(tx, viewer), eq(distEventTable.kind, 'distribute'), eq(distEventTable.actor_id, user.id)),
      ),
    )
    .orderBy(asc(distEventTable.id))
    .limit(max);
  const people = await peopleById(
    tx,
    rows.map((row) => row.actor),
  );
  return rows.map(({ id, kind, actor, people: count, content, gmt_created: created, managed }) => ({
    key: `dist-${id}`,
    kind: 'dist',
    action: kind,
    action_name: managed && kind !== 'reply' ? `${names[kind]}（${count} 人）` : names[kind],
    state_name: '',
    participant_info: people.get(actor) ?? null,
    content,
    gmt_created: created,
  }));
}
