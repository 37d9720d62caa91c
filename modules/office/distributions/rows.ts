import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { headsOfDocuments } from '#modules/office/documents/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { ticketViewerFor, type TicketViewer } from '#modules/workflow/tickets/service.ts';
import { copyState, type Dist } from './contract/list.ts';
import { managedBy, mayRecall, visibleTo } from './visibility.ts';
import { distTable, distUserTable } from './tables.ts';

/** Distributions with the person's own copy and whether they look after them. Give it a condition. */
export function selectDists(tx: Db, viewer: TicketViewer) {
  return tx
    .select({
      row: getTableColumns(distTable),
      mine: {
        state: distUserTable.state,
        read_time: distUserTable.read_time,
        reply: distUserTable.reply,
      },
      managed: sql<boolean>`${managedBy(tx, viewer)}`,
    })
    .from(distTable)
    .leftJoin(distUserTable, and(eq(distUserTable.dist_id, distTable.id), eq(distUserTable.user_id, viewer.user.id)));
}
export type Seen = Awaited<ReturnType<typeof selectDists>>[number];

/** A distribution somebody may know of; anything else is absent, whether it exists or not. */
export async function seen(tx: Db, user: Viewer, id: number): Promise<Seen & { viewer: TicketViewer }> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const [found] = await selectDists(tx, viewer).where(and(eq(distTable.id, id), visibleTo(tx, viewer)));
  if (!found) throw absent('分发');
  return { ...found, viewer };
}

/** Rows as they leave; a handful of statements, however many. */
export async function rowsOf(tx: Db, user: Viewer, found: readonly Seen[]): Promise<Dist[]> {
  const heads = await headsOfDocuments(
    tx,
    found.map(({ row }) => row.document_id),
  );
  const people = await peopleById(
    tx,
    found.map(({ row }) => row.sender_id),
  );
  const depts = await deptNamesById(
    tx,
    found.flatMap(({ row }) => row.sender_dept ?? []),
  );
  return found.flatMap(({ row, mine, managed }) => {
    const head = heads.get(row.document_id);
    if (!head) return [];
    const { id: _document, ...about } = head;
    return [
      {
        ...about,
        id: row.id,
        document_id: row.document_id,
        note: row.note,
        need_receipt: row.need_receipt,
        sms: row.sms,
        deadline: row.deadline,
        sender: people.get(row.sender_id)?.alias ?? '',
        sender_dept_name: depts.get(row.sender_dept ?? 0) ?? '',
        send_time: row.gmt_created,
        recalled_at: row.recalled_at,
        total: managed ? row.total : null,
        read: managed ? row.read : null,
        replied: managed ? row.replied : null,
        my_state: mine?.state ?? null,
        my_state_name: mine ? copyState.label(mine.state) : '',
        read_time: mine?.read_time ?? null,
        actions: actionsOf(user, { row, mine, managed }),
      },
    ];
  });
}

/** What a person may do with a distribution now. */
function actionsOf(user: Viewer, { row, mine, managed }: Seen): string[] {
  const open = row.recalled_at === null;
  const holds = open && mine !== null && mine.state !== copyState.recalled;
  const takesBack = open && managed && mayRecall(user, row);
  const all: [string, boolean][] = [
    ['read', holds && mine.state === copyState.unread],
    ['reply', holds],
    ['readers', managed],
    ['urge', takesBack && row.read < row.total],
    ['recall', takesBack],
  ];
  return all.flatMap(([name, allowed]) => (allowed ? [name] : []));
}
