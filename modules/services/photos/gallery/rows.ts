import { sql, type SQL } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileUrl } from '#modules/platform/files/service.ts';
import { photoState } from '../contract/codes.ts';
import type { PhotoRow } from '../contract/shapes.ts';
import { photoTable } from '../tables.ts';
import { ownOf, reaches, visibleTo } from './visible.ts';

export type Stored = typeof photoTable.$inferSelect;

/** The fields of a photo with the viewer's relation to it. */
interface Found extends Omit<PhotoRow, 'url' | 'actions'> {
  [column: string]: unknown;
  file_id: number;
  own: boolean;
  reviews: boolean;
  deleted_by: number | null;
  reviewer_id: number | null;
  was_state: number | null;
}
const moment = (column: string) =>
  sql`to_char(${sql.identifier('photo')}.${sql.identifier(column)}, 'YYYY-MM-DD HH24:MI:SS')`;

/** SQL: the people on it do not object to publication outside the house. */
export const consented = sql`(not photo.faces or (photo.consent > 0 and coalesce(photo.consent_until >= current_date, true)))`;

/** Photos in the view of one person, in one statement. `where` refers to the table `photo`. */
export async function photoRows(
  tx: Db,
  user: Viewer,
  {
    where,
    order = sql`photo.shot_at desc, photo.id desc`,
    limit,
    offset = 0,
  }: { where: SQL; order?: SQL; limit: number; offset?: number },
): Promise<PhotoRow[]> {
  const { rows } = await tx.execute<Found>(sql`
    select photo.id, photo.title, photo.category_id, photo_category.name category_name, photo.file_id, photo.width, photo.height, photo.size,
      photo.placeholder, ${moment('shot_at')} shot_at, ${moment('taken_at')} taken_at, photo.taken_by_camera, photo.camera, photo.photographer,
      photo.uploader_id uploader, app_user.alias uploader_name, coalesce(dept.name, '') dept_name, photo.place, photo.faces, photo.consent,
      ${consented} consented, photo.state, photo.reason, photo.top_slot is not null top, photo.com_slot is not null com,
      exists (select from photo_like l where l.photo_id = photo.id and l.user_id = ${user.id}) liked,
      photo.like_count, photo.view_count, photo.download_count, photo.burst_id, photo.alike_id, ${moment('deleted_at')} deleted_at,
      ${moment('gmt_created')} gmt_created, photo.version, photo.deleted_by, photo.reviewer_id, photo.was_state, ${ownOf(user)} own, ${reaches(user, 'chuli')} reviews
    from photo join photo_category on photo_category.id = photo.category_id join app_user on app_user.id = photo.uploader_id
      left join dept on dept.id = photo.dept_id
    where ${where} order by ${order} limit ${limit} offset ${offset}`);
  return rows.map((row) => ({ ...row, url: fileUrl(tx, row.file_id, user), actions: actionsOn(row, user) }));
}

/** The actions open to a user on a photo now; each handler checks them again. */
function actionsOn(
  row: Pick<Found, 'own' | 'reviews' | 'state' | 'deleted_at' | 'deleted_by' | 'reviewer_id' | 'was_state'>,
  user: Viewer,
): string[] {
  const { own, reviews } = row;
  if (row.deleted_at) return reviews || row.deleted_by === user.id ? ['restore'] : [];
  const waits = row.state === photoState.pending || row.state === photoState.returned;
  const edits = (own && waits) || (reviews && holds(user, 'Update', 'photo/manage'));
  const shown = row.state === photoState.shown;
  return [
    ...(edits ? ['update', 'rotate'] : []),
    ...((own && waits) || (reviews && holds(user, 'Delete', 'photo/manage')) ? ['delete'] : []),
    ...(reviews && !shown ? ['approve'] : []),
    ...(reviews && row.state === photoState.pending ? ['return'] : []),
    ...(reviews && shown ? ['down', ...(holds(user, 'chuli', 'photo/manage') ? ['top', 'com'] : [])] : []),
    ...(reviews && row.reviewer_id === user.id && row.was_state !== null ? ['undo'] : []),
    ...(shown && (own || reviews) ? ['withdraw'] : []),
    ...(shown ? ['original'] : []),
    // The original without a request.
    ...(own || (reviews && holds(user, 'chuli', 'photo/manage')) ? ['whole'] : []),
    ...(shown && holds(user, 'Update', 'photo/category') && scopeOf(user, 'Update', 'photo/category').all
      ? ['cover']
      : []),
  ];
}

/** A photo the user may see. Throws `absent`. */
export async function requirePhoto(tx: Db, user: Viewer, id: number, what = '该照片'): Promise<PhotoRow> {
  const [row] = await photoRows(tx, user, { where: sql`photo.id = ${id} and ${visibleTo(user)}`, limit: 1 });
  if (!row) throw absent(what);
  return row;
}

/** The same locked for a change, with the open actions. */
export async function photoForUpdate(
  tx: Db,
  user: Viewer,
  id: number,
): Promise<{ row: Stored; may(act: string): boolean; seen: PhotoRow }> {
  const [row] = await tx
    .select()
    .from(photoTable)
    .where(sql`${photoTable.id} = ${id}`)
    .for('update');
  const seen = await requirePhoto(tx, user, id);
  return { row: row!, seen, may: (act) => seen.actions.includes(act) };
}
