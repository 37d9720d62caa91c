import { and, desc, eq } from 'drizzle-orm';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isVoid, stage, stageName, type Stage } from '../contract/codes.ts';
import { contractEventTable, type contractTable } from '../tables.ts';

type Row = Pick<
  typeof contractTable.$inferSelect,
  'id' | 'stage' | 'act_state' | 'suspended_on' | 'ended_on' | 'end_date'
>;
/** Stages in which nobody may rely on a contract. */
const over: readonly number[] = [stage.suspended, stage.terminated, stage.expired, stage.void] satisfies Stage[];

/** As what a contract does not hold today, and since when; null where it does. What is archived is what it was when it was put away. */
export async function endedOf(tx: Db, row: Row): Promise<{ what: string; day: string } | null> {
  const at = isVoid(row) ? stage.void : row.stage === stage.archived ? await stageBefore(tx, row.id) : row.stage;
  if (at === undefined || !over.includes(at)) return null;
  const days = { [stage.suspended]: row.suspended_on, [stage.terminated]: row.ended_on, [stage.expired]: row.end_date };
  return { what: stageName(at), day: (at === stage.void ? await voidOn(tx, row.id) : days[at as 50]) ?? '' };
}

const last = (tx: Db, contract: number, type: string) =>
  tx
    .select()
    .from(contractEventTable)
    .where(and(eq(contractEventTable.contract_id, contract), eq(contractEventTable.type, type)))
    .orderBy(desc(contractEventTable.id))
    .limit(1);
const stageBefore = async (tx: Db, contract: number) => (await last(tx, contract, 'archive'))[0]?.from_stage;
async function voidOn(tx: Db, contract: number): Promise<string | null> {
  const [event] = await last(tx, contract, 'void');
  return event ? dayOf(momentOf(event.at)) : null;
}
