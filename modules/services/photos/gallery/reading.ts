import { sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { asked } from '#kernel/server/list/asked.ts';
import { matches } from '#kernel/server/list/search.ts';
import { boundOf, countOf, orderOf, pageFrom, pageWithin } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { deptsBelow } from '#modules/platform/people/service.ts';
import { photoState } from '../contract/codes.ts';
import type { photos } from '../contract/photos.ts';
import type { PhotoDetail } from '../contract/shapes.ts';
import { albumsBelow } from '../albums/albums.ts';
import { photoTable } from '../tables.ts';
import { consented, photoRows, requirePhoto } from './rows.ts';
import { ownOf, reaches, shownTo, visibleTo } from './visible.ts';

export type Work = Context & { user: Viewer };
type Filters = Partial<
  Pick<QueryOf<typeof photos.wall>, 'category' | 'dept' | 'tag' | 'people' | 'year' | 'search_value'>
>;

const all = (...conditions: (SQL | undefined)[]): SQL =>
  sql.join(
    conditions.filter((one) => one !== undefined),
    sql` and `,
  );
const tagged = (kind: 'tag' | 'person', name: string) =>
  sql`exists (select from photo_tag t where t.photo_id = photo.id and t.kind = ${kind} and t.name = ${name})`;

async function filtered(tx: Db, { category, dept, tag, people, year, search_value = '' }: Filters): Promise<SQL> {
  const depts = dept === undefined ? undefined : await deptsBelow(tx, [dept]);
  return all(
    sql`true`,
    asked(category, (id) => sql`photo.category_id = any(array(${albumsBelow(id)}))`),
    asked(depts, (ids) => sql`photo.dept_id = any(${sql.param(ids)}::int[])`),
    asked(tag, (name) => tagged('tag', name)),
    asked(people, (name) => tagged('person', name)),
    asked(
      year,
      (at) => sql`photo.shot_at >= ${`${at}-01-01`}::timestamptz and photo.shot_at < ${`${at + 1}-01-01`}::timestamptz`,
    ),
    matches(photoTable.search, search_value),
  );
}

const among = (tx: Db, where: SQL) =>
  tx
    .select({ one: sql`1` })
    .from(photoTable)
    .where(where)
    .$dynamic();

/** The gallery, newest first; later pages continue after the last photo of the one before, whatever was added. */
export async function wall({ query }: { query: QueryOf<typeof photos.wall> }, { tx, user }: Work) {
  const { cursor, page, per_page } = query;
  const where = all(shownTo(user), await filtered(tx, query));
  const [at, id] = cursor?.split('_') ?? [];
  const behind = cursor
    ? all(where, sql`(photo.shot_at, photo.id) < (${at!}::timestamptz, ${Number(id)}::int)`)
    : where;
  const first = !cursor && page === 1;
  const marked = all(where, sql`num_nonnulls(photo.top_slot, photo.com_slot) > 0`);
  const [rows, tops, counted] = await Promise.all([
    photoRows(tx, user, { where: behind, limit: per_page, offset: cursor ? 0 : (page - 1) * per_page }),
    first
      ? photoRows(tx, user, { where: marked, order: sql`photo.top_slot, photo.com_slot, photo.id`, limit: 30 })
      : [],
    first ? countOf(tx, among(tx, where), boundOf(query)) : undefined,
  ]);
  const last = rows.length === per_page ? rows.at(-1) : undefined;
  const next = last ? `${last.shot_at}_${last.id}` : null;
  return counted
    ? { ...pageFrom(query, 1, rows, counted), tops, next }
    : { value: rows, tops, total: 0, page, per_page, next };
}

/** Photos for their managers, or one's own. */
export async function listed({ query }: { query: QueryOf<typeof photos.list> }, { tx, user }: Work) {
  const { mine, trash, state, duplicate, unconsented, uploader, burst } = query;
  const where = all(
    mine ? ownOf(user) : reaches(user, 'Retrieve'),
    trash ? sql`photo.deleted_at is not null` : sql`photo.deleted_at is null`,
    asked(state, (value) => sql`photo.state = ${value}`),
    duplicate ? sql`photo.alike_id is not null` : undefined,
    unconsented ? sql`not ${consented}` : undefined,
    asked(uploader, (id) => sql`photo.uploader_id = ${id}`),
    asked(burst, (id) => sql`(photo.burst_id = ${id} or photo.id = ${id})`),
    await filtered(tx, query),
  );
  const counted = await countOf(tx, among(tx, where), boundOf(query));
  const by = {
    id: photoTable.id,
    shot_at: photoTable.shot_at,
    view_count: photoTable.view_count,
    like_count: photoTable.like_count,
  };
  const { target, descending } = orderOf({ by, first: 'id', descending: true, tie: photoTable.id }, query);
  const way = descending ? sql`desc` : sql`asc`;
  const page = pageWithin(query, counted);
  const { per_page } = query;
  const order = sql`${target} ${way}, photo.id ${way}`;
  return pageFrom(
    query,
    page,
    await photoRows(tx, user, { where, order, limit: per_page, offset: (page - 1) * per_page }),
    counted,
  );
}

/** One photo with all details and its neighbours. A view counts once per person and day. */
export async function detail(
  { params: { id }, query }: { params: { id: number }; query: QueryOf<typeof photos.detail> },
  { tx, user, afterReading }: Work,
): Promise<{ value: PhotoDetail }> {
  const row = await requirePhoto(tx, user, id);
  const beside = all(shownTo(user), await filtered(tx, query));
  const step = (way: SQL, order: SQL) => sql`(select photo.id from photo, photo me where me.id = ${id} and ${beside}
    and (photo.shot_at, photo.id) ${way} (me.shot_at, me.id) order by photo.shot_at ${order}, photo.id ${order} limit 1)`;
  const words = (kind: string) =>
    sql`array(select t.name from photo_tag t where t.photo_id = photo.id and t.kind = ${kind} order by t.name)`;
  const { rows } = await tx.execute<Omit<PhotoDetail, 'alike'>>(sql`
    select photo.description, ${words('tag')} tags, ${words('person')} people, photo.consent_until::text consent_until,
      (select coalesce(sum(points), 0)::int from photo_score s where s.photo_id = photo.id) score,
      ${step(sql`>`, sql`asc`)} prev, ${step(sql`<`, sql`desc`)} next,
      (select json_build_object('id', o.id, 'state', o.state, 'left', o.allowed - o.used,
          'expires_at', to_char(o.expires_at, 'YYYY-MM-DD HH24:MI:SS'))
        from photo_original o where o.photo_id = photo.id and o.user_id = ${user.id} order by o.id desc limit 1) original
    from photo where photo.id = ${id}`);
  const like = row.alike_id ?? 0;
  const [alike] = like
    ? await photoRows(tx, user, {
        where: sql`photo.id = ${like} and photo.deleted_at is null and ${visibleTo(user)}`,
        limit: 1,
      })
    : [];
  if (row.state === photoState.shown && !row.deleted_at)
    afterReading(async (write) => {
      await write.execute(sql`
        with seen as (insert into photo_view (photo_id, user_id) values (${id}, ${user.id}) on conflict do nothing returning photo_id)
        update photo set view_count = view_count + 1 from seen where photo.id = seen.photo_id`);
    });
  return { value: { ...row, ...rows[0]!, alike: alike ?? null } };
}

/** The counts of my photos, or of those I manage. */
export async function counted({ query }: { query: QueryOf<typeof photos.count> }, { tx, user }: Work) {
  const n = (which: SQL) => sql`count(*) filter (where photo.deleted_at is null and ${which})::int`;
  const is = (value: number) => n(sql`photo.state = ${value}`);
  const { rows } = await tx.execute<
    Record<'total' | 'pending' | 'online' | 'offline' | 'rejected' | 'top' | 'com' | 'views' | 'trash', number>
  >(sql`
    select ${n(sql`true`)} total, ${is(0)} pending, ${is(1)} online, ${is(2)} offline, ${is(3)} rejected,
      ${n(sql`photo.top_slot is not null`)} top, ${n(sql`photo.com_slot is not null`)} com,
      coalesce(sum(photo.view_count) filter (where photo.deleted_at is null), 0)::int views,
      count(*) filter (where photo.deleted_at is not null)::int trash
    from photo where ${query.mine ? ownOf(user) : reaches(user, 'Retrieve')}`);
  return rows[0]!;
}

const listedTags = 200;
export async function tags({ query: { category, kind } }: { query: QueryOf<typeof photos.tags> }, { tx, user }: Work) {
  const { rows } = await tx.execute<{ name: string; count: number }>(sql`
    select t.name, count(*)::int count from photo_tag t join photo on photo.id = t.photo_id
    where t.kind = ${kind} and ${shownTo(user)} and ${await filtered(tx, { category })}
    group by t.name order by 2 desc, t.name limit ${listedTags}`);
  return { value: rows };
}

/** Uploaders of photos that I see, those with the most adopted first. */
export async function contributors({ query: { mine } }: { query: QueryOf<typeof photos.users> }, { tx, user }: Work) {
  const which = mine ? ownOf(user) : sql`(${shownTo(user)} or ${reaches(user, 'Retrieve')})`;
  const { rows } = await tx.execute<{
    id: number;
    username: string;
    alias: string;
    dept: string;
    count: number;
    adopted: number;
  }>(sql`
    select u.id, u.username, u.alias, coalesce(d.name, '') dept, count(*)::int count, (count(*) filter (where photo.state = ${inSql(photoState.shown)}))::int adopted
    from photo join app_user u on u.id = photo.uploader_id left join dept d on d.id = u.dept_id
    where photo.deleted_at is null and ${which} group by u.id, d.id order by 6 desc, 5 desc, u.id limit 200`);
  return { value: rows };
}
