import { and, eq, exists, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { absent, codes } from '#kernel/contract/refusal.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { matches } from '#kernel/server/list/search.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { remember } from '#modules/platform/audit/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { direction, stage } from '../contract/codes.ts';
import type { contractParties } from '../contract/parties.ts';
import { counted, unpaid } from '../performing/figures.ts';
import { isLate } from '../performing/state.ts';
import { contracts } from '../record/record.ts';
import { contractPartyTable, contractSideTable, contractTable } from '../tables.ts';
import { partyById, standingOn, type StoredParty } from './known.ts';

type Work = Pick<Context, 'tx' | 'now'> & { user: Viewer };
/** The page of those who maintain the register. */
const page = 'contract/party';
const alive = isNull(contractPartyTable.merged_id);
const shown = {
  id: contractPartyTable.id,
  name: contractPartyTable.name,
  credit_code: contractPartyTable.credit_code,
  standing: contractPartyTable.standing,
  standing_reason: contractPartyTable.standing_reason,
  standing_until: contractPartyTable.standing_until,
  version: contractPartyTable.version,
};

/** Figures of parties from the contracts that the user sees, and no others. */
async function figuresOf(
  tx: Db,
  user: Viewer,
  ids: readonly number[],
  now: Date,
): Promise<Map<number, Record<string, number>>> {
  if (ids.length === 0) return new Map();
  const seen: SQL = contracts.visible(tx, await contracts.viewerOf(tx, user));
  const late = isLate(dayOf(now));
  const { rows } = await tx.execute<Record<string, number>>(sql`
    with seen as materialized (
      select id, pay_direction, case when ${counted} then amount else 0 end amount, ${unpaid} unpaid, stage, open_disputes from contract
      where id in (select contract_id from contract_side where party_id = any(${sql.param([...ids])}::int[])) and ${seen}),
    by_contract as (
      select contract_performance.contract_id, count(*) filter (where direction = ${inSql(direction.out)} and ${late}) ours, count(*) filter (where direction is distinct from ${inSql(direction.out)} and ${late}) theirs
      from contract_performance join contract on contract.id = contract_performance.contract_id
      where contract_performance.contract_id in (select id from seen) group by 1),
    disputed as (
      select contract_id, count(*) disputes from contract_event where type = 'dispute' and contract_id in (select id from seen) group by 1)
    select s.party_id id, count(*)::int contracts,
      coalesce(sum(c.amount) filter (where c.pay_direction = ${inSql(direction.out)}), 0)::float8 amount_out,
      coalesce(sum(c.amount) filter (where c.pay_direction = ${inSql(direction.in)}), 0)::float8 amount_in,
      coalesce(sum(c.unpaid), 0)::float8 open,
      coalesce(sum(b.ours), 0)::int late_ours,
      coalesce(sum(b.theirs), 0)::int late_theirs,
      coalesce(sum(d.disputes), 0)::int disputes,
      coalesce(sum(c.open_disputes), 0)::int open_disputes,
      (count(*) filter (where c.stage = ${stage.terminated}))::int terminated
    from contract_side s join seen c on c.id = s.contract_id left join by_contract b on b.contract_id = c.id
      left join disputed d on d.contract_id = c.id
    where s.party_id = any(${sql.param([...ids])}::int[]) group by 1`);
  return new Map(rows.map((row) => [row['id']!, row]));
}
const none = {
  contracts: 0,
  amount_out: 0,
  amount_in: 0,
  open: 0,
  late_theirs: 0,
  late_ours: 0,
  disputes: 0,
  open_disputes: 0,
  terminated: 0,
};

async function withFigures<P extends Pick<StoredParty, 'id'>>(tx: Db, user: Viewer, rows: readonly P[], now: Date) {
  const known = await figuresOf(
    tx,
    user,
    rows.map((row) => row.id),
    now,
  );
  const actions = holds(user, 'Update', page) ? ['update'] : [];
  return rows.map((row) => ({
    ...row,
    ...none,
    ...(known.get(row.id) as typeof none | undefined),
    id: row.id,
    actions,
  }));
}
/** The party with an expired standing shown as none. */
const asOf = <P extends Pick<StoredParty, 'standing' | 'standing_until'>>(row: P, now: Date): P => ({
  ...row,
  standing: standingOn(row, dayOf(now)),
});

export async function listParties(asked: QueryOf<typeof contractParties.parties>, { tx, user, now }: Work) {
  const { standing, standing_until } = contractPartyTable;
  const current = sql`(case when ${standing_until} < ${dayOf(now)} then 0 else ${standing} end)`;
  const where = and(
    alive,
    asked.standing === undefined ? undefined : sql`${current} = ${asked.standing}`,
    asked.search_value ? matches(contractPartyTable.search, asked.search_value) : undefined,
  );
  const found = await pageOf(tx, asked, tx.select(shown).from(contractPartyTable).where(where).$dynamic(), {
    by: { gmt_modified: contractPartyTable.gmt_modified, name: contractPartyTable.name, standing: current },
    first: 'gmt_modified',
    descending: true,
    tie: contractPartyTable.id,
  });
  return { ...found, value: (await withFigures(tx, user, found.value, now)).map((row) => asOf(row, now)) };
}

/**
 * Known parties for drafters: names, and whether a contract is allowed. The reason for a ban, and parties that occur only in drafts of
 * others, are shown only to those who maintain the register.
 */
export async function partyOptions({ search_value: words }: { search_value: string }, { tx, user, now }: Work) {
  const keeps = holds(user, 'Retrieve', page);
  const { id, name, credit_code, standing, standing_reason, standing_until } = shown;
  const rows = await tx
    .select({ id, name, credit_code, standing, standing_reason, standing_until })
    .from(contractPartyTable)
    .where(
      and(
        alive,
        words ? matches(contractPartyTable.search, words) : undefined,
        keeps ? undefined : await namedToAll(tx, user),
      ),
    )
    .orderBy(sql`${contractPartyTable.gmt_modified} desc`, contractPartyTable.id)
    .limit(10);
  return rows.map((row) => asOf(keeps ? row : { ...row, standing_reason: '' }, now));
}

/** Condition: the party belongs to a contract that was sent, or to one that the user sees. */
async function namedToAll(tx: Db, user: Viewer): Promise<SQL> {
  const seen = contracts.visible(tx, await contracts.viewerOf(tx, user));
  return exists(
    tx
      .select({ id: contractSideTable.id })
      .from(contractSideTable)
      .innerJoin(contractTable, eq(contractTable.id, contractSideTable.contract_id))
      .where(
        and(
          eq(contractSideTable.party_id, contractPartyTable.id),
          or(ne(contractTable.act_state, actState.draft), seen),
        ),
      ),
  );
}

/** One party with those of its contracts that I see; its bank account only on request, which is logged. */
export async function partyDetail(
  id: number,
  bank: boolean,
  { tx, user, now, afterReading, origin }: Work & Pick<Context, 'afterReading' | 'origin'>,
) {
  const party = await partyById(tx, id);
  if (!party) throw absent('相对方');
  const seen = contracts.visible(tx, await contracts.viewerOf(tx, user));
  const of = await tx
    .select({
      id: contractTable.id,
      name: contractTable.name,
      contract_no: contractTable.contract_no,
      year: sql<number>`extract(year from coalesce(${contractTable.sign_date}, ${contractTable.gmt_created}::date))::int`,
      stage: contractTable.stage,
      pay_direction: contractTable.pay_direction,
      amount: contractTable.amount,
      gmt_created: contractTable.gmt_created,
    })
    .from(contractTable)
    .innerJoin(contractSideTable, eq(contractSideTable.contract_id, contractTable.id))
    .where(and(eq(contractSideTable.party_id, party.id), seen))
    .orderBy(sql`${contractTable.gmt_created} desc`)
    .limit(200);
  const { bank_name, bank_account, merged_id: _merged, ...rest } = party;
  const [row] = await withFigures(tx, user, [rest], now);
  const about = {
    module: 'contracts',
    action: '查看银行账号',
    user,
    method: 'GET',
    path: `/api/contract/party/${id}/`,
  };
  const changes = [{ type: '合同相对方', id: party.id, title: party.name, after: { 查看: '银行账号' } }];
  if (bank) afterReading((log) => remember(log, { ...about, origin, result: codes.ok, milliseconds: 0, changes }));
  return { ...asOf(row!, now), has_bank: bank_account !== '', ...(bank ? { bank_name, bank_account } : {}), of };
}
