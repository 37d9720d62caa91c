import { and, eq, inArray, isNull, ne } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { partyStanding } from '../contract/parties.ts';
import { codeTaken, otherCode, partyBanned } from '../contract/refusals-text.ts';
import { contractPartyTable, contractSideTable } from '../tables.ts';

export type StoredParty = Omit<typeof contractPartyTable.$inferSelect, 'search'>;

export const partySearch = ({ name, credit_code }: Pick<StoredParty, 'name' | 'credit_code'>) =>
  searchVector({ texts: [name], names: [name], codes: [credit_code] });

/** A party by id; if it was merged, the one it was merged into. */
export async function partyById(tx: Db, id: number): Promise<StoredParty | undefined> {
  const [found] = await tx.select().from(contractPartyTable).where(eq(contractPartyTable.id, id));
  return found?.merged_id ? partyById(tx, found.merged_id) : found;
}
const living = async (tx: Db, of: ReturnType<typeof eq>) =>
  (
    await tx
      .select()
      .from(contractPartyTable)
      .where(and(of, isNull(contractPartyTable.merged_id)))
  )[0];

/** Facts of a party in a contract that are stored for the next time. */
const facts = ['legal_person', 'contact_name', 'contact_phone', 'address', 'bank_name', 'bank_account'] as const;
type Facts = { [K in (typeof facts)[number]]?: string };
type Named = Facts & { party_id?: number | null | undefined; name: string; credit_code: string };

/** The sides of a contract with their parties: found by id, code or name, else created. */
export async function registerSides<S extends Named>(
  tx: Db,
  sides: readonly S[],
): Promise<(S & { party_id: number })[]> {
  const all: (S & { party_id: number })[] = [];
  for (const side of sides) all.push({ ...side, party_id: (await partyOf(tx, side)).id });
  return all;
}

async function partyOf(tx: Db, side: Named): Promise<StoredParty> {
  const { name, credit_code } = side;
  if (side.party_id) {
    const chosen = await partyById(tx, side.party_id);
    if (!chosen) throw absent('相对方');
    const same = await living(tx, eq(contractPartyTable.plain_name, plainly(name)));
    if (same?.id === chosen.id) return ofOneCode(tx, chosen, credit_code);
  }
  const byName = await living(tx, eq(contractPartyTable.plain_name, plainly(name)));
  if (byName) return ofOneCode(tx, byName, credit_code);
  const byCode = await withCode(tx, credit_code);
  if (byCode) throw codeTaken(credit_code, byCode.name);
  await tx
    .insert(contractPartyTable)
    .values({ name, credit_code, search: partySearch({ name, credit_code }) })
    .onConflictDoNothing();
  // A concurrent call may have created it.
  const made = await living(tx, eq(contractPartyTable.plain_name, plainly(name)));
  if (!made) throw codeTaken(credit_code, name);
  return ofOneCode(tx, made, credit_code);
}

const withCode = async (tx: Db, code: string) =>
  code === '' ? undefined : living(tx, eq(contractPartyTable.credit_code, code));

/** Refuses a party with a different code, and a code that belongs to another party. */
async function ofOneCode(tx: Db, party: StoredParty, code: string): Promise<StoredParty> {
  if (party.credit_code === code || code === '') return party;
  if (party.credit_code !== '') throw otherCode(party.name, party.credit_code, code);
  const taken = await withCode(tx, code);
  if (taken) throw codeTaken(code, taken.name);
  return party;
}

/** Stores new facts of the parties from an approved contract; drafts add nothing. */
export async function learnOfSides(tx: Db, sides: readonly Named[]): Promise<void> {
  for (const side of sides) {
    const party = await partyOf(tx, side);
    const fresh = (['credit_code', ...facts] as const).filter((key) => party[key] === '' && (side[key] ?? '') !== '');
    if (fresh.length === 0) continue;
    const next = { ...party, ...Object.fromEntries(fresh.map((key) => [key, side[key]])) };
    await tx
      .update(contractPartyTable)
      .set({ ...Object.fromEntries(fresh.map((key) => [key, next[key]])), search: partySearch(next) })
      .where(eq(contractPartyTable.id, party.id));
  }
}

/** The standing on a day; an expired one counts as none. */
export const standingOn = (
  { standing, standing_until }: Pick<StoredParty, 'standing' | 'standing_until'>,
  day: string,
) => (standing_until !== null && standing_until < day ? partyStanding.normal : standing);

/** Refuses a contract with a banned party. */
export async function refuseBanned(tx: Db, contractId: number, now: Date): Promise<void> {
  const named = tx
    .select({ id: contractSideTable.party_id })
    .from(contractSideTable)
    .where(eq(contractSideTable.contract_id, contractId));
  const marked = await tx
    .select()
    .from(contractPartyTable)
    .where(and(inArray(contractPartyTable.id, named), ne(contractPartyTable.standing, partyStanding.normal)));
  const banned = marked.find((one) => standingOn(one, dayOf(now)) === partyStanding.banned);
  if (banned) throw partyBanned(banned.name, banned.standing_until);
}
