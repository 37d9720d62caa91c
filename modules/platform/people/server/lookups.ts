import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { startsWith } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { within } from '#kernel/server/access/scope.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import type { DeptBranch, DeptOption, PersonCard } from '../contract/cards.ts';
import { lookups, mostInTree, treeTooLarge } from '../contract/lookups.ts';
import { cards, deptsBelow, holdersOf, membersOf, partsOf, secretariesOf, working } from '../service.ts';
import { deptPersonTable, deptTable, secretaryTable, userTable } from '../tables.ts';
import { personOf, staffRows } from './person.ts';
import { usersWithin } from './depts/reach.ts';
import { byReading, selectUsers } from './users/user-rows.ts';

const open = and(eq(deptTable.is_active, true), eq(deptTable.is_deleted, false));

export const lookupsModule: ServerModule = implement('people', lookups, {
  simpleUsers: async ({ query }, { tx }) =>
    cards(
      tx,
      and(
        working,
        matches(userTable.search, query.search_value),
        query.dept ? inArray(userTable.dept_id, await deptsBelow(tx, [query.dept])) : undefined,
        query.ids ? inArray(userTable.id, query.ids) : undefined,
        query.usernames ? inArray(userTable.username, query.usernames) : undefined,
      ),
      query.limit,
    ),

  simpleDepts: ({ query }, { tx }) => options(tx, and(open, matches(deptTable.search, query.search_value))),

  managedDepts({ query }, { tx, user }) {
    const own = user.depts.length > 0 ? inArray(deptTable.id, [...user.depts]) : sql`false`;
    const reached = within(scopeOf(user, 'Retrieve', 'system/user', 'system/dept'), deptTable.id, own);
    return options(
      tx,
      and(eq(deptTable.is_deleted, false), reached, matches(deptTable.search, query.search_value)),
      usersWithin(user, 'Retrieve', 'system/user'),
    );
  },

  async deptsUsers({ query }, { tx }) {
    const ids = query.dept ? await deptsBelow(tx, [query.dept]) : null;
    if (ids?.length === 0) return [];
    const depts = await options(tx, and(open, ids ? inArray(deptTable.id, ids) : undefined));
    const people = await cards(tx, and(working, ids ? inArray(userTable.dept_id, ids) : undefined), mostInTree + 1);
    if (people.length > mostInTree) throw treeTooLarge(mostInTree);
    return branches(depts, people);
  },

  async deptsLeaders(_input, { tx }) {
    const depts = await options(tx, open);
    const parts = await tx
      .select({ dept: deptPersonTable.dept_id, user: deptPersonTable.user_id })
      .from(deptPersonTable)
      .where(eq(deptPersonTable.part, 'leader'));
    const people =
      parts.length > 0
        ? await cards(
            tx,
            and(
              working,
              inArray(
                userTable.id,
                parts.map((p) => p.user),
              ),
            ),
          )
        : [];
    return depts.map((dept) => ({
      dept,
      leaders: people.filter((person) => parts.some((part) => part.dept === dept.id && part.user === person.id)),
    }));
  },

  deptUsers: ({ query }, { tx, user }) => membersOf(tx, query.dept_id ? [query.dept_id] : user.depts),
  heads: ({ query }, { tx }) => partsOf(tx, query.dept ? [query.dept] : 'all', 'leader'),
  inCharge: ({ query }, { tx }) => partsOf(tx, query.dept ? [query.dept] : 'all', 'dept_ld'),
  secretaries: ({ query }, { tx }) =>
    query.leader
      ? secretariesOf(tx, [query.leader])
      : cards(
          tx,
          and(working, inArray(userTable.id, tx.select({ id: secretaryTable.secretary_id }).from(secretaryTable))),
        ),
  allDepts: (_input, { tx }) => options(tx, eq(deptTable.is_deleted, false)),
  leaders: (_input, { tx }) => holdersOf(tx, 'xld'),

  messageable: async ({ query }, { tx, user }) => ({
    value: await cards(tx, and(working, matches(userTable.search, query.search_value)), query.limit),
    can_all: scopeOf(user, 'Create', 'msg/send').all,
  }),

  async leaderDeptUsers({ query }, { tx, user }) {
    const depts = await tx
      .selectDistinct({ id: deptPersonTable.dept_id })
      .from(deptPersonTable)
      .where(
        and(eq(deptPersonTable.user_id, query.leader ?? user.id), inArray(deptPersonTable.part, ['leader', 'dept_ld'])),
      );
    return membersOf(
      tx,
      depts.map((dept) => dept.id),
    );
  },

  person: ({ params }, { tx, user }) => personOf(tx, user, params.id),

  async allStaff({ query }, { tx, user }) {
    const below = query.dept ? await deptsBelow(tx, [query.dept]) : null;
    const beside = sql`exists (select 1 from user_dept d where d.user_id = ${userTable.id} and d.dept_id = any(${sql.param(below ?? [])}::int[]))`;
    const select = selectUsers(tx).where(
      and(
        working,
        matches(userTable.search, query.search_value),
        below ? sql`(${inArray(userTable.dept_id, below.length > 0 ? below : [0])} or ${beside})` : undefined,
        query.ids ? inArray(userTable.id, query.ids) : undefined,
        query.letter ? beginsWith(query.letter) : undefined,
      ),
    );
    const page = await pageOf(tx, query, select.$dynamic(), {
      by: { sort: userTable.sort, alias: byReading, username: userTable.username },
      first: query.letter ? 'alias' : 'sort',
      tie: userTable.id,
    });
    const value = await staffRows(tx, user, page.value);
    return { ...page, value };
  },
});

/** People whose name's reading begins with this letter. */
const beginsWith = (letter: string) =>
  letter === '#' ? sql`${userTable.reading} !~ '^[a-z]'` : startsWith(userTable.reading, letter.toLowerCase());

/** Departments in display order with the number of people in each. */
async function options(tx: Db, where: SQL | undefined, counted: SQL | undefined = working): Promise<DeptOption[]> {
  const heads = tx
    .select({ dept_id: userTable.dept_id, count: sql<number>`count(*)::int`.as('heads') })
    .from(userTable)
    .where(counted)
    .groupBy(userTable.dept_id)
    .as('heads');
  return tx
    .select({
      id: deptTable.id,
      name: deptTable.name,
      parentId: sql<number>`coalesce(${deptTable.parent_id}, 0)`,
      user_count: sql<number>`coalesce(${heads.count}, 0)`,
    })
    .from(deptTable)
    .leftJoin(heads, eq(heads.dept_id, deptTable.id))
    .where(where)
    .orderBy(asc(deptTable.order_id), asc(deptTable.id));
}

/** A department whose parent is not among them is shown at the top. */
function branches(depts: readonly DeptOption[], people: readonly PersonCard[]): DeptBranch[] {
  const nodes = new Map<number, DeptBranch>(depts.map((dept) => [dept.id, { ...dept, users: [], children: [] }]));
  for (const person of people) if (person.dept_id !== null) nodes.get(person.dept_id)?.users.push(person);
  const top: DeptBranch[] = [];
  for (const node of nodes.values()) (nodes.get(node.parentId)?.children ?? top).push(node);
  return top;
}
