import type { BodyOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { RecordEvent } from '#modules/records/service.ts';
import type { Asked } from './acts/context.ts';
import type { meetCalls } from './contract/meetings.ts';
import type { Meet } from './record/record.ts';

/** What a turn of the ticket of a repeat's first date is to its other dates. */
export async function seriesTurned(_tx: Db, _row: Meet, _before: Meet, _event: RecordEvent): Promise<void> {}

export type Scope = 'this' | 'following' | 'all';
/** The dates of a repeat that are meant, this one among them; itself where it is no repeat. */
export async function datesIn(_tx: Db, id: number, _scope: Scope): Promise<number[]> {
  return [id];
}

/** Changes several dates of a repeat. */
export async function editDates(
  _context: Asked,
  id: number,
  _body: BodyOf<typeof meetCalls.edit>,
): Promise<{ id: number; act_state: number; change: null }> {
  return { id, act_state: 4, change: null };
}
