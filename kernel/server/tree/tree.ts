import { getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { absent } from '#kernel/contract/refusal.ts';
import { neighbourGone, nodeInUse, treeRing, treeTooDeep, type Move, type TreeNode } from '#kernel/contract/tree.ts';
import { countedIn } from '../db/counted.ts';
import type { Db } from '../db/db.ts';
import { checkVersion } from '../db/version.ts';

/** A table whose rows form a tree, with the columns of every record. */
export interface Tree {
  table: PgTable;
  parent: PgColumn;
  order: PgColumn;
  /** The noun for a node: 分类, 部门. */
  noun: string;
  /** The maximum number of levels. */
  levels?: number;
  /** The possible contents of a node, as `(id) => statement that counts them`, by their counter and noun: 份文件, 名人员. */
  holds?: Readonly<Record<string, (id: number) => SQL>>;
  /** Advice for a node whose contents cannot be moved. */
  instead?: string;
}

interface Place {
  [column: string]: unknown;
  id: number;
  name: string;
  parent: number | null;
  order: number;
  version: number;
}

/** The gap between siblings, so that most moves change one row. */
const step = 10;

const named = (column: PgColumn) => sql.identifier(column.name);

export const isDeletable = ({ table }: Tree) =>
  Object.values(getTableColumns(table)).some((column) => column.name === 'is_deleted');

/** Rows that are not deleted, as a condition without an alias. */
export const isThere = (tree: Tree): SQL => (isDeletable(tree) ? sql`not is_deleted` : sql`true`);

/** Allows one change of a tree at a time, so that two changes cannot together make a ring or a level too many, or empty a node that is being filled. */
export async function lockTree(tx: Db, { table }: Tree): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`tree of ${getTableName(table)}`}))`);
}

/** The ids of a node and all its descendants, as a statement. */
export function withBelow({ table, parent }: Pick<Tree, 'table' | 'parent'>, id: number): SQL {
  return sql`
    with recursive below as (
      select id from ${table} where id = ${id}
      union select node.id from ${table} node join below on node.${named(parent)} = below.id)
    select id from below`;
}

/** A node and its ancestors up to the top. */
async function upwards(tx: Db, tree: Tree, id: number): Promise<{ id: number; name: string }[]> {
  const { rows } = await tx.execute<{ id: number; name: string }>(sql`
    with recursive up as (
      select id, name, ${named(tree.parent)} parent, 1 levels from ${tree.table} where id = ${id} and ${isThere(tree)}
      union all select node.id, node.name, node.${named(tree.parent)}, levels + 1
        from ${tree.table} node join up on up.parent = node.id)
    select id, name from up order by levels`);
  return rows;
}

/** Refuses a parent that does not exist, is the node itself or one of its descendants, or would make the tree too deep. Requires the lock on the tree. */
export async function checkPlace(tx: Db, tree: Tree, id: number | null, parent: number | null): Promise<void> {
  if (parent === null) return;
  const up = await upwards(tx, tree, parent);
  const [above] = up;
  if (!above) throw absent(`上级${tree.noun}`);
  if (up.some((row) => row.id === id)) throw treeRing(tree.noun, above.name);
  if (tree.levels === undefined) return;
  const { rows } = await tx.execute<{ levels: number }>(sql`
    with recursive down as (
      select id, 1 levels from ${tree.table} where id = ${id}
      union all select node.id, levels + 1 from ${tree.table} node join down on node.${named(tree.parent)} = down.id)
    select coalesce(max(levels), 1)::int levels from down`);
  if (up.length + (rows[0]?.levels ?? 1) > tree.levels) throw treeTooDeep(tree.noun, tree.levels);
}

/** Reads and locks a node to be changed. Requires the lock on the tree. */
export async function nodeForUpdate(tx: Db, tree: Tree, id: number): Promise<Place> {
  const { rows } = await tx.execute<Place>(sql`
    select id, name, ${named(tree.parent)} parent, ${named(tree.order)} "order", version from ${tree.table}
    where id = ${id} and ${isThere(tree)} for update`);
  if (!rows[0]) throw absent(`该${tree.noun}`);
  return rows[0];
}

/** Refuses to remove a node that is not empty, and names its contents. Requires the lock on the tree. */
export async function refuseUnlessEmpty(tx: Db, tree: Tree, { id, name }: { id: number; name: string }): Promise<void> {
  const held = await countedIn(
    tx,
    {
      [`个${tree.noun}`]: () =>
        sql`select count(*) from ${tree.table} where ${named(tree.parent)} = ${id} and ${isThere(tree)}`,
      ...tree.holds,
    },
    id,
  );
  if (held.length > 0) throw nodeInUse(name, held, tree.instead);
}

/** Locks the tree and moves a node to its new place among its siblings; returns its previous place. */
export async function moveNode(tx: Db, tree: Tree, id: number, { parent, before, version }: Move): Promise<Place> {
  await lockTree(tx, tree);
  const node = await nodeForUpdate(tx, tree, id);
  checkVersion(tree.noun, node, version, { ...node, parent: node.parent ?? 0, order_id: node.order });
  const above = parent === undefined ? node.parent : parent || null;
  if (above !== node.parent) await checkPlace(tx, tree, id, above);
  const { rows } = await tx.execute<{ id: number; order: number }>(sql`
    select id, ${named(tree.order)} "order" from ${tree.table}
    where ${named(tree.parent)} is not distinct from ${above}::int and id <> ${id} and ${isThere(tree)}
    order by ${named(tree.order)}, id`);
  const at = before ? rows.findIndex((row) => row.id === before) : rows.length;
  if (at < 0) throw neighbourGone();
  const [from, to] = [rows[at - 1]?.order ?? 0, rows[at]?.order];
  const between = to === undefined ? from + step : Math.floor((from + to) / 2);
  const fits = between > from && (to === undefined || between < to);
  const wanted = fits
    ? [{ id, order: between }]
    : rows.toSpliced(at, 0, { id, order: 0 }).map((row, index) => ({ id: row.id, order: (index + 1) * step }));
  const ids = wanted.map((row) => row.id);
  const orders = wanted.map((row) => row.order);
  await tx.execute(sql`
    update ${tree.table} node set ${named(tree.order)} = wanted.place,
      ${named(tree.parent)} = case when node.id = ${id} then ${above}::int else node.${named(tree.parent)} end,
      gmt_modified = now(), version = node.version + 1
    from unnest(${sql.param(ids)}::int[], ${sql.param(orders)}::int[]) wanted (id, place)
    where wanted.id = node.id and (node.id = ${id} or node.${named(tree.order)} <> wanted.place)`);
  return node;
}

/** Nests rows in order into a tree; each count becomes the total of the node and its descendants. A row whose parent is not shown stands at the top. */
export function nest<R extends { id: number; parent: number; count?: number }>(rows: readonly R[]): TreeNode<R>[] {
  const shown = new Set(rows.map((row) => row.id));
  const below = Map.groupBy(rows, (row) => (shown.has(row.parent) ? row.parent : 0));
  const branches = (parent: number): TreeNode<R>[] =>
    (below.get(parent) ?? []).map((row) => {
      const children = branches(row.id);
      const count = children.reduce((sum, child) => sum + (child.count ?? 0), row.count ?? 0);
      return { ...row, ...(row.count === undefined ? {} : { count }), children };
    });
  return branches(0);
}
