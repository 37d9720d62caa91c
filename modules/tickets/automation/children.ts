import { and, eq, isNotNull } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { stateOf } from '#modules/workflows/engine/definition.ts';
import { notOffered } from '../contract/refusals.ts';
import { isOver, type Token } from '../engine/state.ts';
import { load, type Stored } from '../store/store.ts';
import { ticketTable } from '../tables.ts';

const mostNamed = 100;

/** A token of a ticket at one of its visits; of a child, where it hangs. */
export interface Stay {
  token: number | null;
  visit: number | null;
}

/** Where a token still stays there; undefined once it has left, for good or to come back anew. */
export function staying({ state }: Pick<Stored, 'state'>, { token, visit }: Stay): Token | undefined {
  if (isOver(state)) return undefined;
  return state.tokens.find((one) => one.no === token && one.visit === visit && one.status === 'active');
}

/** The oldest drafts below the states of a ticket: it does not go on by itself without them, though its people may. */
export async function draftChildren(tx: Db, id: number): Promise<({ sn: string } & Stay)[]> {
  const { parent_ticket_id, parent_token_no: token, parent_visit: visit, act_state, is_deleted, sn } = ticketTable;
  return tx
    .select({ token, visit, sn })
    .from(ticketTable)
    .where(and(eq(parent_ticket_id, id), isNotNull(token), eq(act_state, actState.draft), eq(is_deleted, false)))
    .orderBy(ticketTable.id)
    .limit(mostNamed);
}

/** Refuses what is done to a draft below a state that the ticket above has left; that ticket's row is locked. */
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
