import { and, eq, notExists, sql, type SQL } from 'drizzle-orm';
import { moneyText } from '#kernel/contract/money/money.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { nature, stage } from '../contract/codes.ts';
import { supplementUnregistered } from '../contract/refusals.ts';
import { namesAmount } from '../engine/supplement.ts';
import { contractEventTable, contractTable } from '../tables.ts';

type Row = typeof contractTable.$inferSelect;
type Signed = Pick<Row, 'id' | 'contract_no' | 'name' | 'amount' | 'pay_direction'>;

/** The signed supplement of a contract that was not registered on it yet; at most one, because the next one waits for it. */
export async function signedSupplement(tx: Db, contract: number): Promise<Signed | undefined> {
  const { id, parent_id, contract_no, name, amount, pay_direction } = contractTable;
  const change = and(eq(contractEventTable.supplement_id, id), eq(contractEventTable.type, 'change'));
  const [found] = await tx
    .select({ id, contract_no, name, amount, pay_direction })
    .from(contractTable)
    .where(
      and(
        eq(parent_id, contract),
        eq(contractTable.nature, nature.supplement),
        eq(contractTable.stage, stage.running),
        notExists(tx.select({ id: contractEventTable.id }).from(contractEventTable).where(change)),
      ),
    );
  return found;
}

/** A limit of a contract, and in words which signed supplement set it; the words are empty if the contract itself did. */
export interface Within {
  whole: number;
  said: string;
}

/**
 * The amount within which something may be registered on a contract, or below a framework: its own, or a smaller one that was signed already.
 * Otherwise what is registered before the supplement would make the registration of the supplement impossible.
 */
export async function agreedWithin(tx: Db, contract: number, whole: number): Promise<Within> {
  const signed = await signedSupplement(tx, contract);
  if (!signed || !namesAmount(signed) || signed.amount >= whole) return { whole, said: '' };
  const { contract_no, name, amount } = signed;
  return {
    whole: amount,
    said: `（补充协议 ${contract_no}《${name}》已签订，变更为 ${moneyText(amount)} 元，请先由合同管理员登记变更）`,
  };
}

/** Stages of a contract in which a supplement may still be registered, now or after it is resumed. */
const changeable: readonly number[] = [stage.running, stage.suspended, stage.expired];

/** Refuses what would keep a signed supplement from its contract: an act on the contract, or on the supplement itself. */
export async function refuseUnregistered(
  tx: Db,
  row: Pick<Row, 'id' | 'nature' | 'parent_id' | 'stage'>,
  what: string,
): Promise<void> {
  const main = row.nature === nature.supplement ? await mainOf(tx, row) : row;
  const signed = changeable.includes(main.stage) ? await signedSupplement(tx, main.id) : undefined;
  if (signed && (main === row || signed.id === row.id))
    throw supplementUnregistered(`${signed.contract_no}《${signed.name}》`, what);
}

/** The contract of a supplement. */
export async function mainOf(tx: Db, { parent_id }: Pick<Row, 'parent_id'>): Promise<Row> {
  const [main] = await tx.select().from(contractTable).where(eq(contractTable.id, parent_id!));
  return main!;
}

/** The amount of a contract's signed supplement that was not registered on it yet; 0 if there is none. Needs the contract in the query. */
export const signedAmount: SQL<number> = sql<number>`coalesce((select max(s.amount) from contract s
  where s.parent_id = contract.id and s.nature = ${nature.supplement} and s.stage = ${stage.running} and s.pay_direction = contract.pay_direction
    and not exists (select from contract_event e where e.supplement_id = s.id and e.type = 'change')), 0)`;
