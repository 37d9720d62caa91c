import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { contractParties, partyStanding } from '../contract/parties.ts';
import { codeTaken, mergeUnknown, partyTaken, standingEnded, standingNeedsReason } from '../contract/refusals-text.ts';
import { contractPartyTable, contractSideTable } from '../tables.ts';
import { partyById, partySearch, standingOn, type StoredParty } from './known.ts';

type Body = BodyOf<typeof contractParties.saveParty>;
const masked = (account: string) => (account === '' ? '' : `尾号 ${account.slice(-4)}`);
const facts = (row: StoredParty) => ({
  ...titled(contractParties.saveParty.body!, { ...row, bank_account: undefined }),
  银行账号: masked(row.bank_account),
});

/** Changes a party; its contracts keep the names and facts they were signed with. */
export async function saveParty(
  id: number,
  { version, merge_into, ...sent }: Body,
  { tx, audit, now }: Pick<Context, 'tx' | 'audit' | 'now'>,
) {
  // Both rows are locked in ascending order of id.
  const rows = await tx
    .select()
    .from(contractPartyTable)
    .where(inArray(contractPartyTable.id, [id, merge_into ?? id]))
    .orderBy(contractPartyTable.id)
    .for('update');
  const found = rows.find((row) => row.id === id);
  if (!found || found.merged_id !== null) throw absent('相对方');
  const { search: _search, ...before } = found;
  checkVersion('相对方', before, version, { id, name: before.name, version: before.version });
  if (merge_into !== undefined) return merge(tx, before, merge_into, audit);
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const next: StoredParty = { ...before, ...given };
  if (next.standing === partyStanding.normal) Object.assign(next, { standing_reason: '', standing_until: null });
  else if (next.standing_reason === '') throw standingNeedsReason();
  else if (
    (sent.standing ?? sent.standing_until) !== undefined &&
    standingOn(next, dayOf(now)) === partyStanding.normal
  )
    throw standingEnded(next.standing_until!);
  const {
    id: _id,
    plain_name: _plain,
    version: _version,
    gmt_created: _created,
    gmt_modified: _modified,
    ...columns
  } = next;
  await tx
    .update(contractPartyTable)
    .set({ ...columns, search: partySearch(next), ...touched(contractPartyTable) })
    .where(eq(contractPartyTable.id, id))
    .catch(refuseOn('contract_party_name', () => partyTaken(next.name)))
    .catch(refuseOn('contract_party_credit_code', () => codeTaken(next.credit_code, '另一家')));
  audit({ type: '合同相对方', id, title: next.name, before: facts(before), after: facts(next) });
  return { id };
}

/** Merges a party into another; contracts that name both keep their sides, and the merged one is no longer offered. */
async function merge(tx: Db, party: StoredParty, into: number, audit: Context['audit']) {
  const other = into === party.id ? undefined : await partyById(tx, into);
  if (!other || other.id === party.id) throw mergeUnknown();
  const both = tx
    .select({ id: contractSideTable.contract_id })
    .from(contractSideTable)
    .where(eq(contractSideTable.party_id, other.id));
  await tx
    .update(contractSideTable)
    .set({ party_id: other.id })
    .where(and(eq(contractSideTable.party_id, party.id), sql`${contractSideTable.contract_id} not in ${both}`));
  await tx
    .update(contractPartyTable)
    .set({ merged_id: other.id, credit_code: '', ...touched(contractPartyTable) })
    .where(and(eq(contractPartyTable.id, party.id), isNull(contractPartyTable.merged_id)));
  const kept = other.credit_code || party.credit_code;
  await tx
    .update(contractPartyTable)
    .set({
      credit_code: kept,
      search: partySearch({ name: `${other.name} ${party.name}`, credit_code: kept }),
      // A ban survives the merge.
      ...(party.standing > other.standing
        ? { standing: party.standing, standing_reason: party.standing_reason, standing_until: party.standing_until }
        : {}),
      ...touched(contractPartyTable),
    })
    .where(eq(contractPartyTable.id, other.id));
  audit({ type: '合同相对方', id: party.id, title: party.name, after: { 并入: other.name } });
  return { id: other.id };
}
