import { eq, sql, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { absent, type Refusal } from '#kernel/contract/refusal.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { touched } from '#kernel/server/db/version.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers, type NounCode, type NounWork } from '#kernel/server/noun/handlers.ts';
import {
  beforeExchanged,
  documentExchange,
  exchangedInFuture,
  exchangeDirection,
  exchangedOtherwise,
  exchangeOver,
  exchangeStands,
  exchangeState,
  exchangeTitleWanted,
  notExchangeable,
  secretExchanged,
} from '../contract/exchange/exchange.ts';
import { secretLevel } from '../contract/shapes.ts';
import { receiving, sending } from '../rules/rules.ts';
import { isOut } from '../rules/standing.ts';
import { documentExchangeTable as t } from '../tables/exchange.ts';
import { seen } from '../visibility/visibility.ts';

type Exchange = typeof t.$inferSelect;
const page = 'document/exchange';
const scope = (user: Viewer, code: NounCode): SQL =>
  within(scopeOf(user, code, page), t.dept_id, eq(t.creator_id, user.id));

const stateOf = (row: Pick<Exchange, 'signed_on' | 'returned_on'>) =>
  row.returned_on !== null ? 3 : row.signed_on !== null ? 2 : 1;
const state = sql<1 | 2 | 3>`(case when "document_exchange"."returned_on" is not null then 3
  when "document_exchange"."signed_on" is not null then 2 else 1 end)`;

/** The facts of a document for the register. Refuses documents that are not issued, of the other direction, or secret. */
async function named(work: NounWork, documentId: number, direction: Exchange['direction']) {
  const { doc } = await seen(work.tx, work.user, documentId);
  if (doc.secret_level > secretLevel.none) throw secretExchanged();
  const way = exchangeDirection.label(direction);
  if (doc.doc_kind !== (direction === exchangeDirection.out ? sending : receiving))
    throw exchangedOtherwise(doc.title, way);
  if (direction === exchangeDirection.out && !isOut(doc)) throw notExchangeable(doc.title);
  return { title: doc.title, number: doc.doc_number || doc.from_number };
}

function refuseDay(what: string, day: string, now: Date, exchanged?: string): void {
  if (day > dayOf(now)) throw exchangedInFuture(what, day);
  if (exchanged !== undefined && day < exchanged) throw beforeExchanged(what, day, exchanged);
}

/** Sets the outcome of a row, locked, if it is still open. */
async function become(
  { tx, user, audit }: NounWork,
  id: number,
  { may, set }: { may(row: Exchange): Refusal | null; set(row: Exchange): Partial<Exchange> },
) {
  const [row] = await tx
    .select()
    .from(t)
    .where(sql`${eq(t.id, id)} and ${scope(user, 'Update')}`)
    .for('update');
  if (!row) throw absent('该交换登记');
  const refused = may(row);
  if (refused) throw refused;
  const written = set(row);
  await tx
    .update(t)
    .set({ ...written, ...touched(t) })
    .where(eq(t.id, id));
  const before = { 状态: exchangeState.label(stateOf(row)) };
  const after = { 状态: exchangeState.label(stateOf({ ...row, ...written })), 退回原因: written.return_reason };
  audit({ type: '交换登记', id, title: row.title, before, after });
  return { id };
}

const handlers = nounHandlers(documentExchange, {
  table: t,
  noun: '交换登记',
  title: (row) => row.title,
  search: [t.title, t.number, t.org],
  select: {
    state,
    creator_alias: sql<string>`(select u.alias from app_user u where u.id = "document_exchange"."creator_id")`,
  },
  order: { descending: true },
  where: (query) => (query.state === undefined ? undefined : sql`${state} = ${query.state}`),
  scope,
  refuses: (row) => (stateOf(row) > exchangeState.waiting ? exchangeStands(exchangeState.label(stateOf(row))) : null),
  offers: (row, user) => (holds(user, 'Update', page) ? (['sign', 'return'] as const).slice(stateOf(row) - 1) : []),
  async check(work, { row, before }) {
    refuseDay('交换日期', row.exchanged_on, work.now);
    if (row.document_id === null && row.title === '') throw exchangeTitleWanted();
    // The title at the time of the exchange stays, whatever happens to the document.
    if (before) return before.document_id === null ? undefined : { title: before.title, number: before.number };
    const own = row.document_id === null ? {} : await named(work, row.document_id, row.direction);
    return { ...own, dept_id: work.user.depts[0] ?? null };
  },
});

/** The register of papers exchanged with other organisations. */
export const documentExchangeModule = implement('documents', documentExchange, {
  ...handlers,
  sign: ({ params, body }, work) =>
    become(work, params.id, {
      may: (row) => (stateOf(row) === exchangeState.waiting ? null : exchangeOver(exchangeState.label(stateOf(row)))),
      set(row) {
        refuseDay('签收日期', body.signed_on, work.now, row.exchanged_on);
        return body;
      },
    }),
  giveBack: ({ params, body }, work) =>
    become(work, params.id, {
      may: (row) =>
        stateOf(row) < exchangeState.returned ? null : exchangeOver(exchangeState.names[exchangeState.returned]),
      set(row) {
        refuseDay('退回日期', body.returned_on, work.now, row.signed_on ?? row.exchanged_on);
        return body;
      },
    }),
});
