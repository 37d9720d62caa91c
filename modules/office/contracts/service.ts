import { and, sql } from 'drizzle-orm';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { stageName } from './contract/codes.ts';
import { counted } from './performing/figures.ts';
import { contracts } from './record/record.ts';
import { contractTable } from './tables.ts';

/** A party to search for: by code if one of the contract's parties has it, else by normalized name. */
export interface SoughtParty {
  id: number;
  credit_code: string;
  plain_name: string;
}
const pages = ['contract/list', 'contract/manage', 'contract/performance'] as const;

/** Rows `(key, contract_id)` of all contracts with the given parties. */
const withParties = (sought: readonly SoughtParty[]) => sql`
  select distinct a.key, s.contract_id from
    unnest(${sql.param(sought.map((one) => one.id))}::int[], ${sql.param(sought.map((one) => one.credit_code))}::text[],
      ${sql.param(sought.map((one) => one.plain_name))}::text[]) a (key, code, name)
    join contract_party p on p.merged_id is null and case
      when a.code <> '' and exists (select from contract_party q where q.credit_code = a.code and q.merged_id is null)
        then p.credit_code = a.code
      else p.plain_name = a.name and (a.code = '' or p.credit_code = '') end
    join contract_side s on s.party_id = p.id`;

/** True if there is any contract with the party, visible or not. */
export async function hasContracts(tx: Db, sought: SoughtParty): Promise<boolean> {
  const { rows } = await tx.execute(sql`${withParties([sought])} limit 1`);
  return rows.length > 0;
}

/** Sums of the approved contracts with the given parties that the user may read; null if the user may read none. One statement. */
export async function contractSums(
  tx: Db,
  user: Viewer,
  sought: readonly SoughtParty[],
): Promise<Map<number, number> | null> {
  if (!holds(user, 'Retrieve', ...pages)) return null;
  const seen = contracts.visible(tx, await contracts.viewerOf(tx, user));
  const { rows } = await tx.execute<{ key: number; amount: number }>(sql`
    select w.key, sum(contract.amount)::float8 amount from (${withParties(sought)}) w
    join contract on contract.id = w.contract_id
    where ${counted} and ${seen}
    group by 1`);
  return new Map(rows.map((row) => [row.key, row.amount]));
}

/** The contracts with a party that the user may read, newest first; null if the user may read none. */
export async function contractsWith(tx: Db, user: Viewer, sought: SoughtParty) {
  if (!holds(user, 'Retrieve', ...pages)) return null;
  const seen = contracts.visible(tx, await contracts.viewerOf(tx, user));
  const { id, name, contract_no, stage: at, pay_direction, amount, sign_date, gmt_created } = contractTable;
  const rows = await tx
    .select({ id, name, contract_no, stage: at, pay_direction, amount, sign_date })
    .from(contractTable)
    .where(and(sql`${id} in (select contract_id from (${withParties([sought])}) w)`, seen))
    .orderBy(sql`${gmt_created} desc`)
    .limit(200);
  return rows.map(({ stage: stands, ...row }) => ({ ...row, stage_name: stageName(stands) }));
}
