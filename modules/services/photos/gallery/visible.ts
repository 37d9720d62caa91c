import { sql, type SQL } from 'drizzle-orm';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { meantFor } from '#modules/platform/people/service/audience.ts';
import { photoState } from '../contract/codes.ts';
import { albumTable, photoTable } from '../tables.ts';

const page = 'photo/manage';

/** True if the user manages all photos, and so sees every album. */
export const keepsAll = (user: Viewer): boolean => holds(user, 'Retrieve', page) && scopeOf(user, 'Retrieve', page).all;

const looksAfter = (user: Viewer): SQL => sql`${user.id} = any(photo_category.manager_ids)`;
const openTo = (user: Viewer): SQL =>
  sql`(${meantFor(albumTable.audience, user)} or ${meantFor(albumTable.uploaders, user)} or ${looksAfter(user)})`;

/** Condition: the album accepts photos of the user. */
export const takesFrom = (user: Viewer): SQL =>
  keepsAll(user) ? sql`true` : sql`(${meantFor(albumTable.uploaders, user)} or ${looksAfter(user)})`;

/** Ids of the albums a user sees; an album below a hidden one is hidden, too. */
export function albumsSeen(user: Viewer): SQL {
  if (keepsAll(user)) return sql`select id from photo_category`;
  return sql`with recursive seen as (
      select id from photo_category where parent_id is null and ${openTo(user)}
      union all select photo_category.id from photo_category join seen on photo_category.parent_id = seen.id where ${openTo(user)})
    select id from seen`;
}

/** Condition: the photo is shown in the user's gallery. Refers to the table by name. */
export const shownTo = (user: Viewer): SQL =>
  sql`(photo.state = ${inSql(photoState.shown)} and photo.deleted_at is null and photo.category_id = any(array(${albumsSeen(user)})))`;

export const ownOf = (user: Viewer): SQL => sql`photo.uploader_id = ${user.id}`;

/**
 * Condition: a permission of the management page reaches the photo, by scope or as manager of its album. Managers of an album read and
 * review its photos, whatever their roles.
 */
export function reaches(user: Viewer, code: PermissionCode): SQL {
  const held = holds(user, code, page);
  if (!held && code !== 'Retrieve' && code !== 'chuli') return sql`false`;
  const scope = scopeOf(user, code, page);
  if (held && scope.all) return sql`true`;
  const kept = sql`photo.category_id = any(array(select id from photo_category where ${looksAfter(user)}))`;
  return !held || scope.depts.size === 0 ? kept : sql`(${isAmong(photoTable.dept_id, scope.depts)} or ${kept})`;
}

/** Condition: the user may see the photo, in any state. */
export const visibleTo = (user: Viewer): SQL =>
  sql`(${shownTo(user)} or ${ownOf(user)} or ${reaches(user, 'Retrieve')})`;
