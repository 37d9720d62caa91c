// Departments: ancestors, descendants and names.
import { and, asc, eq, inArray, notInArray, sql, type SQL } from 'drizzle-orm';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { prepared, type Db } from '#kernel/server/db/db.ts';
import { deptPersonTable, deptTable, userTable } from '../tables.ts';
import { working, type DeptPart } from './cards.ts';

/** A department and everything above it, the top first. */
export async function deptPath(tx: Db, deptId: number): Promise<{ id: number; name: string }[]> {
  return prepared(tx, 'dept-path', pathText, [deptId]);
}

const pathText = `
  with recursive up as (
    select id, name, parent_id, 0 as depth from dept where id = $1
    union all select d.id, d.name, d.parent_id, depth + 1 from dept d join up on up.parent_id = d.id)
  select id, name from up order by depth desc`;

/** Departments and everything below them. */
export async function deptsBelow(tx: Db, deptIds: readonly number[]): Promise<number[]> {
  if (deptIds.length === 0) return [];
  const { rows } = await tx.execute<{ id: number }>(sql`
    with recursive down as (
      select id from dept where id = any(${sql.param([...deptIds])}::int[]) and not is_deleted
      union select d.id from dept d join down on d.parent_id = down.id where not d.is_deleted)
    select id from down`);
  return rows.map((row) => row.id);
}

/** Departments with all above and all below them, in one statement; deleted ones are ignored. */
export async function deptsAround(tx: Db, deptIds: readonly number[]): Promise<{ above: number[]; below: number[] }> {
  if (deptIds.length === 0) return { above: [], below: [] };
  const { rows } = await tx.execute<{ above: number[]; below: number[] }>(sql`
    with recursive own as (select id, parent_id from dept where id = any(${sql.param([...deptIds])}::int[]) and not is_deleted),
    up as (
      select id, parent_id from own union select d.id, d.parent_id from dept d join up on d.id = up.parent_id where not d.is_deleted),
    down as (select id from own union select d.id from dept d join down on d.parent_id = down.id where not d.is_deleted)
    select array(select id from up) above, array(select id from down) below`);
  return rows[0]!;
}

/** Names of departments that are somebody's main department but have nobody in any of the functions; `within`: these and below. */
export async function deptsWithout(tx: Db, parts: readonly DeptPart[], within: readonly number[]): Promise<string[]> {
  const among = within.length > 0 ? await deptsBelow(tx, within) : null;
  const held = tx
    .select({ id: deptPersonTable.dept_id })
    .from(deptPersonTable)
    .innerJoin(userTable, eq(userTable.id, deptPersonTable.user_id))
    .where(and(working, inArray(deptPersonTable.part, [...parts])));
  const peopled = tx.select({ id: userTable.dept_id }).from(userTable).where(working);
  const rows = await tx
    .select({ name: deptTable.name })
    .from(deptTable)
    .where(
      and(
        among === null ? undefined : inArray(deptTable.id, among),
        inArray(deptTable.id, peopled),
        notInArray(deptTable.id, held),
      ),
    )
    .orderBy(asc(deptTable.order_id), asc(deptTable.id));
  return rows.map((row) => row.name);
}

/** Names of departments, including deleted ones. */
export async function deptNames(tx: Db, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ name: deptTable.name })
    .from(deptTable)
    .where(inArray(deptTable.id, [...ids]))
    .orderBy(asc(deptTable.order_id), asc(deptTable.id));
  return rows.map((row) => row.name);
}

/** Those of some departments that exist. */
export async function deptsThere(tx: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ id: deptTable.id })
    .from(deptTable)
    .where(and(inArray(deptTable.id, [...ids]), eq(deptTable.is_deleted, false)));
  return rows.map((row) => row.id);
}

/** Names of departments by id, including deleted ones. */
export async function deptNamesById(tx: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: deptTable.id, name: deptTable.name })
    .from(deptTable)
    .where(inArray(deptTable.id, [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row.name]));
}

/**
 * Departments as named in a sheet: by name, by “上级/下级”, or from the top by “/部门”. Null for an ambiguous name; missing if unknown. Only active
 * departments allowed by `reached`, if given: unreachable ones make no name ambiguous. `holds` locks them against deletion.
 */
export async function deptsNamed(
  tx: Db,
  named: readonly string[],
  { reached, holds = false }: { reached?: (id: number) => boolean; holds?: boolean } = {},
): Promise<Map<string, number | null>> {
  if (named.every((one) => one === '')) return new Map();
  const { id, name, parent_id, is_active } = deptTable;
  const asked = tx.select({ id, name, parent_id, is_active }).from(deptTable).where(eq(deptTable.is_deleted, false));
  const all = await (holds ? asked.for('share') : asked);
  const byId = new Map(all.map((dept) => [dept.id, dept]));
  const pathOf = (id: number | null): string => {
    const dept = id === null ? undefined : byId.get(id);
    return dept ? `${pathOf(dept.parent_id)}/${plainly(dept.name)}` : '';
  };
  const meant = reached ? all.filter((dept) => dept.is_active && reached(dept.id)) : all;
  const paths = meant.map((dept) => ({ id: dept.id, path: pathOf(dept.id) }));
  const found = [...new Set(named)].map((one) => {
    const parts = one.split(/[/／]/).map(plainly);
    const fromTop = parts.length > 1 && parts[0] === '';
    const end = `/${(fromTop ? parts.slice(1) : parts).join('/')}`;
    const whole = paths.filter(({ path }) => path === end);
    const isWhole = fromTop || (parts.length > 1 && whole.length > 0);
    const fitting = isWhole ? whole : paths.filter(({ path }) => path.endsWith(end));
    return [one, fitting] as const;
  });
  return new Map(
    found.flatMap(([one, fitting]) =>
      one === '' || fitting.length === 0 ? [] : [[one, fitting.length === 1 ? fitting[0]!.id : null] as const],
    ),
  );
}

/** The error text for a department that `deptsNamed` does not find. */
export const deptUnclear = (named: string, several: boolean): string =>
  several
    ? `有几个部门叫“${named}”，请写成“上级/下级”，最上级的部门写成“/${named}”`
    : `没有名为“${named}”的部门，请核对名称`;

/** A department's open matters, as `(id) => statement that counts them`, by the unit that names them: 枚印章. */
export type InDepts = Readonly<Record<string, (dept: number) => SQL>>;

declare module '#kernel/server/product.ts' {
  interface Product {
    inDepts: InDepts;
  }
  interface ModuleDefinition {
    /** Its matters that keep a department from being deleted. */
    inDepts?: InDepts;
  }
}
