import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { superRole } from '#modules/platform/access/service.ts';
import { userType } from '../../contract/codes.ts';
import { personWithRights, viewerOf } from '../../service/rights.ts';
import { openDelegation, type Subject } from '../depts/delegation.ts';
import { reaches } from '../depts/reach.ts';

const page = 'system/user';

/** A role that somebody of a department held. */
interface Held {
  user_id: number;
  type_id: number;
  dept_id: number | null;
  role_id: number;
}

/**
 * Roles that ended, for each administrator who could give them again to the same people: the nearest ones, so super administrators get only what
 * nobody else could give. Nobody gets their own roles.
 */
export async function byAdministrator<T extends Held>(tx: Db, ended: readonly T[]): Promise<Map<number, T[]>> {
  const found = new Map<number, T[]>();
  if (ended.length === 0) return found;
  const administrators = await administratorsOf(tx);
  const near = new Set<T>();
  for (const one of administrators.filter(({ superAdmin }) => !superAdmin)) {
    const able = await givenBy(tx, one, ended);
    if (able.length > 0) found.set(one.id, able);
    for (const entry of able) near.add(entry);
  }
  const left = ended.filter((entry) => !near.has(entry));
  for (const { id } of administrators.filter(({ superAdmin }) => superAdmin)) {
    const others = left.filter((entry) => entry.user_id !== id);
    if (others.length > 0) found.set(id, others);
  }
  return found;
}

/** Those of the roles that an administrator could give again. */
async function givenBy<T extends Held>(tx: Db, viewer: Viewer, ended: readonly T[]): Promise<T[]> {
  const subjectOf = ({ user_id: id, type_id, dept_id }: Held): Subject => ({ id, type_id, dept_id });
  const reached = ended.filter(
    (entry) => entry.user_id !== viewer.id && reaches(viewer, 'Update', page, subjectOf(entry)),
  );
  if (reached.length === 0) return [];
  const roles = reached.map((entry) => entry.role_id);
  const delegation = await openDelegation(tx, viewer, reached.map(subjectOf), { roles });
  return reached.filter(
    (entry) =>
      delegation.mayActOn(subjectOf(entry)) && delegation.mayHandle(entry.role_id, delegation.deptsOf(entry.user_id)),
  );
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
