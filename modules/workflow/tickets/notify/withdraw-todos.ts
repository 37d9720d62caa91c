import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { askedAbout, closeTodo } from '#modules/platform/messages/service.ts';
import { delegationsOf } from '#modules/workflow/delegations/service.ts';
import { dutyTickets, union } from '../visibility/involved.ts';
import { aboutTickets } from './kinds.ts';

/** Messages that ask for an action and are withdrawn when it is done. */
export const asking = ['TODO', 'RETURNED', 'URGE', 'TIMEOUT', 'DUE_SOON'] as const;

/** Withdraws to-do messages about others' tickets in which nothing waits for these people any more, because they are no longer delegates. */
export async function withdrawTodos(tx: Db, people: readonly number[]): Promise<void> {
  for (const id of people) {
    const asked = await askedAbout(tx, { module: aboutTickets, events: asking }, id);
    if (asked.length === 0) continue;
    const duty = union(dutyTickets({ user: { id }, delegations: await delegationsOf(tx, id) }));
    const { rows } = await tx.execute<{ id: number }>(sql`
      select id from ticket where id = any(${sql.param(asked)}::int[]) and creator_id <> ${id} and id not in (${duty})`);
    const over = rows.map((row) => row.id);
    if (over.length > 0) await closeTodo(tx, { module: aboutTickets, objectId: over, events: asking }, [id]);
  }
}
