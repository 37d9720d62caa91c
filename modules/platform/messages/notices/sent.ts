import { and, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { ahead } from '../inbox/boxes.ts';
import { newsType, noticeStates, type messages } from '../contract.ts';
import { readerStates, type Reader } from '../contract/readers.ts';
import { messageTable, receiptTable } from '../tables.ts';

const namesShown = 50;
const { confirmed_at: confirmed } = receiptTable;
/** Somebody who confirmed a notice has read it, even if they marked it unread. */
const read = sql<string | null>`coalesce(${receiptTable.read_time}, ${confirmed})`.mapWith(confirmed);

/** Notices whose readers a person may see and which they may recall: their own; for a super administrator all. */
export const sentBy = (user: Viewer) =>
  and(
    eq(messageTable.type, newsType.notice),
    user.superAdmin ? isNotNull(messageTable.sender_id) : eq(messageTable.sender_id, user.id),
  );

/** These notices, newest first, with their reading progress. */
export async function sent(tx: Db, user: Viewer, query: QueryOf<typeof messages.sent>) {
  const select = tx
    .select({ ...getTableColumns(messageTable), ahead })
    .from(messageTable)
    .where(
      and(
        sentBy(user),
        saysOrShows(
          query.search_value,
          (word) => matches(messageTable.search, word),
          (ids) => sql`${messageTable.sender_id} in ${ids}`,
        ),
      ),
    )
    .$dynamic();
  const page = await pageOf(tx, query, select, {
    by: { publish_at: messageTable.publish_at },
    first: 'publish_at',
    descending: true,
    tie: messageTable.id,
  });
  const ids = page.value.map((row) => row.id);
  const reading = await readingOf(tx, ids);
  const waiting = await unreadOf(tx, ids);
  const names = await peopleById(tx, [...waiting.values(), page.value.map((row) => row.sender_id!)].flat());
  const value = page.value.map((row) => ({
    id: row.id,
    title: row.title,
    content: row.content,
    type: row.type,
    level: row.level,
    sender_name: names.get(row.sender_id!)?.alias ?? '',
    need_receipt: row.need_receipt,
    publish_at: row.publish_at,
    recall_at: row.recall_at,
    state: row.recall_at ? ('recalled' as const) : row.ahead ? ('ahead' as const) : ('published' as const),
    total: row.total,
    read: reading.get(row.id)?.read ?? 0,
    confirmed: reading.get(row.id)?.confirmed ?? 0,
    unread_names: (waiting.get(row.id) ?? []).flatMap((id) => names.get(id)?.alias ?? []),
    actions: row.recall_at ? [] : ['recall'],
  }));
  return { ...page, value };
}

async function readingOf(tx: Db, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { read: number; confirmed: number }>();
  const rows = await tx
    .select({
      id: receiptTable.msg_id,
      read: sql<number>`count(${read})::int`,
      confirmed: sql<number>`count(${confirmed})::int`,
    })
    .from(receiptTable)
    .where(inArray(receiptTable.msg_id, [...ids]))
    .groupBy(receiptTable.msg_id);
  return new Map(rows.map((row) => [row.id, row]));
}

/** People who have not read each message, the first fifty of each. */
async function unreadOf(tx: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await tx.execute<{ id: number; people: number[] }>(sql`
    select m.id, array(
      select user_id from msg_user where msg_id = m.id and coalesce(read_time, confirmed_at) is null order by user_id limit ${namesShown}) people
    from unnest(${sql.param([...ids])}::int[]) m(id)`);
  return new Map(rows.map((row) => [row.id, row.people]));
}

/** A page of a notice's recipients, for its sender and super administrators. */
export async function readers(tx: Db, user: Viewer, id: number, query: QueryOf<typeof messages.readers>) {
  const [sent] = await tx
    .select({ ahead })
    .from(messageTable)
    .where(and(eq(messageTable.id, id), sentBy(user)));
  if (!sent) throw absent('该通知');
  const state = sql<Reader['state']>`case when ${read} is null then 1 when ${confirmed} is null then 2 else 3 end`;
  const select = tx
    .select({ user_id: receiptTable.user_id, state, read_time: read, confirmed_at: confirmed })
    .from(receiptTable)
    .where(and(eq(receiptTable.msg_id, id), query.state === undefined ? undefined : eq(state, query.state)))
    .$dynamic();
  const page = await pageOf(tx, query, select, {
    by: { read_time: read, confirmed_at: confirmed, state },
    first: 'state',
    tie: receiptTable.id,
  });
  const people = await peopleById(
    tx,
    page.value.map((row) => row.user_id),
  );
  const depts = await deptNamesById(
    tx,
    [...people.values()].flatMap((person) => person.dept_id ?? []),
  );
  const value = page.value.map(({ user_id: userId, ...row }): Reader => {
    const person = people.get(userId);
    const dept_name = depts.get(person?.dept_id ?? 0) ?? '';
    const state_name = sent.ahead ? noticeStates.ahead : readerStates[row.state];
    return { id: userId, alias: person?.alias ?? '', dept_name, ...row, state_name };
  });
  return { ...page, value };
}
