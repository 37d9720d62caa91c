import { and, asc, eq, ne } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/people/service/leaves.ts';
import { custodyKinds, labelOf, stampStatus } from '../contract/seal-codes.ts';
import { notYours } from '../contract/seal-refusals.ts';
import { stampTable } from '../tables/seals.ts';

async function keptBy(tx: Db, person: number) {
  const { id, name, keeper_id, status } = stampTable;
  const rows = await tx
    .select({ id, title: name })
    .from(stampTable)
    .where(and(eq(keeper_id, person), ne(status, stampStatus.destroyed)))
    .orderBy(asc(id));
  return rows.map((row) => ({ ...row, note: '保管人', at: null }));
}

/** Seals that somebody keeps: they go by 交接 alone, which both sign; here they are shown, and stay with the reason. */
export const sealLeaves: Leaves = {
  key: 'stamps',
  title: '保管的印章',
  openOf: async (tx, person, limit) => heldOf(await keptBy(tx, person), limit),
  handOver: async (tx, from, _to, _by, only) =>
    eachHanded(await keptBy(tx, from.id), only, async ({ title }) => {
      throw notYours(`“${title}”的${labelOf(custodyKinds, 2)}`, '保管人和接收人在印章详情中签名');
    }),
};
