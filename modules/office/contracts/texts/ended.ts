import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { replacing } from '#modules/platform/links/service.ts';
import { isVoid, nature, stage, stageName, type Stage } from '../contract/codes.ts';
import { mainOf } from '../performing/pending.ts';
import { contractEventTable, contractTable } from '../tables.ts';

type Row = Pick<
  typeof contractTable.$inferSelect,
  'id' | 'nature' | 'parent_id' | 'stage' | 'act_state' | 'sign_date' | 'suspended_on' | 'ended_on' | 'end_date'
>;
/** Why a contract is not in force, the word for its paper, and the day since when. */
interface Ended {
  what: string;
  mark: string;
  day: string;
}
/** Stages in which a contract is not in force. */
const over: readonly number[] = [stage.suspended, stage.terminated, stage.expired, stage.void] satisfies Stage[];

/**
 * The state in which a contract is not in force today, and its date; null if it is in force. An archived one keeps the state it was archived
 * in, and a signed supplement is in force no longer than its contract.
 */
export async function endedOf(tx: Db, row: Row): Promise<Ended | null> {
  const own = await ownEnd(tx, row);
  if (own !== null || row.nature !== nature.supplement || row.sign_date === null) return own;
  const main = await ownEnd(tx, await mainOf(tx, row));
  return main && { what: `主合同${main.what}`, mark: `主合同${main.mark}`, day: main.day };
}

async function ownEnd(tx: Db, row: Row): Promise<Ended | null> {
  const at = isVoid(row) ? stage.void : row.stage === stage.archived ? await stageBefore(tx, row.id) : row.stage;
  if (at === undefined || !over.includes(at))
    return row.sign_date === null ? null : replacedBy(tx, row.id, row.sign_date);
  const days = { [stage.suspended]: row.suspended_on, [stage.terminated]: row.ended_on, [stage.expired]: row.end_date };
  const what = stageName(at);
  return { what, mark: what, day: (at === stage.void ? await voidOn(tx, row.id) : days[at as 50]) ?? '' };
}

/** The signed supplements that changed a contract, each in words and with its date, the oldest first. */
export async function changesTo(tx: Db, id: number): Promise<{ supplement: number; day: string; said: string }[]> {
  const changes = await tx
    .select({ supplement: contractTable.id, no: contractTable.contract_no, at: contractEventTable.at })
    .from(contractEventTable)
    .innerJoin(contractTable, eq(contractTable.id, contractEventTable.supplement_id))
    .where(and(eq(contractEventTable.contract_id, id), eq(contractEventTable.type, 'change')))
    .orderBy(asc(contractEventTable.id));
  return changes.map(({ supplement, no, at }) => {
    const day = dayOf(momentOf(at));
    return { supplement, day, said: `已由补充协议 ${no} 变更（${day}）` };
  });
}
/**
 * The contract that replaced this one: of the linked ones, the newest that is signed, not earlier than this, and not void. Its number is
 * not shown to strangers, because a holder of the old paper may be a different party.
 */
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
