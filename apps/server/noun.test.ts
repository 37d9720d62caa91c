import { and, eq, ne, sql } from 'drizzle-orm';
import { integer, pgTable, varchar } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { nounCalls, nounInUse } from '#kernel/contract/noun.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { line, name } from '#kernel/contract/shapes.ts';
import { choice, onOff } from '#kernel/contract/titles.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { within } from '#kernel/server/access/scope.ts';
import { deletable, recordColumns } from '#kernel/server/db/columns.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { seedMenus } from '#modules/platform/access/seed.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { openTestApp, type Client, type TestOffice } from './testing.ts';

// 货架: a plain noun with every option. Its tables exist only in the database of this test.
const shelfTable = pgTable('shelf', {
  ...recordColumns(),
  ...deletable(),
  name: varchar('name', { length: 20 }).notNull(),
  code: varchar('code', { length: 20 }).notNull(),
  remark: varchar('remark', { length: 100 }).notNull(),
  status: integer('status').notNull(),
  secret: varchar('secret', { length: 20 }).notNull().default('藏'),
  creator_id: integer('creator_id').notNull(),
  dept_id: integer('dept_id').notNull(),
});
const page = 'shelf/list';
const taken = refusal(codes.refused, (code: string) => `编码“${code}”已有货架`);
const first = refusal(codes.refused, () => '一号货架不能停用');
const locked = refusal(codes.notNow, () => '封存的货架不能修改');
const shelves = nounCalls({
  prefix: '/api/shelf/',
  page,
  noun: '货架',
  input: {
    name: name(20).meta({ title: '名称' }),
    remark: line(100).default('无').meta({ title: '备注' }),
    status: choice('状态', onOff.names).default(1),
    dept_id: z.int().meta({ title: '部门' }),
  },
  once: { code: name(20).meta({ title: '编码' }) },
  row: {
    name: z.string(),
    code: z.string(),
    remark: z.string(),
    status: z.int(),
    boxes: z.int(),
    shown_as: z.string(),
  },
  sort: ['code', 'name'],
  filters: { status: z.coerce.number().int().optional() },
  exports: { page, title: '货架', columns: [{ key: 'name', title: '名称' }] },
});
const told: (string | null)[] = [];
const shelfModule = implement(
  'shelves',
  shelves,
  nounHandlers(shelves, {
    table: shelfTable,
    noun: '货架',
    select: { boxes: sql<number>`(select count(*)::int from box where shelf_id = "shelf"."id")` },
    shows: () => (row) => ({ shown_as: `${row.code} ${row.name}（${row.boxes}）` }),
    search: [shelfTable.name, shelfTable.code],
    scope: (viewer, code) =>
      within(scopeOf(viewer, code, page), shelfTable.dept_id, eq(shelfTable.creator_id, viewer.id)),
    refuses: (row, _viewer, code) => (code === 'Update' && row.name === '封存' ? locked() : null),
    check: (_work, { row, before }) => {
      if (before?.code === '1' && row.status === 0) throw first();
    },
    inUse: { 个箱子: (id) => sql`select count(*) from box where shelf_id = ${id}` },
    unique: { shelf_code: (row) => taken(row.code) },
    after: async (_work, { row }) => void told.push(row && row.name),
  }),
);

let app: TestOffice;
let keeper: Client;
let dept: number;
beforeAll(async () => {
  app = await openTestApp({ modules: [{ servers: () => [shelfModule] }] });
  const { databases } = app.services;
  await databases.pool.query(`
    create table shelf (id int primary key generated always as identity, version int not null default 0,
      gmt_created timestamptz not null default now(), gmt_modified timestamptz not null default now(),
      is_deleted boolean not null default false, name text not null, code text not null, remark text not null,
      status int not null, secret text not null default '藏', creator_id int not null, dept_id int not null);
    create unique index shelf_code on shelf (code) where not is_deleted;
    create table box (shelf_id int not null references shelf)`);
  await databases.write((tx) =>
    seedMenus(
      tx,
      [
        {
          key: page,
          parent: 'ticket',
          title: '货架',
          path: 'shelves',
          icon: 'ShopOutlined',
          order: 990,
          codes: ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'],
        },
      ],
      [],
    ),
  );
  dept = await app.dept('仓库');
  keeper = await app.clerk({ [page]: ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'] }, { dept, dataScope: 3 });
}, 180_000);
afterAll(() => app.close());

const add = async (code: string, more: object = {}) =>
  (await keeper.get(shelves.add, { body: { name: `货架${code}`, code, dept_id: dept, ...more } })).id!;
const rowOf = async (id: number, who = keeper) =>
  (await who.get(shelves.list, { query: { per_page: 100 } })).value.find((row) => row.id === id);
const changed = (id: number, body: object, who = keeper) => who.ask(shelves.change, { params: { id }, body });

test('an added noun is listed with its computed columns, found by its columns, filtered and sorted', async () => {
  const [one, two] = [await add('1'), await add('2', { status: 0 })];
  expect(await rowOf(one)).toEqual({
    id: one,
    version: 0,
    name: '货架1',
    code: '1',
    remark: '无',
    status: 1,
    boxes: 0,
    shown_as: '1 货架1（0）',
    actions: ['update', 'delete'],
  });
  const ids = async (query: object) => (await keeper.get(shelves.list, { query })).value.map((row) => row.id);
  expect(await ids({ search_value: '架2' })).toEqual([two]);
  expect(await ids({ status: '0' })).toEqual([two]);
  expect(await ids({})).toEqual([one, two]);
  expect(await ids({ order_by: 'name', desc: true })).toEqual([two, one]);
});

test('an update writes the fields sent and keeps the others, also those with defaults or set only once', async () => {
  const id = await add('3', { remark: '靠窗', status: 0 });
  expect((await changed(id, { name: '新名', code: '33' })).code).toBe(0);
  expect(await rowOf(id)).toMatchObject({ name: '新名', code: '3', remark: '靠窗', status: 0, version: 1 });
});

test('an update based on an older version returns the present row, without fields that the list does not show', async () => {
  const id = await add('4');
  await changed(id, { remark: '甲', version: 0 });
  const late = await changed(id, { remark: '乙', version: 0 });
  expect(late).toMatchObject({
    code: 4011,
    data: { current: { id, remark: '甲', version: 1, shown_as: '4 货架4（0）' } },
  });
  expect(late.data).not.toHaveProperty('current.secret');
  expect((await rowOf(id))!.remark).toBe('甲');
});

test('a duplicate, unfit or used noun is refused with its own sentence, and nothing is written', async () => {
  const id = await add('5');
  const [one] = (await keeper.get(shelves.list)).value;
  expect(await keeper.ask(shelves.add, { body: { name: '又', code: '5', dept_id: dept } })).toRefuse(taken, '5');
  expect(await changed(one!.id, { status: 0, remark: '没写' })).toRefuse(first);
  expect((await rowOf(one!.id))!.remark).toBe('无');
  await app.services.databases.pool.query('insert into box values ($1), ($1)', [id]);
  expect(await keeper.ask(shelves.remove, { params: { id } })).toRefuse(nounInUse, '货架5', ['2 个箱子']);
  expect((await rowOf(id))!.boxes).toBe(2);
});

test('an action that a rule forbids is not offered, and refused', async () => {
  const id = await add('6', { name: '封存' });
  expect((await rowOf(id))!.actions).toEqual(['delete']);
  expect(await changed(id, { remark: '改' })).toRefuse(locked);
});

test('a deleted noun is gone from every list, stays in the table, and its code is free again', async () => {
  const id = await add('7');
  await keeper.get(shelves.remove, { params: { id } });
  expect(await rowOf(id)).toBeUndefined();
  expect((await changed(id, {})).code).toBe(4004);
  expect(
    (
      await app.db
        .select()
        .from(shelfTable)
        .where(and(eq(shelfTable.id, id), ne(shelfTable.version, 0)))
    ).length,
  ).toBe(1);
  await add('7');
  expect(told.slice(-2)).toEqual([null, '货架7']);
});

test('a row beyond a user’s scope is absent from list, export, changes and deletion alike', async () => {
  const id = await add('8');
  const codes = ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'] as const;
  const other = await app.clerk({ [page]: [...codes] }, { dept: await app.dept('门房'), dataScope: 3 });
  expect((await other.get(shelves.list)).total).toBe(0);
  expect((await changed(id, { name: '越界' }, other)).code).toBe(4004);
  expect((await other.ask(shelves.remove, { params: { id } })).code).toBe(4004);
  const reader = await app.clerk({ [page]: ['Retrieve'] }, { dept, dataScope: 3 });
  expect((await rowOf(id, reader))!.actions).toEqual([]);
  expect((await changed(id, { name: '无权' }, reader)).code).toBe(4003);
});

test('the log shows changes by field titles and value names', async () => {
  const id = await add('9');
  await changed(id, { status: 0 });
  const [newest] = (await app.admin.get(audit.list, { query: { search_value: '货架9' } })).value;
  expect(newest).toMatchObject({ action: '编辑货架', object_type: '货架', title: '货架9' });
  expect(newest!.diff[0]!.fields).toEqual([{ field: '状态', before: '启用', after: '停用' }]);
});

test('the same noun sent twice under one key is added once', async () => {
  const body = { name: '一次', code: '10', dept_id: dept };
  const send = () => keeper.ask(shelves.add, { body }, { 'idempotency-key': 'shelf-once-10' });
  const [one, two] = [await send(), await send()];
  expect([one.code, two.code, two.data.id]).toEqual([0, 0, one.data.id]);
});
