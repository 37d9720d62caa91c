import { and, eq, gte, inArray, notInArray, sql } from 'drizzle-orm';
import { absent, stale } from '#kernel/contract/refusal.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { allRoles, rolesById } from '#modules/platform/access/service.ts';
import { notOneself, rightsBeyond } from '../../contract/refusals.ts';
import { noSecond, noSso, noWechat, superAdminOnly, usernameTaken, users } from '../../contract/users.ts';
import { deptsBelow } from '../../service.ts';
import { endSessionsOf } from '../../service/rights.ts';
import { deptPersonTable, secretaryTable, userRoleTable, userTable } from '../../tables.ts';
import { refuseBecoming } from '../depts/becoming.ts';
import { keepingSuperAdmin, openDelegation } from '../depts/delegation.ts';
import { giveOneTimePassword, oneTimePassword } from './one-time-password.ts';
import { revealPhone } from '../phones.ts';
import { deptsToJoin, usersWithin, userToChange } from '../depts/reach.ts';
import { changeUser } from './user-change.ts';
import {
  columnsOf,
  isHeld,
  phoneTaken,
  placeDepts,
  placeLeaders,
  placeRoles,
  refusePosts,
  rolesToGive,
  withVisibility,
} from './user-parts.ts';
import { byReading, selectUsers, userFacts, userRows, type Bindings } from './user-rows.ts';

export interface UserServices {
  attempts: Attempts;
  bindings: Bindings;
  /** Removes the second step of signing in from somebody who lost their authenticator; false if there was none. */
  forgetSecond(tx: Db, userId: number): Promise<boolean>;
  /** Tells people of changes to their account, and of their author. */
  news: {
    phone(tx: Db, userId: number, number: string | null, by: string): Promise<void>;
    reset(tx: Db, userId: number, by: string): Promise<void>;
    second(tx: Db, userId: number, by: string): Promise<void>;
  };
}

export function usersModule({ attempts, bindings, forgetSecond, news }: UserServices): ServerModule {
  return implement('people', users, {
    async list({ query }, { tx, user }) {
      const ending = tx
        .select({ id: userRoleTable.user_id })
        .from(userRoleTable)
        .where(gte(userRoleTable.until, sql`current_date`));
      const select = selectUsers(tx).where(
        and(
          usersWithin(user, 'Retrieve', 'system/user'),
          matches(userTable.search, query.search_value),
          query.dept ? inArray(userTable.dept_id, await deptsBelow(tx, [query.dept])) : undefined,
          query.is_active === undefined ? undefined : eq(userTable.is_active, query.is_active),
          query.role
            ? inArray(
                userTable.id,
                tx
                  .select({ id: userRoleTable.user_id })
                  .from(userRoleTable)
                  .where(and(eq(userRoleTable.role_id, query.role), isHeld)),
              )
            : undefined,
          query.temporary === true ? inArray(userTable.id, ending) : undefined,
          query.temporary === false ? notInArray(userTable.id, ending) : undefined,
        ),
      );
      const page = await pageOf(tx, query, select.$dynamic(), {
        by: {
          sort: userTable.sort,
          username: userTable.username,
          alias: byReading,
          last_login: userTable.last_login,
          gmt_created: userTable.gmt_created,
        },
        first: 'sort',
        tie: userTable.id,
      });
      return { ...page, value: await userRows(tx, user, page.value, bindings) };
    },

    create: staged(users.create, {
      before: () => oneTimePassword(),
      async run({ body, prepared }, { tx, user, audit }) {
        const { dept = null, depts = [], roles = [], leader_of = [] } = body;
        if (body.type_id && !user.superAdmin) throw superAdminOnly('指定用户类型');
        await deptsToJoin(tx, user, 'Create', dept, depts);
        await refusePosts(tx, user, [body.post ?? '']);
        await rolesToGive(tx, user, roles, [...(dept === null ? [] : [dept]), ...depts]);
        const [input] = await withVisibility(tx, [body]);
        const [made] = await tx
          .insert(userTable)
          .values({
            ...columnsOf(input!),
            username: body.username,
            alias: body.alias,
            password: prepared.hash,
            must_change_pwd: true,
          })
          .returning({ id: userTable.id })
          .catch(refuseOn('app_user_username_unique', () => usernameTaken(body.username)))
          .catch(phoneTaken(body.phone));
        const id = made!.id;
        await placeDepts(tx, id, dept, depts);
        await placeRoles(tx, id, roles);
        await placeLeaders(tx, user, id, leader_of);
        const [row] = await userRows(tx, user, await selectUsers(tx).where(eq(userTable.id, id)), bindings);
        audit({
          type: '用户',
          id,
          title: body.alias,
          after: { 用户名: body.username, ...(row ? userFacts(row) : {}) },
        });
        return { id, username: body.username, password: prepared.plain };
      },
    }),

    async update({ params, body }, { tx, user, audit }) {
      const found = await userToChange(tx, user, params.id, 'Update');
      const read = async () =>
        (await userRows(tx, user, await selectUsers(tx).where(eq(userTable.id, found.id)), bindings))[0] ?? null;
      const before = await read();
      if (!before) throw absent('用户');
      if (body.version !== undefined && body.version !== found.version) throw stale('用户', before);
      const { newPhone } = await changeUser(tx, user, found, before, body);
      if (newPhone) await news.phone(tx, found.id, body.phone || null, user.alias);
      const after = (await read()) ?? before;
      // Two numbers may have the same mask: they are compared in full, and the log masks what it stores.
      const phone = body.phone ?? found.phone ?? '';
      audit({
        type: '用户',
        id: found.id,
        title: after.alias,
        before: { ...userFacts(before), 手机: found.phone ?? '' },
        after: { ...userFacts(after), 手机: phone },
      });
      return after;
    },

    async remove({ params }, { tx, user, audit }) {
      const found = await userToChange(tx, user, params.id, 'Delete');
      if (found.id === user.id) throw notOneself('删除自己');
      if (!(await openDelegation(tx, user, [found])).mayActOn(found)) throw rightsBeyond(found.alias);
      await keepingSuperAdmin(tx, async () => {
        await tx
          .update(userTable)
          .set({ is_deleted: true, is_active: false, gmt_modified: sql`now()`, version: found.version + 1 })
          .where(eq(userTable.id, found.id));
        await tx.delete(userRoleTable).where(eq(userRoleTable.user_id, found.id));
      });
      await tx.delete(deptPersonTable).where(eq(deptPersonTable.user_id, found.id));
      await tx
        .delete(secretaryTable)
        .where(sql`${secretaryTable.secretary_id} = ${found.id} or ${secretaryTable.leader_id} = ${found.id}`);
      await endSessionsOf(tx, found.id);
      audit({ type: '用户', id: found.id, title: found.alias, before: { 用户名: found.username, 姓名: found.alias } });
      return { id: found.id };
    },

    resetPassword: staged(users.resetPassword, {
      before: () => oneTimePassword(),
      async run({ params, prepared }, { tx, user, audit }) {
        const found = await userToChange(tx, user, params.id, 'Update');
        if (found.id === user.id) throw notOneself('重置自己的密码');
        await refuseBecoming(tx, user, found);
        await giveOneTimePassword(tx, found.id, prepared);
        await news.reset(tx, found.id, user.alias);
        audit({ type: '用户', id: found.id, title: found.alias });
        return { password: prepared.plain };
      },
    }),

    async forgetSecond({ params }, { tx, user, audit }) {
      const found = await userToChange(tx, user, params.id, 'Update');
      if (found.id === user.id) throw notOneself('在这里关闭自己的二次验证');
      await refuseBecoming(tx, user, found);
      if (!(await forgetSecond(tx, found.id))) throw noSecond(found.alias);
      await endSessionsOf(tx, found.id);
      await news.second(tx, found.id, user.alias);
      audit({ type: '用户', id: found.id, title: found.alias });
      return { id: found.id };
    },

    async unbindWechat({ params }, { tx, user, audit }) {
      const found = await userToChange(tx, user, params.id, 'Update');
      if (found.id === user.id) throw notOneself('在这里解除自己的微信绑定');
      await refuseBecoming(tx, user, found);
      if (!(await bindings.unbind(tx, found.id))) throw noWechat(found.alias);
      await endSessionsOf(tx, found.id);
      audit({ type: '用户', id: found.id, title: found.alias });
      return { id: found.id };
    },

    async releaseSso({ params }, { tx, user, audit }) {
      const found = await userToChange(tx, user, params.id, 'Update');
      if (found.id === user.id) throw notOneself('在这里解除自己的单点登录绑定');
      await refuseBecoming(tx, user, found);
      if (!(await bindings.releaseSso(tx, found.id))) throw noSso(found.alias);
      await endSessionsOf(tx, found.id);
      audit({ type: '用户', id: found.id, title: found.alias });
      return { id: found.id };
    },

    async roles({ params }, { tx, user }) {
      const [found] = await tx
        .select({ id: userTable.id })
        .from(userTable)
        .where(and(eq(userTable.id, params.id), usersWithin(user, 'Retrieve', 'system/user', 'system/role')));
      if (!found) throw absent('用户');
      const held = await tx
        .select()
        .from(userRoleTable)
        .where(and(eq(userRoleTable.user_id, found.id), isHeld));
      return rolesById(
        tx,
        held.map((row) => row.role_id),
      );
    },

    async grantable(_input, { tx, user }) {
      const roles = await allRoles(tx);
      const delegation = await openDelegation(tx, user, [], { roles: roles.map((role) => role.id), depts: user.depts });
      return roles.filter((role) => delegation.mayHandle(role.id, user.depts));
    },

    phone: revealPhone(attempts),
  });
}
