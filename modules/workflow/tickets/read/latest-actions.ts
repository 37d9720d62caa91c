import { and, desc, eq, inArray, notInArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { versionsById } from '#modules/workflow/workflows/service.ts';
import { stateInfo } from './cards.ts';
import { actionName } from '../store/log.ts';
import { short } from '../store/store.ts';
import { ticketTable } from '../tables.ts';
import { ticketLogTable } from '../tables/log.ts';

export interface Action {
  ticketId: number;
  at: string;
  /** Empty if the system acted by itself. */
  who: string;
  /** The action and its state, without the comment: the log itself decides who may read that. */
  what: string;
}

const quiet = ['save', 'comment', 'urge', 'cc'];

/** The latest actions on some tickets, whatever the viewer may read of them; at most `max`. */
export async function latestActionsOf(tx: Db, ticketIds: readonly number[], max: number): Promise<Action[]> {
  if (ticketIds.length === 0) return [];
  const rows = await tx
    .select({
      ticket_id: ticketLogTable.ticket_id,
      version: ticketTable.version_id,
      at: short(ticketLogTable.at),
      actor: ticketLogTable.actor_id,
      action: ticketLogTable.action,
      transition_id: ticketLogTable.transition_id,
      from: ticketLogTable.from_state_id,
    })
    .from(ticketLogTable)
    .innerJoin(ticketTable, eq(ticketTable.id, ticketLogTable.ticket_id))
    .where(and(inArray(ticketLogTable.ticket_id, [...ticketIds]), notInArray(ticketLogTable.action, quiet)))
    .orderBy(desc(ticketLogTable.at), desc(ticketLogTable.id))
    .limit(max);
  const versions = await versionsById(
    tx,
    rows.map((row) => row.version),
  );
  const people = await peopleById(
    tx,
    rows.flatMap((row) => row.actor ?? []),
  );
  return rows.flatMap((row) => {
    const definition = versions.get(row.version)?.definition;
    if (!definition) return [];
    const what = `${stateInfo(definition, row.from).state_name}：${actionName(definition, row)}`;
    return [{ ticketId: row.ticket_id, at: row.at ?? '', who: people.get(row.actor ?? 0)?.alias ?? '', what }];
  });
}
