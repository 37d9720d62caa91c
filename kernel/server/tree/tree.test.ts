import { drizzle } from 'drizzle-orm/node-postgres';
import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import type { Db } from '../db/db.ts';
import { checkPlace, moveNode, nest, nodeForUpdate, refuseUnlessEmpty, withBelow, type Tree } from './tree.ts';

const node = pgTable('tree_node', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  parentId: integer('parent_id'),
  order: integer('order_id').notNull().default(0),
  version: integer('version').notNull().default(0),
  deleted: boolean('is_deleted').notNull().default(false),
});
const tree: Tree = {
  table: node,
  parent: node.parentId,
  order: node.order,
  noun: '分类',
  levels: 3,
  holds: { 份文件: (id) => sql`select count(*) from tree_paper where node_id = ${id}` },
};
const client = new pg.Client({ connectionString: inject('databaseUrl') });
const db = drizzle(client) as unknown as Db;

beforeAll(async () => {
  await client.connect();
  await client.query(`create temp table tree_node (id integer primary key, name text not null, parent_id integer,
    order_id integer not null default 0, version integer not null default 0, is_deleted boolean not null default false,
    gmt_modified timestamptz)`);
  await client.query('create temp table tree_paper (node_id integer not null)');
});
afterAll(() => client.end());

/** 1 (2 (3), 4), 5 and 6 at the top, all written without an order of their own. */
beforeEach(async () => {
  await client.query('truncate tree_node, tree_paper');
  await client.query(`insert into tree_node (id, name, parent_id)
    values (1, '甲', null), (2, '乙', 1), (3, '丙', 2), (4, '丁', 1), (5, '戊', null), (6, '己', null)`);
});

const level = async (parent: number | null) =>
  (
    await client.query<{ id: number }>(
      'select id from tree_node where parent_id is not distinct from $1 and not is_deleted order by order_id, id',
      [parent],
    )
  ).rows.map((row) => row.id);

test('a node is inserted where it was placed among its siblings and on other levels, whatever the order before', async () => {
  await moveNode(db, tree, 6, { before: 1 });
  expect(await level(null)).toEqual([6, 1, 5]);
  await moveNode(db, tree, 5, { before: 1 });
  expect(await level(null)).toEqual([6, 5, 1]);
  await moveNode(db, tree, 5, { parent: 1, before: 4 });
  expect([await level(null), await level(1)]).toEqual([
    [6, 1],
    [2, 5, 4],
  ]);
  await moveNode(db, tree, 5, { parent: 0 });
  expect([await level(null), await level(1)]).toEqual([
    [6, 1, 5],
    [2, 4],
  ]);
});

test('a move between siblings with room between them changes one row', async () => {
  await moveNode(db, tree, 6, { before: 1 });
  const versions = async () => (await client.query('select id, version from tree_node order by id')).rows;
  const before = await versions();
  await moveNode(db, tree, 5, { before: 1 });
  const after = await versions();
  expect(after.filter((row, at) => row.version !== before[at].version)).toEqual([{ id: 5, version: 2 }]);
});

test('after any moves every node is there once, in the requested order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))),
      async (moves) => {
        await client.query('truncate tree_node');
        await client.query('insert into tree_node (id, name) select n, n::text from generate_series(1, 6) n');
        const wanted = [1, 2, 3, 4, 5, 6];
        for (const [from, to] of moves) {
          const [id] = wanted.splice(from, 1);
          await moveNode(db, tree, id!, { before: wanted[to] ?? null });
          wanted.splice(to, 0, id!);
        }
        expect(await level(null)).toEqual(wanted);
      },
    ),
    { numRuns: 40 },
  );
});

test('a node cannot be placed below itself, below a deleted one, or deeper than the tree allows', async () => {
  await expect(moveNode(db, tree, 1, { parent: 3 })).rejects.toThrow('“丙”是本分类或在本分类之下，不能作为上级分类');
  await expect(moveNode(db, tree, 1, { parent: 1 })).rejects.toThrow('“甲”是本分类');
  await expect(moveNode(db, tree, 1, { parent: 5 })).rejects.toThrow('分类最多 3 级');
  await expect(moveNode(db, tree, 2, { parent: 5 })).resolves.toMatchObject({ parent: 1 });
  await expect(checkPlace(db, tree, null, 3)).rejects.toThrow('分类最多 3 级');
  await client.query('update tree_node set is_deleted = true where id = 4');
  await expect(moveNode(db, tree, 5, { parent: 4 })).rejects.toThrow('上级分类不存在');
  await expect(moveNode(db, tree, 4, {})).rejects.toThrow('该分类不存在');
  await expect(moveNode(db, tree, 5, { before: 3 })).rejects.toThrow('目标位置刚被他人改动');
  await expect(moveNode(db, tree, 5, { version: 9 })).rejects.toThrow('分类刚被他人修改');
});

test('a node that contains nodes or items is not deleted, and says how many', async () => {
  await client.query('insert into tree_paper values (1), (1), (3)');
  const refused = async (id: number) => refuseUnlessEmpty(db, tree, await nodeForUpdate(db, tree, id));
  await expect(refused(1)).rejects.toThrow('“甲”下还有 2 个分类、2 份文件，请先移走后再删除');
  await expect(refused(3)).rejects.toThrow('“丙”下还有 1 份文件，请先移走后再删除');
  await client.query('update tree_node set is_deleted = true where id = 3');
  await expect(refused(2)).resolves.toBeUndefined();
});

test('items below a node count in it, and a node whose parent is hidden stands at the top', async () => {
  const ids = (await db.execute<{ id: number }>(withBelow(tree, 2))).rows.map((row) => row.id);
  expect(ids).toEqual([2, 3]);
  const rows = [
    { id: 1, parent: 0, count: 1 },
    { id: 2, parent: 1, count: 2 },
    { id: 3, parent: 2, count: 4 },
    { id: 9, parent: 8, count: 1 },
  ];
  expect(nest(rows)).toEqual([
    {
      id: 1,
      parent: 0,
      count: 7,
      children: [{ id: 2, parent: 1, count: 6, children: [{ id: 3, parent: 2, count: 4, children: [] }] }],
    },
    { id: 9, parent: 8, count: 1, children: [] },
  ]);
});
