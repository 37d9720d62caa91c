import { and, eq, isNull, notInArray, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { Standing, Started, TicketStandings } from '#modules/platform/started/service.ts';
import type { Once } from '#modules/platform/waits/service.ts';
import { actState, isOverState, isRunningState } from '#modules/workflow/workflows/engine/codes.ts';
import { asksPeople, stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { aboutOf, aboutTicket, whatTicketsAre } from './about.ts';
import { readCards, type Card } from '../read/cards.ts';
import { openedAt, settled } from '../records/records.ts';
import { ticketTable } from '../tables.ts';
import { ticketViewerFor, type TicketViewer } from './viewer.ts';
import { inCategory } from './visibility.ts';

/** The progress by the state of a ticket; what is over without being finished counts as running. */
export const standsBy = (act_state: AnyColumn, done: SQL = sql`true`): SQL =>
  sql`case when ${act_state} = ${inSql(actState.draft)} then 'draft' when ${act_state} in (${inSql(actState.finished, actState.closed)}) and ${done} then 'over' else 'running' end`;

/** The viewer of the started tickets, fetched once for all kinds. */
export const whoStarted = (tx: Db, user: Viewer, once: Once): Promise<TicketViewer> =>
  once('tickets: who started', () => ticketViewerFor(tx, user, 'owner'));

const newPage = 'ticket/new';
/** Tickets except those that another queried list shows as the record they decide. */
async function aloneFor(tx: Db, user: Viewer, once: Once, among: ReadonlySet<string>): Promise<SQL> {
  const { id, biz_module } = ticketTable;
  const alone = [isNull(biz_module), notInArray(biz_module, [...among])];
  for (const { key, ticketsOf } of tx.services.product.started) {
    // A record begun for somebody else is shown in that person's list.
    if (ticketsOf && among.has(key))
      alone.push(and(eq(biz_module, key), sql`${id} not in (${await ticketsOf(tx, user, once)})`)!);
  }
  return or(...alone)!;
}

/** Tickets that somebody began, except those that are shown as the record they decide. */
export const ticketStarted: Started = {
  key: 'ticket',
  page: 'ticket/owner',
  title: '工单',
  async mine(tx, user, { words, once, among }) {
    const { id, title, gmt_created, act_state, search } = ticketTable;
    const alone = await aloneFor(tx, user, once, among);
    const shown = and(inCategory('owner', await whoStarted(tx, user, once)), alone, matches(search, words));
    return sql`select ${id}, ${title}, ${gmt_created}, ${standsBy(act_state, settled(tx, id))}, ${id}, ${aboutTicket} from ${ticketTable} where ${shown}`;
  },
  whatOf: whatTicketsAre,
  linkOf({ id, about }, tx) {
    const { record, act_state } = aboutOf(about);
    return openedAt(tx, record, act_state) ?? `/ticket/detail/${id}`;
  },
  copyOf({ id, about, stands }, user) {
    const { record, workflow_id } = aboutOf(about);
    return record === null && stands !== 'draft' && holds(user, 'Create', newPage)
      ? `/ticket/new?workflow=${workflow_id}&like=${id}`
      : null;
  },
};

const tones = ['default', 'processing', 'warning', 'default', 'success', 'default', 'cyan'] as const;

/** The progress of tickets; the caller has checked the right to see them. */
export const ticketStandings: TicketStandings = async (tx, { id }, ids) => {
  const read = await readCards(tx, ids, { id, delegations: [] });
  return new Map(
    read.map(({ card, row }): [number, Standing] => [
      row.id,
      {
        sn: row.sn,
        state: { word: row.act_state_name, tone: row.unsettled ? 'error' : tones[row.act_state_id as 0] },
        step: isOverState(row.act_state_id) ? '' : row.state.state_name,
        who: row.participant_info.participant_alias,
        stuck: isStuck(card),
        due_at: row.due_at,
        news: row.news,
        runs: isRunningState(row.act_state_id) && !row.suspended,
        version: row.version,
      },
    ]),
  );
};

/** True if a state that asks people has nobody; not for suspended tickets or states that go on by themselves. */
function isStuck({ state, version }: Card): boolean {
  if (!isRunningState(state.act_state) || state.suspended || state.tasks.length > 0) return false;
  return state.tokens.some(
    ({ status, state_id }) => status === 'active' && asksPeople(stateOf(version.definition, state_id)),
  );
}
