import { and, eq, inArray, ne } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { rightsBeyond } from '#modules/platform/people/contract/refusals.ts';
import { userToChange } from '#modules/platform/people/server/depts/reach.ts';
import { deptsBelow } from '#modules/platform/people/service.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { wrongPassword } from '../contract.ts';
import { passwordAsked } from '../contract/second.ts';
import { nobodyThere, online, ownSession } from '../contract/online.ts';
import { proveOwner } from '../profile/change.ts';
import { hasOwnPassword } from '../second/server.ts';
import { sessionTable } from '../tables.ts';
import { endThese, liveWithin, mayEnd, page, selectSessions, shownSessions } from './online.ts';

/** Open sessions. Ending somebody's session requires the same as every action on another account: the scope, and rights that go no further. */
export const onlineModule = ({ attempts }: { attempts: Attempts }): ServerModule =>
  implement('accounts', online, {
    async list({ query }, { tx, user }) {
      const select = selectSessions(tx).where(
        and(
          liveWithin(user, 'Retrieve'),
          matches(userTable.search, query.search_value),
          query.dept ? inArray(userTable.dept_id, await deptsBelow(tx, [query.dept])) : undefined,
          query.way ? eq(sessionTable.way, query.way) : undefined,
        ),
      );
      const found = await pageOf(tx, query, select.$dynamic(), {
        by: { last_seen: sessionTable.last_seen, gmt_created: sessionTable.gmt_created },
        first: 'last_seen',
        descending: true,
        tie: sessionTable.id,
      });
      return { ...found, value: await shownSessions(tx, user, found.value) };
    },

    async end({ params: { id } }, { tx, user, audit }) {
      if (id === user.sessionId) throw ownSession();
      const [row] = await selectSessions(tx).where(and(liveWithin(user, 'Delete'), eq(sessionTable.id, id)));
      if (!row) throw absent('这处登录');
      await userToChange(tx, user, row.user_id, 'Delete', page);
      if (!(await mayEnd(tx, user, [row]))(row)) throw rightsBeyond(row.alias);
      await endThese(tx, [id]);
      audit({ type: '登录', id, title: `${row.alias}（${row.username}） ${row.ip}` });
      return { id };
    },

    async endPerson({ params: { id } }, { tx, user, audit }) {
      const person = await userToChange(tx, user, id, 'Delete', page);
      const rows = await selectSessions(tx).where(
        and(liveWithin(user, 'Delete'), eq(sessionTable.user_id, id), ne(sessionTable.id, user.sessionId)),
      );
      const [first] = rows;
      if (!first) throw nobodyThere(person.alias);
      if (!(await mayEnd(tx, user, rows))(first)) throw rightsBeyond(person.alias);
      await endThese(
        tx,
        rows.map((row) => row.id),
      );
      audit({ type: '登录', id, title: `${person.alias}（${person.username}） ${rows.length} 处` });
      return { count: rows.length };
    },

    endAll: staged(online.endAll, {
      // It stops everybody's work: an unattended screen must not be enough.
      async before({ body }, { read, user }) {
        if (!(await hasOwnPassword(read, user))) return;
        if (!body.password) throw passwordAsked();
        await proveOwner({ attempts }, read, user, body.password, wrongPassword);
      },
      async run(_input, { tx, user, audit }) {
        const rows = await selectSessions(tx)
          .where(and(liveWithin(user, 'Delete'), ne(sessionTable.user_id, user.id)))
          .orderBy(sessionTable.user_id, sessionTable.id);
        const ends = await mayEnd(tx, user, rows);
        const ended = rows.filter(ends);
        await endThese(
          tx,
          ended.map((row) => row.id),
        );
        const people = Map.groupBy(ended, (row) => row.user_id);
        for (const [id, theirs] of people) {
          const { alias, username } = theirs[0]!;
          audit({ type: '登录', id, title: `${alias}（${username}） ${theirs.length} 处` });
        }
        const kept = new Set(rows.filter((row) => !ends(row)).map((row) => row.user_id)).size;
        return { count: ended.length, people: people.size, kept };
      },
    }),
  });
