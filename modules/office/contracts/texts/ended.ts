import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { replacing } from '#modules/platform/links/service.ts';
import { isVoid, stage, stageName, type Stage } from '../contract/codes.ts';
import { contractEventTable, contractTable } from '../tables.ts';

type Row = Pick<
  typeof contractTable.$inferSelect,
  'id' | 'stage' | 'act_state' | 'sign_date' | 'suspended_on' | 'ended_on' | 'end_date'
>;
/** Stages in which nobody may rely on a contract. */
const over: readonly number[] = [stage.suspended, stage.terminated, stage.expired, stage.void] satisfies Stage[];

/** As what a contract does not hold today, and since when; null where it does. What is archived is what it was when it was put away. */
export async function endedOf(tx: Db, row: Row): Promise<{ what: string; mark: string; day: string } | null> {
  const at = isVoid(row) ? stage.void : row.stage === stage.archived ? await stageBefore(tx, row.id) : row.stage;
  if (at === undefined || !over.includes(at))
    return row.sign_date === null ? null : replacedBy(tx, row.id, row.sign_date);
  const days = { [stage.suspended]: row.suspended_on, [stage.terminated]: row.ended_on, [stage.expired]: row.end_date };
  const what = stageName(at);
  return { what, mark: what, day: (at === stage.void ? await voidOn(tx, row.id) : days[at as 50]) ?? '' };
}

/** By which signed supplements a contract was changed, each in words with its day, the oldest first. */
export async function changedBy(tx: Db, id: number): Promise<string[]> {
  const changes = await tx
    .select({ no: contractTable.contract_no, at: contractEventTable.at })
    .from(contractEventTable)
    .innerJoin(contractTable, eq(contractTable.id, contractEventTable.supplement_id))
    .where(and(eq(contractEventTable.contract_id, id), eq(contractEventTable.type, 'change')))
    .orderBy(asc(contractEventTable.id));
  return changes.map(({ no, at }) => `已由补充协议 ${no} 变更（${dayOf(momentOf(at))}）`);
}
/** By which contract one was replaced: of those that are linked so, the newest that is signed, no earlier than itself, and not void. Its number is for the house alone: whoever holds the old paper may be another party. */
async function replacedBy(tx: Db, id: number, signedOn: string) {
  const others = await replacing(tx, { module: 'contracts', id });
  if (others.length === 0) return null;
  const found = await tx.select().from(contractTable).where(inArray(contractTable.id, others));
  const signed = found.filter((row) => row.sign_date !== null && row.sign_date >= signedOn && !isVoid(row));
  const newest = signed.toSorted((a, b) => others.indexOf(b.id) - others.indexOf(a.id))[0];
  return newest ? { what: '已被另一份合同替代', mark: '已被替代', day: newest.sign_date! } : null;
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
