import { and, asc, eq, sql } from 'drizzle-orm';
import { notOverAll } from '#kernel/contract/refusal.ts';
import { mayCall } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { revokeTicket, waitsFor } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { keeperAsked, keyCalls, loanStatus, notCalledOff, notHandedOn } from './contract.ts';
import { isOpen, loans } from './record.ts';
import { keyTable, loanTable } from './tables.ts';

type Key = Pick<typeof keyTable.$inferSelect, 'id' | 'number' | 'place' | 'keeper'>;
export const keyTitle = ({ number, place }: Pick<Key, 'number' | 'place'>) => `${number} ${place}`;

/** Refuses another keeper while loans wait for the decision of the present one. */
export async function refuseAsked(tx: Db, key: Key): Promise<void> {
  const { key_id, act_state, ticket_id } = loanTable;
  const waits = waitsFor(ticket_id, sql`(${key.keeper})`);
  const count = await tx.$count(loanTable, and(eq(key_id, key.id), eq(act_state, actState.ongoing), waits));
  if (count === 0) return;
  throw keeperAsked(keyTitle(key), count, (await peopleById(tx, [key.keeper])).get(key.keeper)!.alias);
}

const { id, number, place, keeper } = keyTable;
const keptBy = (tx: Db, person: number) =>
  tx
    .select({ id, number, place, keeper })
    .from(keyTable)
    .where(and(eq(keyTable.keeper, person), eq(keyTable.is_deleted, false)))
    .orderBy(asc(id));
const held = (key: Key) => ({ ...key, title: keyTitle(key), note: '保管人', at: null });

/** Keys that the leaver keeps. */
const keptKeys: Leaves = {
  key: 'keys',
  title: '保管的钥匙',
  openOf: async (tx, person, limit) => heldOf((await keptBy(tx, person)).map(held), limit),
  handOver: async (tx, from, to, { user }, only) =>
    eachHanded((await keptBy(tx, from.id).for('update')).map(held), only, async (key) => {
      if (!mayCall(user, keyCalls.change)) throw notOverAll(keyCalls.change.summary);
      await refuseAsked(tx, key);
      await tx
        .update(keyTable)
        .set({ keeper: to.id, ...touched(keyTable) })
        .where(eq(id, key.id));
    }),
};

/** The approved loans of a person that hold a key or keep its days: those whose key is out, and those whose key may still be fetched. */
async function openLoansOf(tx: Db, person: number) {
  const rows = await loans.rows(tx, and(eq(loanTable.creator_id, person), isOpen)).orderBy(asc(loanTable.id));
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    note: row.status === loanStatus.out ? '尚未归还' : '待领出，移交时作废',
    at: null,
  }));
}

/** Loans that end with the leaver: a key that is out comes back to its keeper, and a loan whose key is not fetched is called off. */
const ownLoans: Leaves = {
  key: 'key_loans',
  title: '未结束的钥匙借用',
  ends: true,
  openOf: async (tx, person, limit) => heldOf(await openLoansOf(tx, person), limit),
  async handOver(tx, from, _to, by, only) {
    const viewer = await loans.viewerOf(tx, by.user);
    return eachHanded(await openLoansOf(tx, from.id), only, async ({ id: of, title }) => {
      const row = (await loans.one(tx, of))!;
      if (row.status === loanStatus.out) throw notHandedOn(title);
      if (!(await loans.ticketActions(tx, viewer, row)).includes('revoke')) throw notCalledOff(title);
      await revokeTicket({ tx, ...by }, row.ticket_id!, `${from.alias}离岗，不再借用`);
    });
  },
};

/** The keys that somebody keeps, and their loans, before they leave. */
export const keyLeaves: Leaves[] = [keptKeys, ownLoans];
