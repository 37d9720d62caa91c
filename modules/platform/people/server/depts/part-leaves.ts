import { and, eq, sql } from 'drizzle-orm';
import { forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { partBeyond } from '../../contract/refusals.ts';
import { eachHanded, heldOf, type Leaves } from '../../service/leaves.ts';
import { deptPersonTable, deptTable } from '../../tables.ts';
import { partNames, signerBeyond } from './dept-delegation.ts';
import { deptsWithin } from './reach.ts';

const kinds = Object.keys(partNames) as (keyof typeof partNames)[];
const { dept_id: deptId, user_id: userId, part } = deptPersonTable;

/** Somebody's functions in departments; `reached`: the viewer may change the department. */
async function partsOf(tx: Db, person: number, viewer?: Viewer) {
  const rows = await tx
    .select({
      dept: deptId,
      part,
      name: deptTable.name,
      reached: viewer ? sql<boolean>`${deptsWithin(viewer, 'Update', 'system/dept')}` : sql<boolean>`false`,
    })
    .from(deptPersonTable)
    .innerJoin(deptTable, eq(deptTable.id, deptId))
    .where(and(eq(userId, person), eq(deptTable.is_deleted, false)))
    .orderBy(deptTable.order_id, deptTable.id, part);
  return rows.map((row) => ({
    ...row,
    // A person may have several functions in one department.
    id: row.dept * kinds.length + kinds.indexOf(row.part),
    title: row.name,
    note: partNames[row.part],
    at: null,
  }));
}

/** Heads, approvers, leaders in charge and secretaries of departments. */
export const partLeaves: Leaves = {
  key: 'parts',
  title: '部门职务',
  openOf: async (tx, person, limit) => heldOf((await partsOf(tx, person)).map(heldPart), limit),
  handOver: async (tx, from, to, { user }, only) =>
    eachHanded(await partsOf(tx, from.id, user), only, async (row) => {
      if (!row.reached) throw forbidden('修改该部门');
      const beyond = await signerBeyond(tx, user, row.dept, [from.username, to.username]);
      if (beyond) throw partBeyond(beyond.alias, row.note);
      const held = and(eq(deptId, row.dept), eq(part, row.part));
      await tx.delete(deptPersonTable).where(and(held, eq(userId, from.id)));
      await tx
        .insert(deptPersonTable)
        .values({ dept_id: row.dept, user_id: to.id, part: row.part })
        .onConflictDoNothing();
    }),
};

const heldPart = ({ id, title, note, at }: Awaited<ReturnType<typeof partsOf>>[number]) => ({ id, title, note, at });
