import { eq, sql } from 'drizzle-orm';
import { absent, tooMany } from '#kernel/contract/refusal.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import { staged } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { noPhone, phoneHidden, users } from '../contract/users.ts';
import { deptTable, userTable } from '../tables.ts';
import { reaches, usersWithin } from './depts/reach.ts';

export interface PhoneOwner {
  id: number;
  phone: string | null;
  phone_visible: number;
  dept_id: number | null;
  depts: readonly number[];
}

/** People who may see a number besides the user's own departments: leaders, the office and secretaries, and those who edit the user. */
const insiders = ['xld', 'dept_ld', 'office_admin', 'secretary'];

export function mayAskPhone(viewer: Viewer, owner: PhoneOwner): boolean {
  if (!owner.phone) return false;
  if (owner.phone_visible === 1 || owner.id === viewer.id || viewer.superAdmin) return true;
  if (insiders.some((code) => viewer.roleCodes.has(code)) || reaches(viewer, 'Update', 'system/user', owner))
    return true;
  const theirs = new Set([...owner.depts, ...(owner.dept_id === null ? [] : [owner.dept_id])]);
  return owner.phone_visible === 2 && viewer.depts.some((dept) => theirs.has(dept));
}

/** A number in lists and pickers: `138****0000`, or nothing. */
export function maskedPhone(viewer: Viewer, owner: PhoneOwner): string {
  if (!owner.phone || !mayAskPhone(viewer, owner)) return '';
  return `${owner.phone.slice(0, 3)}****${owner.phone.slice(-4)}`;
}

/** The further departments of the joined user row. */
export const besideDepts = sql<
  number[]
>`array(select dept_id from user_dept where user_id = ${userTable.id} order by 1)`;

const aDay = { kind: 'phone_reveal', limit: 50, seconds: 24 * 3600 };

/** Shows one number. Counted before it is read, so that a refused try costs as much as a successful one. */
export function revealPhone(attempts: Attempts) {
  return staged(users.phone, {
    async before({ params }, { user }) {
      if (params.id === user.id) return;
      const tries = await attempts.hit(aDay, String(user.id));
      if (tries.exceeded) throw tooMany('查看手机号', tries.retryAfter);
    },
    async run({ params }, { tx, user, audit }) {
      const [owner] = await tx
        .select({
          id: userTable.id,
          alias: userTable.alias,
          phone: userTable.phone,
          phone_visible: userTable.phone_visible,
          dept_id: userTable.dept_id,
          depts: besideDepts,
        })
        .from(userTable)
        .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id))
        .where(
          sql`${userTable.id} = ${params.id} and not ${userTable.is_deleted} and (${userTable.is_active} or ${usersWithin(user, 'Retrieve', 'system/user')})`,
        );
      if (!owner) throw absent('用户');
      if (!owner.phone) throw noPhone(owner.alias);
      if (!mayAskPhone(user, owner)) throw phoneHidden(owner.alias);
      audit({ type: '手机号', id: owner.id, title: owner.alias });
      return { phone: owner.phone };
    },
  });
}
