import { asc, eq } from 'drizzle-orm';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { contractSideTable } from '../tables.ts';

/** The other sides of a contract, in order. */
export const sidesOf = (tx: Db, contractId: number) =>
  tx
    .select()
    .from(contractSideTable)
    .where(eq(contractSideTable.contract_id, contractId))
    .orderBy(asc(contractSideTable.no));

/** Refuses a party on both sides of a contract, or twice on one, in any spelling. */
export function sidesWrong(ours: string, names: readonly string[]): FieldError[] {
  const wrong = (msg: string) => [{ field: 'parties', label: '相对方', msg }];
  const own = names.find((name) => ours !== '' && plainly(name) === plainly(ours));
  if (own !== undefined) return wrong(`“${own}”就是我方，请改填对方的名称`);
  const twice = names.find((name, at) => names.slice(0, at).some((other) => plainly(other) === plainly(name)));
  return twice === undefined ? [] : wrong(`“${twice}”填了两次，请删去一个`);
}
