import { and, eq, isNull, sql } from 'drizzle-orm';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { inSql, plainSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { link } from '#modules/platform/links/service.ts';
import { photoState } from './contract/codes.ts';
import { albumTable } from './tables.ts';

/** The parent album for albums of each module's records. */
const shelves: Readonly<Record<string, string>> = { activities: '活动', meetings: '会议' };

/** Shortens a name by characters. */
const cutAt = (name: string, most: number) => [...name].slice(0, most).join('');

/** The number of photos in the album of a record and its descendants, without returned and taken-down ones. */
export async function photosOf(tx: Db, source: { module: string; id: number }): Promise<number> {
  const { rows } = await tx.execute<{ photos: number }>(sql`
    with recursive own as (
      select id from photo_category where source_module = ${source.module} and source_id = ${source.id}
      union select c.id from photo_category c join own on c.parent_id = own.id)
    select count(*)::int photos from photo where category_id in (select id from own) and deleted_at is null and state in (${inSql(photoState.pending, photoState.shown)})`);
  return rows[0]!.photos;
}

/**
 * Opens an album for a record, once, and links the two; returns its id. A name in use gets the record's id appended; the given people
 * manage it.
 */
export async function openAlbum(
  tx: Db,
  { name, source, managers }: { name: string; source: { module: string; id: number }; managers: readonly number[] },
): Promise<number> {
  const mine = and(eq(albumTable.source_module, source.module), eq(albumTable.source_id, source.id));
  const [there] = await tx.select({ id: albumTable.id }).from(albumTable).where(mine);
  if (there) return there.id;
  const shelf = shelves[source.module] ?? '';
  const [above] = await tx
    .select()
    .from(albumTable)
    .where(and(isNull(albumTable.parent_id), sql`${plainSql(sql`${albumTable.name}`)} = ${plainly(shelf)}`));
  const inPlace = cutAt(name, 30);
  const beside = sql`select 1 from photo_category where parent_id is not distinct from ${above?.id ?? null}::int and ${plainSql(sql`name`)} = ${plainly(inPlace)}`;
  const { rows: taken } = await tx.execute(beside);
  const called = taken.length > 0 ? `${cutAt(name, 20)} ${source.id}` : inPlace;
  const [made] = await tx
    .insert(albumTable)
    .values({
      name: called,
      parent_id: above?.id ?? null,
      order_id: 1000,
      manager_ids: [...managers],
      source_module: source.module,
      source_id: source.id,
    })
    .returning({ id: albumTable.id });
  await link(tx, { from: source, to: { module: 'photos', id: made!.id }, type: 'photo', userId: managers[0]! });
  return made!.id;
}
