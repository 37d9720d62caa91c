import { and, eq, isNull, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { QueryOf } from '#kernel/contract/call.ts';
import { fileKinds } from '#kernel/contract/upload.ts';
import type { SuperviseRules } from '../contract/rules.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { withRows } from '#kernel/server/generic.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { pageOf, type Page } from '#kernel/server/list/paging.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { fileCards, type OwnerRule } from '#modules/platform/files/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { checkState, requestKind, requestState, sheetColour } from '../contract/codes.ts';
import type { opinions, progress, requests, sheets } from '../contract/hung.ts';
import { clockOf } from '../record/lights.ts';
import { barred, leaderDecides, partOf, subActions } from '../record/rights.ts';
import { itemColumns, named } from '../record/columns.ts';
import { checkable, decidableBy, isOpenRequest, isUnanswered, receivedBy } from '../record/sub-rows.ts';
import {
  askerOf,
  hasOwnSub,
  insideSub,
  requireItem,
  requireSub,
  type Asker,
  type Item,
  type Sub,
} from '../record/visibility.ts';
import { opinionTable, progressTable, requestTable, sheetTable, subTable, superviseTable } from '../tables.ts';

type Table = typeof progressTable | typeof requestTable | typeof sheetTable | typeof opinionTable;
type Asked = QueryOf<typeof progress.list | typeof requests.list | typeof sheets.list | typeof opinions.list>;
type Holding = Pick<Sub, 'owner' | 'dept'>;
interface Hung<T extends Table> {
  row: T['$inferSelect'];
  item: Item;
  sub: Sub;
}
const t = superviseTable;

/** The text by which the rows of such a table are found as well. */
const shownOf = (table: Table): SQL => {
  if (table === sheetTable)
    return sql`'督〔' || ${sheetTable.year} || '〕' || ${sheetTable.seq} || ' 号 ' || ${sheetTable.content}`;
  return table === requestTable ? sql`${requestTable.reason}` : sql`${(table as typeof progressTable).content}`;
};

/** The people whom the rows of such a table show. */
const peopleIn = (table: Table): AnyColumn[] => {
  if (table === sheetTable) return [sheetTable.owner, sheetTable.issuer, sheetTable.received_by];
  if (table === requestTable) return [requestTable.by, requestTable.by_for, requestTable.to, requestTable.decider];
  if (table === opinionTable) return [opinionTable.author];
  return [progressTable.reporter, progressTable.reporter_for, progressTable.checker, progressTable.checker_for];
};

/** Reports, opinions, requests or sheets that the user may read, the newest first. */
async function page<T extends Table>(
  tx: Db,
  asker: Asker,
  table: T,
  asked: Asked,
  where: SQL | undefined,
): Promise<Page<Hung<T>>> {
  const { id, supervise_id, sub_id, gmt_created } = table;
  const ofItem = and(isNull(sub_id), hasOwnSub(asker));
  const select = tx
    .select({ row: table as PgTable, item: itemColumns, sub: subTable })
    .from(table as PgTable)
    .innerJoin(t, eq(t.id, supervise_id))
    .leftJoin(subTable, eq(subTable.id, sub_id))
    .where(
      and(
        sql`not ${t.is_deleted}`,
        or(insideSub(asker), ofItem),
        asked.supervise_id ? eq(supervise_id, asked.supervise_id) : undefined,
        asked.sub_id ? eq(sub_id, asked.sub_id) : undefined,
        saysOrShows(
          asked.search_value,
          (word) => contains(sql`concat_ws(' ', ${t.title}, ${subTable.title}, ${shownOf(table)})`, word),
          (ids) => or(...peopleIn(table).map((person) => sql`${person} in ${ids}`)),
        ),
        where,
      ),
    );
  const order = { by: { id, gmt_created }, first: 'id', descending: true, tie: id };
  return pageOf(tx, asked, withRows<Hung<T>>(select), order);
}
const about = ({ item, sub }: { item: Item; sub: Sub | null }) => ({
  supervise_title: item.title,
  sub_title: sub?.title ?? '',
});
async function filesOf<R extends { attachments: number[] }>(tx: Db, { user }: Asker, rows: readonly R[]) {
  const cards = await fileCards(
    tx,
    rows.flatMap((row) => row.attachments),
    user,
  );
  return (row: R) => row.attachments.flatMap((id) => cards.get(id) ?? []);
}

export async function listProgress(tx: Db, asker: Asker, asked: QueryOf<typeof progress.list>) {
  const { reporter, check_state } = progressTable;
  const scopes = {
    mine: isAmong(reporter, asker.ids),
    to_check: and(eq(check_state, checkState.waiting), checkable(asker)),
  };
  const found = await page(tx, asker, progressTable, asked, asked.scope && scopes[asked.scope]);
  const cards = await filesOf(
    tx,
    asker,
    found.value.map(({ row }) => row),
  );
  const value = found.value.map((one) => {
    const { row, item, sub } = one;
    const may =
      row.check_state === checkState.waiting && subActions(item, sub, asker, partOf(asker, item)).includes('check');
    const own = barred(item, sub, asker.ids, [row.reporter, row.reporter_for]);
    return { ...row, ...about(one), files: cards(row), actions: may && !own ? ['check'] : [] };
  });
  return { ...found, value: await named(tx, value, ['reporter', 'reporter_for', 'checker', 'checker_for']) };
}

/** True if the user decides a request: the supervisor, or the leader for more time on an urgent item; never the requester. */
export function decides(
  asker: Asker,
  item: Item,
  request: typeof requestTable.$inferSelect,
  rule: SuperviseRules,
): boolean {
  const part = partOf(asker, item);
  const leader = request.kind === requestKind.extend && leaderDecides(item, rule);
  return (leader ? part.leads : part.supervises || part.leads) && !isOwn(asker, request);
}

/** True if the user made the request, or stands in for the person who did. */
export const isOwn = ({ ids }: Asker, { by, by_for }: typeof requestTable.$inferSelect) =>
  [by, by_for].some((id) => id !== null && ids.includes(id));

export async function listRequests(tx: Db, asker: Asker, asked: QueryOf<typeof requests.list>) {
  const { by, kind, state } = requestTable;
  const rule = await clockOf(tx);
  const asks = and(isOpenRequest, decidableBy(asker, rule));
  const filters = [
    asked.kind ? eq(kind, asked.kind) : undefined,
    asked.state && asked.state in requestState.names ? eq(state, asked.state) : undefined,
    asked.scope === 'mine' ? isAmong(by, asker.ids) : asked.scope === 'to_decide' ? asks : undefined,
  ];
  const found = await page(tx, asker, requestTable, asked, and(...filters));
  const cards = await filesOf(
    tx,
    asker,
    found.value.map(({ row }) => row),
  );
  const value = found.value.map((one) => ({
    ...one.row,
    ...about(one),
    files: cards(one.row),
    actions:
      one.row.decided_at === null
        ? [
            ...(decides(asker, one.item, one.row, rule) ? ['decide'] : []),
            ...(isOwn(asker, one.row) ? ['withdraw'] : []),
          ]
        : [],
  }));
  return { ...found, value: await named(tx, value, ['to', 'by', 'by_for', 'decider']) };
}

export const numberOf = ({ year, seq }: { year: number; seq: number }) => `督〔${year}〕${seq} 号`;
export async function listSheets(tx: Db, asker: Asker, asked: QueryOf<typeof sheets.list>) {
  const { received_at, colour } = sheetTable;
  const filters = [
    asked.colour === undefined ? undefined : eq(colour, asked.colour),
    asked.scope ? receivedBy(asker) : undefined,
    asked.scope === 'unread' ? isNull(received_at) : undefined,
    asked.scope === 'unanswered' ? isUnanswered : undefined,
  ];
  const found = await page(tx, asker, sheetTable, asked, and(...filters));
  const value = found.value.map((one) => ({
    ...one.row,
    ...about(one),
    no: numberOf(one.row),
    actions: receives(asker, one.row, one.sub) ? sheetActions(one.row) : [],
  }));
  const rows = await named(tx, value, ['owner', 'issuer', 'received_by'], ['dept']);
  return { ...found, value: rows };
}
const sheetActions = ({ received_at, answer, colour }: typeof sheetTable.$inferSelect) =>
  received_at === null ? ['receive'] : colour !== sheetColour.white && answer === '' ? ['answer'] : [];
/** True if the sheet was written to the user, or they have its part now: owner, head of the department, and people who stand in for them. */
export const receives = ({ ids, heads }: Asker, sheet: Holding, sub: Holding) =>
  [sheet, sub].some(({ owner, dept }) => ids.includes(owner) || heads.includes(dept));

export async function listOpinions(tx: Db, asker: Asker, asked: QueryOf<typeof opinions.list>) {
  const found = await page(tx, asker, opinionTable, asked, undefined);
  return {
    ...found,
    value: await named(
      tx,
      found.value.map((one) => ({ ...one.row, ...about(one), actions: [] })),
      ['author', 'at_users'],
    ),
  };
}

/** Files of an item, for those who see more than the public fields; files of a part, for those who may read its reports. */
export const fileRule: OwnerRule = {
  kinds: fileKinds,
  imageSize: 2400,
  async may(user, { recordId }, tx) {
    const [kind, id] = recordId.split('-');
    const asker = await askerOf(tx, user);
    try {
      if (kind === 'sub') return (await requireSub(tx, asker, Number(id))).inside;
      const found = await requireItem(tx, asker, Number(id));
      return found.whole || found.own;
    } catch {
      return false;
    }
  },
};
