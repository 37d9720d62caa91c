import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '#kernel/server/db/db.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { DeptInput, DeptRow } from '../../contract/depts.ts';
import { unknownPeople } from '../../contract/refusals.ts';
import { calledBy, peopleByName, working, type DeptPart } from '../../service.ts';
import { deptPersonTable, deptTable, userTable } from '../../tables.ts';

const parent = alias(deptTable, 'parent');
const home = alias(deptTable, 'home');

const columns = {
  id: deptTable.id,
  name: deptTable.name,
  parent: sql<number>`coalesce(${deptTable.parent_id}, 0)`,
  parent_name: sql<string>`coalesce(${parent.name}, '')`,
  code: sql<string>`coalesce(${deptTable.code}, '')`,
  type: deptTable.type,
  phone: deptTable.phone,
  order_id: deptTable.order_id,
  status: deptTable.is_active,
  label: deptTable.label,
  child_count: sql<number>`(select count(*)::int from dept c where c.parent_id = ${deptTable.id} and not c.is_deleted)`,
  user_count: sql<number>`(select count(*)::int from app_user u where u.dept_id = ${deptTable.id} and not u.is_deleted)`,
  gmt_created: deptTable.gmt_created,
  gmt_modified: deptTable.gmt_modified,
  version: deptTable.version,
};

export function selectDepts(tx: Db) {
  return tx.select(columns).from(deptTable).leftJoin(parent, eq(parent.id, deptTable.parent_id));
}
type Selected = Awaited<ReturnType<typeof selectDepts>>[number];

/** Rows for the reply, with the people of each department: one query for any number of rows. */
export async function deptRows(tx: Db, viewer: Viewer, selected: readonly Selected[]): Promise<DeptRow[]> {
  if (selected.length === 0) return [];
  const ids = selected.map((row) => row.id);
  const people = await tx
    .select({
      dept: deptPersonTable.dept_id,
      part: deptPersonTable.part,
      id: userTable.id,
      username: userTable.username,
      alias: userTable.alias,
      dept_id: userTable.dept_id,
      dept_name: sql<string>`coalesce(${home.name}, '')`,
    })
    .from(deptPersonTable)
    .innerJoin(userTable, eq(userTable.id, deptPersonTable.user_id))
    .leftJoin(home, eq(home.id, userTable.dept_id))
    .where(and(working, inArray(deptPersonTable.dept_id, ids)))
    .orderBy(asc(deptPersonTable.order_id), asc(userTable.id));
  const may = (code: 'Update' | 'Delete', id: number) => {
    const scope = scopeOf(viewer, code, 'system/dept');
    return holds(viewer, code, 'system/dept') && (scope.all || scope.depts.has(id));
  };
  return selected.map((row) => {
    const of = (part: DeptPart) => people.filter((one) => one.dept === row.id && one.part === part);
    const [leader] = of('leader');
    const [inCharge] = of('dept_ld');
    return {
      ...row,
      leader: leader?.username ?? '',
      leader_info: leader ?? null,
      dept_ld: inCharge?.username ?? '',
      dept_ld_info: inCharge ?? null,
      approver: of('approver').map((one) => one.username),
      approver_info: of('approver'),
      secretary: of('secretary').map((one) => one.username),
      secretary_info: of('secretary'),
      actions: [...(may('Update', row.id) ? ['update'] : []), ...(may('Delete', row.id) ? ['delete'] : [])],
    };
  });
}

/** Puts people into the given functions; an empty name or list clears one. */
export async function placeParts(tx: Db, deptId: number, body: Partial<DeptInput>): Promise<void> {
  const wanted: Partial<Record<DeptPart, string[]>> = {};
  for (const part of ['leader', 'approver', 'dept_ld', 'secretary'] as const) {
    const names = body[part];
    if (names !== undefined) wanted[part] = [...new Set(typeof names === 'string' ? [names] : names)].filter(Boolean);
  }
  const parts = Object.keys(wanted) as DeptPart[];
  if (parts.length === 0) return;
  const names = Object.values(wanted).flat();
  const known = await peopleByName(tx, names);
  const unknown = [...new Set(names)].filter((name) => !known.has(name));
  if (unknown.length > 0) throw unknownPeople(await calledBy(tx, unknown));
  await tx
    .delete(deptPersonTable)
    .where(and(eq(deptPersonTable.dept_id, deptId), inArray(deptPersonTable.part, parts)));
  const rows = parts.flatMap((part) =>
    (wanted[part] ?? []).map((name, order) => ({
      dept_id: deptId,
      part,
      order_id: order,
      user_id: known.get(name)?.id ?? 0,
    })),
  );
  if (rows.length > 0) await tx.insert(deptPersonTable).values(rows);
}

/** Values of a department for the audit log. */
export function deptFacts(row: DeptRow): Record<string, unknown> {
  return {
    名称: row.name,
    上级: row.parent_name,
    编码: row.code,
    类型: row.type,
    负责人: row.leader_info?.alias ?? '',
    审批人: row.approver_info.map((person) => person.alias),
    分管领导: row.dept_ld_info?.alias ?? '',
    秘书: row.secretary_info.map((person) => person.alias),
    电话: row.phone,
    排序: row.order_id,
    启用: row.status,
    标签: row.label,
  };
}
