import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf, type Page } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { headsOfDocuments, ofDocuments } from '#modules/office/documents/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { audienceNames, audienceOf, everybodyOf } from '#modules/platform/people/service/audience.ts';
import { receiptsOf } from '#modules/platform/people/service/receipts.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { isWaiting } from '#modules/platform/waits/service.ts';
import { ticketViewerFor } from '#modules/workflow/tickets/service.ts';
import type { documentNotices, Notice, NoticeDetail } from './contract.ts';
import { managedBy, meantFor, page, stateOf, visibleTo } from './visibility.ts';
import { documentNoticeReadTable, documentNoticeTable } from './tables.ts';
import { noticeWaits } from './waiting.ts';

const stateNames = { coming: '待发布', current: '已发布', expired: '已失效' };
const { search: _search, ...columns } = getTableColumns(documentNoticeTable);

function selectNotices(tx: Db, user: Viewer) {
  return tx
    .select({
      row: columns,
      state: stateOf,
      meant: sql<boolean>`${meantFor(user)}`,
      managed: sql<boolean>`${managedBy(user)}`,
      read_time: documentNoticeReadTable.read_time,
    })
    .from(documentNoticeTable)
    .leftJoin(
      documentNoticeReadTable,
      and(eq(documentNoticeReadTable.notice_id, documentNoticeTable.id), eq(documentNoticeReadTable.user_id, user.id)),
    );
}
export type Seen = Awaited<ReturnType<typeof selectNotices>>[number];

/** A notice somebody may read or manages; all others answer as absent. */
export async function seen(tx: Db, user: Viewer, id: number): Promise<Seen> {
  const [found] = await selectNotices(tx, user).where(and(eq(documentNoticeTable.id, id), visibleTo(user)));
  if (!found) throw absent('通知');
  return found;
}

/** Published notices, pinned ones first, then the newest. */
export async function listed(tx: Db, user: Viewer, asked: QueryOf<typeof documentNotices.list>): Promise<Page<Notice>> {
  const select = selectNotices(tx, user).where(
    and(
      visibleTo(user),
      saysOrShows(
        asked.search_value,
        (word) => matches(documentNoticeTable.search, word),
        (ids) => sql`${documentNoticeTable.creator_id} in ${ids}`,
      ),
      asked.state ? sql`${stateOf} = ${asked.state}` : undefined,
      asked.unread === undefined
        ? undefined
        : sql`(${documentNoticeReadTable.read_time} is null and ${meantFor(user)}) = ${asked.unread}`,
      asked.to_confirm ? await isWaiting(tx, user, noticeWaits, documentNoticeTable.id) : undefined,
    ),
  );
  const found = await pageOf(tx, asked, select.$dynamic(), {
    by: {
      top: sql`(${documentNoticeTable.top}, ${documentNoticeTable.publish_at})`,
      publish_at: documentNoticeTable.publish_at,
      expire_at: documentNoticeTable.expire_at,
    },
    first: 'top',
    descending: true,
    tie: documentNoticeTable.id,
  });
  return { ...found, value: await rowsOf(tx, user, found.value) };
}

async function rowsOf(tx: Db, user: Viewer, found: readonly Seen[]): Promise<Notice[]> {
  const people = await peopleById(
    tx,
    found.map(({ row }) => row.creator_id),
  );
  const depts = await deptNamesById(
    tx,
    found.flatMap(({ row }) => row.dept_id ?? []),
  );
  const names = await audienceNames(
    tx,
    found.map(({ row }) => row.audience),
  );
  return found.map(({ row, state, meant, managed, read_time: readTime }, index) => ({
    id: row.id,
    title: row.title,
    scope_name: names[index]!,
    top: row.top,
    need_receipt: row.need_receipt,
    creator: people.get(row.creator_id)?.alias ?? '',
    dept_name: depts.get(row.dept_id ?? 0) ?? '',
    publish_at: row.publish_at,
    expire_at: row.expire_at,
    state,
    state_name: stateNames[state],
    read_time: readTime,
    unread: meant && readTime === null,
    total: managed ? row.total : null,
    read: managed ? row.read : null,
    gmt_created: row.gmt_created,
    actions: [
      ...(meant && readTime === null ? ['read'] : []),
      ...(managed && state === 'current' ? ['urge'] : []),
      ...(managed && holds(user, 'Delete', page) ? ['delete'] : []),
    ],
  }));
}

/** The whole notice, with its unread recipients for those who manage it. */
export async function detailOf(tx: Db, user: Viewer, found: Seen): Promise<NoticeDetail> {
  const { row, state, managed } = found;
  const [shown] = await rowsOf(tx, user, [found]);
  if (!shown) throw absent('通知');
  const documentId = await documentSeen(tx, user, row);
  const head = documentId === null ? undefined : (await headsOfDocuments(tx, [documentId])).get(documentId);
  return {
    ...shown,
    content: row.content,
    document: head ? { id: head.id, title: head.title, doc_number: head.doc_number } : null,
    receipts:
      managed && state !== 'coming' ? await receiptsOf(tx, readersOf(row), { named: true, viewer: user.id }) : null,
  };
}

/** The document it refers to, if the viewer may see that; a notice gives no access to it. */
async function documentSeen(tx: Db, user: Viewer, { id }: Pick<Seen['row'], 'id'>): Promise<number | null> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const [found] = await tx
    .select({ id: documentNoticeTable.document_id })
    .from(documentNoticeTable)
    .where(and(eq(documentNoticeTable.id, id), ofDocuments(tx, documentNoticeTable.document_id, viewer)));
  return found?.id ?? null;
}

/** The present audience of a notice, in the form of `receiptsOf`. */
export const readersOf = (row: Seen['row']): SQL => sql`
  select a.user_id, a.dept_id, r.user_id is not null read, r.user_id is not null done, r.user_id is null late
  from (${everybodyOf(audienceOf(row.audience))}) a
  left join document_notice_read r on r.notice_id = ${row.id} and r.user_id = a.user_id`;
