import { sql, type SQL } from 'drizzle-orm';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { meantFor } from '#modules/platform/people/service/audience.ts';
import { photoState } from '../contract/codes.ts';
import { albumTable, photoTable } from '../tables.ts';

const page = 'photo/manage';

/** Whether somebody looks after all photos, and so sees every album. */
export const keepsAll = (user: Viewer): boolean => holds(user, 'Retrieve', page) && scopeOf(user, 'Retrieve', page).all;

const looksAfter = (user: Viewer): SQL => sql`${user.id} = any(photo_category.manager_ids)`;
const openTo = (user: Viewer): SQL =>
  sql`(${meantFor(albumTable.audience, user)} or ${meantFor(albumTable.uploaders, user)} or ${looksAfter(user)})`;

/** Whether an album of a statement takes photos of somebody. */
export const takesFrom = (user: Viewer): SQL =>
  keepsAll(user) ? sql`true` : sql`(${meantFor(albumTable.uploaders, user)} or ${looksAfter(user)})`;

/** Ids of the albums somebody sees: of one that is not theirs nothing below it either. */
export function albumsSeen(user: Viewer): SQL {
  if (keepsAll(user)) return sql`select id from photo_category`;
  return sql`with recursive seen as (
      select id from photo_category where parent_id is null and ${openTo(user)}
      union all select photo_category.id from photo_category join seen on photo_category.parent_id = seen.id where ${openTo(user)})
    select id from seen`;
}

/** Photos as they hang on the wall of somebody. Asked of the table by its name. */
export const shownTo = (user: Viewer): SQL =>
  sql`(photo.state = ${inSql(photoState.shown)} and photo.deleted_at is null and photo.category_id = any(array(${albumsSeen(user)})))`;

export const ownOf = (user: Viewer): SQL => sql`photo.uploader_id = ${user.id}`;

/**
 * Photos that a code on the page of management reaches: by scope, and those of albums one looks after. Whoever looks after an album reads
 * and reviews what comes to it, whatever their roles.
 */
export function reaches(user: Viewer, code: PermissionCode): SQL {
  const held = holds(user, code, page);
  if (!held && code !== 'Retrieve' && code !== 'chuli') return sql`false`;
  const scope = scopeOf(user, code, page);
  if (held && scope.all) return sql`true`;
  const kept = sql`photo.category_id = any(array(select id from photo_category where ${looksAfter(user)}))`;
  return !held || scope.depts.size === 0 ? kept : sql`(${isAmong(photoTable.dept_id, scope.depts)} or ${kept})`;
}

/** All that somebody may know of, in whatever state. */
export const visibleTo = (user: Viewer): SQL =>
  sql`(${shownTo(user)} or ${ownOf(user)} or ${reaches(user, 'Retrieve')})`;
