import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { everybodysRole, rolesById } from '#modules/access/service.ts';
import { deptsBelow, workingAmong } from '#modules/people/service.ts';
import { someoneGone } from '../contract/refusals.ts';
import type { Recipients } from '../contract/shapes.ts';

/** Refuses departments, roles and people that are not there any more. */
export async function checkRecipients(tx: Db, { depts, roles, users }: Recipients): Promise<void> {
  const below = new Set(await deptsBelow(tx, depts));
  const there =
    depts.every((dept) => below.has(dept)) &&
    (await rolesById(tx, roles)).length === new Set(roles).size &&
    (await workingAmong(tx, users)).length === new Set(users).size;
  if (!there) throw someoneGone();
}

/**
 * Everybody who is meant, each once, as `(user_id, dept_id, source)`: working people, with their main department and the
 * closest reason why (1 named, 2 department with all below, side posts too, 3 role).
 */
export function meant({ depts, roles, users }: Recipients): SQL {
  const list = (ids: readonly number[]) => sql`${sql.param([...new Set(ids)])}::int[]`;
  return sql`
    with recursive below as (
      select id from dept where id = any(${list(depts)}) and not is_deleted
      union select d.id from dept d join below on d.parent_id = below.id where not d.is_deleted),
    chosen as (
      select unnest(${list(users)}) id, 1 source
      union all select id, 2 from app_user where dept_id in (select id from below)
      union all select user_id, 2 from user_dept where dept_id in (select id from below)
      union all select user_id, 3 from user_role where role_id = any(${list(roles)})
      union all select u.id, 3 from app_user u
        where exists (select from role r where r.id = any(${list(roles)}) and r.code = ${everybodysRole}))
    select u.id user_id, u.dept_id, min(chosen.source)::int source
    from chosen join app_user u on u.id = chosen.id where u.is_active and not u.is_deleted group by u.id`;
}
