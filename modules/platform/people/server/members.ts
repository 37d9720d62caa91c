import { and, eq, inArray } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { holdRoles, rolesById, type RoleName } from '#modules/platform/access/service.ts';
import { members } from '../contract/members.ts';
import { notOneself, rightsBeyond, roleBeyond } from '../contract/refusals.ts';
import { endSessionsOf } from '../service/rights.ts';
import { holdersOf } from '../service.ts';
import { userRoleTable, userTable } from '../tables.ts';
import { keepingSuperAdmin, openDelegation } from './depts/delegation.ts';
import { reaches, usersWithin, type UserRecord } from './depts/reach.ts';
import { giveRoles, isHeld, refuseUntil } from './users/user-parts.ts';
import { byReading, selectUsers } from './users/user-rows.ts';

const page = 'system/role';

export const membersModule = implement('people', members, {
  async list({ params, query }, { tx, user }) {
    await roleOf(tx, params.id);
    const held = and(eq(userRoleTable.role_id, params.id), isHeld);
    const holders = tx.select({ id: userRoleTable.user_id }).from(userRoleTable).where(held);
    const select = selectUsers(tx).where(
      and(
        usersWithin(user, 'Retrieve', page),
        inArray(userTable.id, holders),
        matches(userTable.search, query.search_value),
      ),
    );
    const found = await pageOf(tx, query, select.$dynamic(), {
      by: { sort: userTable.sort, username: userTable.username, alias: byReading },
      first: 'sort',
      tie: userTable.id,
    });
    const delegation = await openDelegation(tx, user, found.value, { roles: [params.id] });
    const ids = found.value.map((row) => row.id);
    const ends = await tx
      .select({ id: userRoleTable.user_id, until: userRoleTable.until })
      .from(userRoleTable)
      .where(and(held, inArray(userRoleTable.user_id, ids)));
    const untilOf = new Map(ends.map(({ id, until }) => [id, until]));
    const value = found.value.map((row) => {
      const may =
        row.id !== user.id &&
        reaches(user, 'Update', page, row) &&
        delegation.mayActOn(row) &&
        delegation.mayHandle(params.id, delegation.deptsOf(row.id));
      return { ...row, until: untilOf.get(row.id) ?? null, actions: may ? ['remove'] : [] };
    });
    return { ...found, value };
  },

  async add({ params, body }, { tx, user, now, audit }) {
    await holdRoles(tx, [params.id]);
    const role = await roleOf(tx, params.id);
    const { until = null } = body;
    if (until !== null) await refuseUntil(tx, [role.id], until, now);
    const people = await peopleToChange(tx, user, body.user_ids);
    const delegation = await openDelegation(tx, user, people, { roles: [role.id] });
    for (const person of people) {
      if (person.id === user.id) throw notOneself('修改自己的角色');
      if (!delegation.mayActOn(person)) throw rightsBeyond(person.alias);
      const why = delegation.whyNotGive(role, delegation.deptsOf(person.id), until);
      if (why) throw why;
    }
    const added = await giveRoles(
      tx,
      people.map((person) => ({ user_id: person.id, role_id: role.id, until })),
    );
    for (const { id } of added) await endSessionsOf(tx, id);
    const names = people.filter((person) => added.some(({ id }) => id === person.id)).map((person) => person.alias);
    const after = { 新成员: names.join('、'), ...(until !== null && { 到期日期: until }) };
    audit({ type: '角色成员', id: role.id, title: role.name, after });
    return { added: added.length };
  },

  async remove({ params }, { tx, user, audit }) {
    const role = await roleOf(tx, params.id);
    const [person] = await peopleToChange(tx, user, [params.userId]);
    if (!person) throw absent('用户');
    if (person.id === user.id) throw notOneself('修改自己的角色');
    const delegation = await openDelegation(tx, user, [person], { roles: [role.id] });
    if (!delegation.mayActOn(person)) throw rightsBeyond(person.alias);
    if (!delegation.mayHandle(role.id, delegation.deptsOf(person.id))) throw roleBeyond(role.name);
    const gone = await keepingSuperAdmin(tx, () =>
      tx
        .delete(userRoleTable)
        .where(and(eq(userRoleTable.user_id, person.id), eq(userRoleTable.role_id, role.id)))
        .returning({ id: userRoleTable.user_id }),
    );
    if (gone.length === 0) throw absent('角色成员');
    await endSessionsOf(tx, person.id);
    audit({ type: '角色成员', id: role.id, title: role.name, before: { 成员: person.alias } });
    return { id: person.id };
  },

  leaders: (_input, { tx }) => holdersOf(tx, 'xld'),
});

async function roleOf(tx: Db, id: number): Promise<RoleName> {
  const [role] = await rolesById(tx, [id]);
  if (!role) throw absent('角色');
  return role;
}

/** All of the users, locked in a fixed order; absent if one of them is outside the scope. */
async function peopleToChange(tx: Db, user: Viewer, ids: readonly number[]): Promise<UserRecord[]> {
  const wanted = [...new Set(ids)];
  const found = await tx
    .select()
    .from(userTable)
    .where(and(inArray(userTable.id, wanted), usersWithin(user, 'Update', page)))
    .orderBy(userTable.id)
    .for('update');
  if (found.length !== wanted.length) throw absent('用户');
  return found;
}
