import { and, asc, eq, ne, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { forbidden } from '#kernel/contract/refusal.ts';
import { touched } from '#kernel/server/db/version.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { customersWithin, projectsWithin } from './service.ts';
import { customerTable, projectTable } from './tables.ts';

interface Held {
  key: string;
  title: string;
  table: typeof customerTable | typeof projectTable;
  holder: typeof customerTable.owner | typeof projectTable.manager;
  mine: (viewer: Viewer) => SQL;
  /** The columns that change when a row is handed over. */
  set: (from: number, to: number) => Record<string, number | SQL>;
}

const leavesOf = ({ key, title, table, holder, mine, set }: Held): Leaves => {
  const { id, name, is_deleted } = table;
  const heldBy = (person: number) => and(eq(holder, person), eq(is_deleted, false));
  const read = { id, title: name, note: sql<string>`${`${title}负责人`}`, at: sql<null>`null` };
  return {
    key,
    title,
    openOf: async (tx, person, limit) =>
      heldOf(await tx.select(read).from(table).where(heldBy(person)).orderBy(asc(id)), limit),
    async handOver(tx, from, to, { user }, only) {
      const known = { ...read, mine: sql<boolean>`${mine(user)}` };
      const rows = await tx.select(known).from(table).where(heldBy(from.id)).orderBy(asc(id)).for('update');
      return eachHanded(rows, only, async (row) => {
        if (!row.mine) throw forbidden(`移交${title}`);
        await tx
          .update(table as PgTable)
          .set({ ...set(from.id, to.id), ...touched(table) })
          .where(eq(id, row.id));
      });
    },
  };
};
/** Places of the leaver among members and alarm recipients of projects that others manage. */
const alertLeaves: Leaves = {
  key: 'customer_alerts',
  title: '项目成员与告警通知人',
  openOf: async (tx, person, limit) =>
    heldOf(await tx.select(placed).from(projectTable).where(placedIn(person)), limit),
  async handOver(tx, from, to, { user }, only) {
    const known = { ...placed, mine: sql<boolean>`${projectsWithin(user, 'Update')}` };
    const rows = await tx
      .select(known)
      .from(projectTable)
      .where(placedIn(from.id))
      .orderBy(asc(projectTable.id))
      .for('update');
    return eachHanded(rows, only, async (row) => {
      if (!row.mine) throw forbidden('移交项目告警');
      const { members, alert_users } = projectTable;
      const set = { members: inPlaces(members, from.id, to.id), alert_users: inPlaces(alert_users, from.id, to.id) };
      await tx
        .update(projectTable)
        .set({ ...set, ...touched(projectTable) })
        .where(eq(projectTable.id, row.id));
    });
  },
};
const placed = {
  id: projectTable.id,
  title: projectTable.name,
  note: sql<string>`'成员或告警通知人'`,
  at: sql<null>`null`,
};
const placedIn = (person: number) =>
  and(
    eq(projectTable.is_deleted, false),
    ne(projectTable.manager, person),
    sql`(${projectTable.members} @> array[${person}]::int[] or ${projectTable.alert_users} @> array[${person}]::int[])`,
  );
const inPlaces = (column: typeof projectTable.members | typeof projectTable.alert_users, from: number, to: number) =>
  sql`array(select distinct unnest(array_replace(${column}, ${from}::int, ${to}::int)))`;

/** Customers of a leaver, projects they manage, with their places among members and alarm recipients, and their places in projects of others. */
export const customerLeaves: Leaves[] = [
  leavesOf({
    key: 'customers',
    title: '客户',
    table: customerTable,
    holder: customerTable.owner,
    mine: (viewer) => customersWithin(viewer, 'Update'),
    set: (_from, to) => ({ owner: to }),
  }),
  leavesOf({
    key: 'customer_projects',
    title: '项目',
    table: projectTable,
    holder: projectTable.manager,
    mine: (viewer) => projectsWithin(viewer, 'Update'),
    set: (from, to) => ({
      manager: to,
      members: inPlaces(projectTable.members, from, to),
      alert_users: inPlaces(projectTable.alert_users, from, to),
    }),
  }),
  alertLeaves,
];
