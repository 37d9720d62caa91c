import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { superRole } from '#modules/platform/access/service.ts';
import { userType } from '../../contract/codes.ts';
import { personWithRights, viewerOf } from '../../service/rights.ts';
import { reaches } from '../depts/reach.ts';

const page = 'system/user';

/**
 * Entries about people, for each administrator who may change those people: the nearest ones, so super administrators get only what nobody else
 * reaches. Nobody gets entries about themselves.
 */
export async function byAdministrator<T extends { user_id: number; dept_id: number | null }>(
  tx: Db,
  entries: readonly T[],
): Promise<Map<number, T[]>> {
  const found = new Map<number, T[]>();
  if (entries.length === 0) return found;
  const administrators = await administratorsOf(tx);
  for (const entry of entries) {
    const person = { id: entry.user_id, dept_id: entry.dept_id };
    const able = administrators.filter((one) => one.id !== person.id && reaches(one, 'Update', page, person));
    const near = able.filter((one) => !one.superAdmin);
    for (const { id } of near.length > 0 ? near : able) found.set(id, [...(found.get(id) ?? []), entry]);
  }
  return found;
}

/** Everybody at work who may change users somewhere, with their rights. */
async function administratorsOf(tx: Db): Promise<Viewer[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select u.id from app_user u
    where u.is_active and not u.is_deleted and (u.type_id = ${inSql(userType.superAdmin)} or exists (
      select 1 from held_role h join role r on r.id = h.role_id
      where h.user_id = u.id and (r.code = ${superRole} or exists (
        select 1 from role_menu_button rb join menu_button mb on mb.id = rb.menu_button_id
        join button b on b.id = mb.button_id and b.code = 'Update' join menu m on m.id = mb.menu_id and m.component = ${page}
        where rb.role_id = r.id))))
    order by u.id`);
  const viewers: Viewer[] = [];
  for (const { id } of rows) {
    const person = await personWithRights(tx, id);
    if (person) viewers.push(viewerOf(person, 0));
  }
  return viewers;
}
