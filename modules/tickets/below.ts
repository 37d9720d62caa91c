import { and, eq, isNotNull } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { stateOf } from '#modules/workflows/engine/definition.ts';
import { notOffered } from './contract/refusals.ts';
import { isOver } from './engine/state.ts';
import { load, type Stored } from './store.ts';
import { ticketTable } from './tables.ts';

const mostNamed = 100;

/** The oldest drafts below the states of a ticket: it does not go on by itself without them, though its people may. */
export async function draftsBelow(tx: Db, id: number): Promise<{ at: number | null; sn: string }[]> {
  const { parent_ticket_id, parent_ticket_state_id: at, act_state, is_deleted, sn } = ticketTable;
  return tx
    .select({ at, sn })
    .from(ticketTable)
    .where(and(eq(parent_ticket_id, id), isNotNull(at), eq(act_state, actState.draft), eq(is_deleted, false)))
    .orderBy(ticketTable.id)
    .limit(mostNamed);
}

/** Refuses what is done to a draft below a state that the ticket above has left; that ticket's row is locked. */
export async function refuseLeftBehind(tx: Db, draft: Stored): Promise<void> {
  const { parent_ticket_id: id, parent_ticket_state_id: at, state } = draft;
  if (id === null || at === null) return;
  const above = await load(tx, id, undefined, true);
  if (!above) return;
  const { tokens } = above.state;
  if (!isOver(above.state) && tokens.some((token) => token.state_id === at && token.status === 'active')) return;
  const { name } = stateOf(above.version.definition, at);
  const why = `上级工单 ${above.sn} 已离开环节「${name}」，这份草稿不能再提交，请删除`;
  throw notOffered(why, state.act_state, []);
}
