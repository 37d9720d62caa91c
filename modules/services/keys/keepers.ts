import { and, asc, eq, sql } from 'drizzle-orm';
import { notOverAll } from '#kernel/contract/refusal.ts';
import { mayCall } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { waitsFor } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { keeperAsked, keyCalls, loanStatus, notHandedOn } from './contract.ts';
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
const held = (note: string) => (key: Pick<Key, 'id' | 'number' | 'place'>) => ({
  ...key,
  title: keyTitle(key),
  note,
  at: null,
});

/** Keys that the leaver keeps. */
const keptKeys: Leaves = {
  key: 'keys',
  title: '保管的钥匙',
  openOf: async (tx, person, limit) => heldOf((await keptBy(tx, person)).map(held('保管人')), limit),
  handOver: async (tx, from, to, { user }, only) =>
    eachHanded((await keptBy(tx, from.id).for('update')).map(held('保管人')), only, async (key) => {
      if (!mayCall(user, keyCalls.change)) throw notOverAll(keyCalls.change.summary);
      await refuseAsked(tx, { ...key, keeper: from.id });
      await tx
        .update(keyTable)
        .set({ keeper: to.id, ...touched(keyTable) })
        .where(eq(id, key.id));
    }),
};

const takenBy = async (tx: Db, person: number) =>
  (
    await tx
      .select({ id, number, place })
      .from(keyTable)
      .innerJoin(loanTable, eq(loanTable.key_id, id))
      .where(and(eq(loanTable.creator_id, person), eq(loanTable.status, loanStatus.out)))
      .orderBy(asc(id))
  ).map(held('尚未归还'));

/** Keys that the leaver has out: nobody takes them over, they come back to their keepers. */
const takenKeys: Leaves = {
  key: 'key_loans',
  title: '借出未还的钥匙',
  openOf: async (tx, person, limit) => heldOf(await takenBy(tx, person), limit),
  handOver: async (tx, from, _to, _by, only) =>
    eachHanded(await takenBy(tx, from.id), only, ({ title }) => {
      throw notHandedOn(title);
    }),
};

/** The keys that somebody keeps or has out before they leave. */
export const keyLeaves: Leaves[] = [keptKeys, takenKeys];
