import { eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { mostComs, mostTops, photoState } from '../contract/codes.ts';
import { photoIs, topsFull } from '../contract/refusals.ts';
import type { Work } from '../gallery/reading.ts';
import { photoForUpdate } from '../gallery/rows.ts';
import { photoTable } from '../tables.ts';

const kinds = {
  top: { slot: 'top_slot', most: mostTops, name: '置顶' },
  com: { slot: 'com_slot', most: mostComs, name: '推荐' },
} as const;

/** Serializes changes of slots; taken before a photo's lock. */
export const lockSlots = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('photo slots'))`);

/** The pinned photos of an album, or the recommended ones, and the first free slot. */
export async function slotsOf(tx: Db, kind: keyof typeof kinds, category_id: number) {
  const { slot, most } = kinds[kind];
  const { rows: taken } = await tx.execute<{ slot: number; title: string }>(sql`
    select ${sql.identifier(slot)} slot, title from photo where ${sql.identifier(slot)} is not null
      and ${kind === 'com' ? sql`true` : sql`category_id = ${category_id}`} order by 1`);
  return {
    taken,
    free: Array.from({ length: most }, (_one, at) => at + 1).find((n) => !taken.some((one) => one.slot === n)),
  };
}

/** Pins a photo in its album, or recommends it in the whole gallery, while there is a free slot; without `wanted` it toggles. */
export async function setSlot({ tx, user, audit }: Work, id: number, kind: keyof typeof kinds, wanted?: boolean) {
  const { slot, most, name } = kinds[kind];
  await lockSlots(tx);
  const { row, may } = await photoForUpdate(tx, user, id);
  const set = wanted ?? row[slot] === null;
  if (!set === (row[slot] === null)) return { id };
  if (set && !may(kind)) throw photoIs(row.title, photoState.label(row.state), name);
  const { taken, free } = await slotsOf(tx, kind, row.category_id);
  if (set && free === undefined)
    throw topsFull(
      name,
      most,
      taken.map((one) => one.title),
    );
  await tx
    .update(photoTable)
    .set({
      ...touched(photoTable),
      ...(kind === 'top' ? { top_slot: set ? free! : null } : { com_slot: set ? free! : null }),
    })
    .where(eq(photoTable.id, id));
  audit({ type: '照片', id, title: row.title, after: { [name]: set ? '是' : '否' } });
  return { id };
}
