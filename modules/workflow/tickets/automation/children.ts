import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { actState, overStates } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { begunTooDeep, notOffered } from '../contract/refusals.ts';
import { isOver, type Token } from '../engine/state.ts';
import { load, type Stored } from '../store/store.ts';
import { ticketTable } from '../tables.ts';

const mostNamed = 100;

/** A token of a ticket at one of its visits; for a child, the stay of the parent that it belongs to. */
export interface Stay {
  token: number | null;
  visit: number | null;
}

/** The token if it is still in that visit; undefined once it has left, even if it has come back since. */
export function staying({ state }: Pick<Stored, 'state'>, { token, visit }: Stay): Token | undefined {
  if (isOver(state)) return undefined;
  return state.tokens.find((one) => one.no === token && one.visit === visit && one.status === 'active');
}

/** The oldest drafts below the states of a ticket: the ticket does not go on by itself while they exist, though its people may send it on. */
export async function draftChildren(tx: Db, id: number): Promise<({ sn: string } & Stay)[]> {
  const { parent_ticket_id, parent_token_no: token, parent_visit: visit, act_state, is_deleted, sn } = ticketTable;
  return tx
    .select({ token, visit, sn })
    .from(ticketTable)
    .where(and(eq(parent_ticket_id, id), isNotNull(token), eq(act_state, actState.draft), eq(is_deleted, false)))
    .orderBy(ticketTable.id)
    .limit(mostNamed);
}

/** The most levels of tickets that begin one another automatically. */
const mostLevels = 5;

/** Two workflows published at the same moment that begin each other would never end. Throws `begunTooDeep`. */
export async function refuseTooDeep(tx: Db, id: number): Promise<void> {
  const { rows } = await tx.execute<{ levels: number }>(sql`
    with recursive up as (
      select parent_ticket_id as id, 1 as levels from ticket where id = ${id} and parent_item is not null
      union all select t.parent_ticket_id, levels + 1 from ticket t join up on t.id = up.id
        where t.parent_item is not null and levels < ${mostLevels})
    select coalesce(max(levels), 0)::int as levels from up`);
  if ((rows[0]?.levels ?? 0) >= mostLevels) throw begunTooDeep(mostLevels);
}

/** The results of those tickets begun by a stay that are over. */
export async function resultsBelow(tx: Db, id: number, { token, visit }: Stay) {
  const {
    parent_ticket_id,
    parent_token_no,
    parent_visit,
    parent_item: item,
    act_state,
    is_deleted,
    form,
  } = ticketTable;
  const rows = await tx
    .select({ item, act_state, form })
    .from(ticketTable)
    .where(
      and(
        eq(parent_ticket_id, id),
        eq(parent_token_no, token ?? 0),
        eq(parent_visit, visit ?? 0),
        inArray(act_state, [...overStates]),
        eq(is_deleted, false),
        isNotNull(item),
      ),
    );
  return rows.map((row) => ({ ...row, item: row.item ?? '' }));
}

/** Refuses an action on a draft below a state that the parent ticket has left; the parent's row is locked. */
export async function refuseLeftBehind(tx: Db, draft: Stored): Promise<void> {
  const { parent_ticket_id: id, parent_ticket_state_id: at, state } = draft;
  if (id === null || at === null) return;
  const above = await load(tx, id, undefined, true);
  if (!above) return;
  if (staying(above, { token: draft.parent_token_no, visit: draft.parent_visit })) return;
  const { name } = stateOf(above.version.definition, at);
  const why = `上级工单 ${above.sn} 已离开环节“${name}”，这份草稿不能再提交，请删除`;
  throw notOffered(why, state.act_state, []);
}
