import { and, eq, getTableColumns, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { headsOfDocuments } from '#modules/office/documents/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { ticketViewerFor, type TicketViewer } from '#modules/workflow/tickets/service.ts';
import { copyState, type Dist } from './contract/list.ts';
import { managedBy, mayRecall, visibleTo } from './visibility.ts';
import { distTable, distUserTable } from './tables.ts';

/** Recipients whom the user may urge: those who have not read it, except the user and people who have left. */
const urgeableOf = (dist: SQLWrapper, user: Pick<Viewer, 'id'>): SQL => sql`
  select late.user_id from document_dist_user late join app_user u on u.id = late.user_id
  where late.dist_id = ${dist} and late.state = ${inSql(copyState.unread)} and late.read_time is null
    and late.user_id <> ${user.id} and u.is_active and not u.is_deleted`;

/** The number of people the user may urge. */
export async function countUrgeable(tx: Db, dist: number, user: Viewer): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`select count(*)::int count from (${urgeableOf(sql`${dist}`, user)}) late`,
  );
  return rows[0]!.count;
}

/** Distributions with the person's own copy, and whether the person manages them and may urge anybody. The caller adds a condition. */
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
      urgeable: sql<boolean>`${distTable.read} < ${distTable.total} and exists (${urgeableOf(distTable.id, viewer.user)})`,
    })
    .from(distTable)
    .leftJoin(distUserTable, and(eq(distUserTable.dist_id, distTable.id), eq(distUserTable.user_id, viewer.user.id)));
}
export type Seen = Awaited<ReturnType<typeof selectDists>>[number];

/** A distribution the user may see; all others answer as absent, whether they exist or not. */
export async function seen(tx: Db, user: Viewer, id: number): Promise<Seen & { viewer: TicketViewer }> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const [found] = await selectDists(tx, viewer).where(and(eq(distTable.id, id), visibleTo(tx, viewer)));
  if (!found) throw absent('分发');
  return { ...found, viewer };
}

/** The rows in the shape of the answer; takes a fixed number of statements. */
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
  return found.flatMap(({ row, mine, managed, urgeable }) => {
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
        actions: actionsOf(user, { row, mine, managed, urgeable }),
      },
    ];
  });
}

/** The actions open to a person on a distribution now. */
function actionsOf(user: Viewer, { row, mine, managed, urgeable }: Seen): string[] {
  const open = row.recalled_at === null;
  const holds = open && mine !== null && mine.state !== copyState.recalled;
  const takesBack = open && managed && mayRecall(user, row);
  const all: [string, boolean][] = [
    ['read', holds && mine.state === copyState.unread],
    ['reply', holds],
    ['readers', managed],
    ['urge', takesBack && urgeable],
    ['recall', takesBack],
  ];
  return all.flatMap(([name, allowed]) => (allowed ? [name] : []));
}
