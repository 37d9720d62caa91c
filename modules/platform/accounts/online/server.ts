import { and, eq, ne } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { rightsBeyond } from '#modules/platform/people/contract/refusals.ts';
import { userToChange } from '#modules/platform/people/server/depts/reach.ts';
import { wrongPassword } from '../contract.ts';
import { passwordAsked } from '../contract/second.ts';
import { mostNamed, nobodyThere, online, ownSession } from '../contract/online.ts';
import { proveOwner } from '../profile/change.ts';
import { hasOwnPassword } from '../second/server.ts';
import { sessionTable } from '../tables.ts';
import {
  endThese,
  liveWithin,
  mayEnd,
  page,
  searched,
  selectSessions,
  sessionsToEnd,
  shownSessions,
} from './online.ts';

/** Open sessions. Ending somebody's session requires the same as every action on another account: the scope, and rights that go no further. */
export const onlineModule = ({ attempts }: { attempts: Attempts }): ServerModule =>
  implement('accounts', online, {
    async list({ query }, { tx, user }) {
      const select = selectSessions(tx).where(and(liveWithin(user, 'Retrieve'), await searched(tx, query)));
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

    async previewEnd({ query }, { tx, user }) {
      const { ended, kept } = await sessionsToEnd(tx, user, query);
      const namesOf = (people: typeof ended) => [...people.values()].slice(0, mostNamed).map(([row]) => row!.alias);
      const count = [...ended.values()].flat().length;
      return { count, people: ended.size, names: namesOf(ended), kept: kept.size, kept_names: namesOf(kept) };
    },

    endAll: staged(online.endAll, {
      // It stops everybody's work: an unattended screen must not be enough.
      async before({ body }, { read, user }) {
        if (!(await hasOwnPassword(read, user))) return;
        if (!body.password) throw passwordAsked();
        await proveOwner({ attempts }, read, user, body.password, wrongPassword);
      },
      async run({ body }, { tx, user, audit }) {
        const { ended, kept } = await sessionsToEnd(tx, user, body);
        const sessions = [...ended.values()].flat();
        await endThese(
          tx,
          sessions.map((row) => row.id),
        );
        for (const [id, theirs] of ended) {
          const { alias, username } = theirs[0]!;
          audit({ type: '登录', id, title: `${alias}（${username}） ${theirs.length} 处` });
        }
        return { count: sessions.length, people: ended.size, kept: kept.size };
      },
    }),
  });
