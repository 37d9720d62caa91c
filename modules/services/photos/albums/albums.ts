import { sql, type SQL } from 'drizzle-orm';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { ServedTree } from '#kernel/server/tree/handlers.ts';
import { withBelow, type Tree } from '#kernel/server/tree/tree.ts';
import { fileUrl } from '#modules/platform/files/service.ts';
import { calledBy, peopleById, peopleByName } from '#modules/platform/people/service.ts';
import { audienceNames, audienceOf, checkAudience, namesIn } from '#modules/platform/people/service/audience.ts';
import { albums as calls, maxLevels } from '../contract/albums.ts';
import { photoState } from '../contract/codes.ts';
import { notACover, unknownPeople } from '../contract/refusals.ts';
import { albumsSeen, shownTo, takesFrom } from '../gallery/visible.ts';
import { albumTable } from '../tables.ts';

const page = 'photo/category';
const place: Tree = {
  table: albumTable,
  parent: albumTable.parent_id,
  order: albumTable.order_id,
  noun: '相册',
  levels: maxLevels,
  holds: { '张照片（含回收站）': (id) => sql`select count(*) from photo where category_id = ${id}` },
};
/** Ids of an album and all its descendants. */
export const albumsBelow = (id: number): SQL => withBelow(place, id);

interface Row extends Record<string, unknown> {
  id: number;
  name: string;
  parent: number;
  order_id: number;
  version: number;
  description: string;
  status: boolean;
  review: boolean;
  watermark: boolean;
  points: number;
  cover: number | null;
  cover_file: number | null;
  count: number;
  may_upload: boolean;
  audience: string[];
  uploaders: string[];
  manager_ids: number[];
}

/** The tree of albums; it belongs to the whole house, so only users with the full scope change it. */
export const albumTree: ServedTree<typeof calls> = {
  ...place,
  unique: { photo_category_name: true },
  rows,
  async check(tx, row, { audience, uploaders, managers, cover }) {
    if (cover != null && !(await isItsOwn(tx, Number(row['id'] ?? 0), cover))) throw notACover();
    for (const whom of [audience, uploaders]) if (whom) await checkAudience(tx, whom);
    const names = [...new Set(managers)].filter(Boolean);
    const people = await peopleByName(tx, names);
    const unknown = names.filter((name) => !people.has(name));
    if (unknown.length > 0) throw unknownPeople(await calledBy(tx, unknown));
    return {
      ...(audience ? { audience: namesIn(audience) } : {}),
      ...(uploaders ? { uploaders: namesIn(uploaders) } : {}),
      ...(managers ? { manager_ids: [...people.values()].map((one) => one.id) } : {}),
    };
  },
};

async function isItsOwn(tx: Db, album: number, photo: number): Promise<boolean> {
  const { rows: found } = await tx.execute(
    sql`select from photo where id = ${photo} and category_id = ${album} and state = ${inSql(photoState.shown)} and deleted_at is null`,
  );
  return found.length > 0;
}

/** Albums visible to a user; the newest photo is the cover if none is chosen, or the chosen one is not shown. */
async function rows(tx: Db, user: Viewer) {
  const { rows: found } = await tx.execute<Row>(sql`
    with shown as (select photo.id, photo.category_id, photo.file_id, photo.shot_at from photo where ${shownTo(user)}),
    held as (select category_id, count(*)::int count from shown group by 1)
    select photo_category.id, photo_category.name, coalesce(photo_category.parent_id, 0) parent, photo_category.order_id, photo_category.version,
      photo_category.description, photo_category.status, photo_category.review, photo_category.watermark, photo_category.points,
      photo_category.cover, photo_category.audience, photo_category.uploaders, photo_category.manager_ids,
      coalesce(held.count, 0) count, photo_category.status and ${takesFrom(user)} may_upload,
      coalesce((select s.file_id from photo s where s.id = photo_category.cover and s.state = ${inSql(photoState.shown)} and s.deleted_at is null
          and s.category_id = photo_category.id),
        (select s.file_id from photo s where s.category_id = photo_category.id and s.state = ${inSql(photoState.shown)} and s.deleted_at is null
          order by s.shot_at desc, s.id desc limit 1)) cover_file
    from photo_category left join held on held.category_id = photo_category.id
    where photo_category.id = any(array(${albumsSeen(user)}))
    order by photo_category.order_id, photo_category.id`);
  const keeps = holds(user, 'Retrieve', page);
  const called = keeps
    ? await audienceNames(
        tx,
        found.flatMap((row) => [row.audience, row.uploaders]),
      )
    : [];
  const named = (names: string[]) => audienceOf(names).users;
  const people = keeps
    ? await peopleById(
        tx,
        found.flatMap((row) => [...row.manager_ids, ...named(row.audience), ...named(row.uploaders)]),
      )
    : new Map<number, never>();
  return found.map(({ cover_file, manager_ids, audience, uploaders, ...row }, at) => {
    const whom = (names: string[], place: number) => ({
      ...audienceOf(keeps ? names : []),
      called: called[at * 2 + place] ?? '',
      users_info: named(names).flatMap((id) => people.get(id) ?? []),
    });
    const managers = manager_ids.flatMap((id) => people.get(id) ?? []);
    return {
      ...row,
      cover_url: cover_file === null ? null : fileUrl(tx, cover_file, user),
      audience: whom(audience, 0),
      uploaders: whom(uploaders, 1),
      managers: managers.map((one) => one.username),
      managers_info: managers,
    };
  });
}
