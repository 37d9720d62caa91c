import { sql } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { isNobody, nobody, type Audience } from './contract/audience.ts';
import {
  audienceNames,
  audienceOf,
  audienceShown,
  checkAudience,
  countIn,
  everybodyIn,
  everybodyOf,
  meantFor,
  namesIn,
  peopleIn,
} from './service/audience.ts';
import { personWithRights, viewerOf } from './service/rights.ts';
import { audienceColumn, deptTable } from './tables.ts';

const thing = pgTable('thing', { id: integer('id').primaryKey(), audience: audienceColumn() });
let app: TestOffice;
let above: number;
let below: number;
let other: number;
let held: number;
let reception: number;
const people: Record<string, number> = {};

const write = <T>(work: Parameters<TestOffice['services']['databases']['write']>[0]): Promise<T> =>
  app.services.databases.write(work) as Promise<T>;
const among = (part: Partial<Audience>): Audience => ({ ...nobody, ...part });
const names = (ids: readonly number[]) =>
  Object.keys(people)
    .filter((name) => ids.includes(people[name]!))
    .toSorted();
const of = async (part: Partial<Audience>) => names(await peopleIn(app.db, among(part)));

beforeAll(async () => {
  app = await openTestApp();
  above = await app.dept('财务处');
  below = await app.dept('会计科', above);
  other = await app.dept('保卫处');
  const role = await app.role({});
  const { rows } = await app.db.execute<{ id: number; code: string }>(
    sql`select id, code from role where code in (${role}, 'reception')`,
  );
  held = rows.find((row) => row.code === role)!.id;
  reception = rows.find((row) => row.code === 'reception')!.id;
  const add = async (alias: string, wanted: object) =>
    void (people[alias] = (await app.person({ alias, ...wanted })).id);
  await add('处长', { dept: above });
  await add('会计', { dept: below });
  await add('门卫', { dept: other });
  await add('兼职', { dept: other });
  await add('持角色', { dept: other, roles: [role] });
  await add('离职', { dept: above, active: false, roles: [role] });
  await write((tx) => tx.execute(sql`insert into user_dept (user_id, dept_id) values (${people['兼职']!}, ${below})`));
  await write((tx) => tx.execute(sql`create table thing (id int primary key, audience text[] not null)`));
});
afterAll(() => app.close());

test('an audience’s department includes subdepartments and side posts, its roles their holders, and nobody who left', async () => {
  expect(await of({ depts: [above] })).toEqual(['会计', '兼职', '处长'].toSorted());
  expect(await of({ depts: [below] })).toEqual(['会计', '兼职'].toSorted());
  expect(await of({ roles: [held] })).toEqual(['持角色']);
  expect(await of({ users: [people['门卫']!, people['离职']!] })).toEqual(['门卫']);
  expect(await of({ depts: [below], roles: [held], users: [people['会计']!] })).toEqual(
    ['会计', '兼职', '持角色'].toSorted(),
  );
  const working = ['处长', '会计', '门卫', '兼职', '持角色'].toSorted();
  expect(await of({ all: true, users: [people['离职']!] })).toEqual(working);
  expect(await of({ roles: [reception] })).toEqual(working);
  expect(await of({})).toEqual([]);
});

test('each person is in an audience once, with the most specific reason', async () => {
  const to = among({ depts: [above], roles: [held, reception], users: [people['会计']!] });
  const { rows } = await app.db.execute<{ user_id: number; source: number; dept_id: number }>(everybodyOf(to));
  const why = Object.fromEntries(rows.map((row) => [row.user_id, row.source]));
  const by = (name: string) => why[people[name]!];
  expect(rows).toHaveLength(new Set(rows.map((row) => row.user_id)).size);
  expect(['会计', '处长', '兼职', '持角色', '门卫'].map(by)).toEqual([1, 2, 2, 3, 3]);
  expect(rows.find((row) => row.user_id === people['兼职'])!.dept_id).toBe(other);
  expect(await countIn(app.db, to)).toBe(rows.length);
});

test('the condition for one person and the statement for everybody agree, for any audience', async () => {
  const some: Audience[] = [
    among({ all: true }),
    among({ depts: [above] }),
    among({ depts: [below] }),
    among({ depts: [other], users: [people['会计']!] }),
    among({ roles: [held] }),
    among({ roles: [reception] }),
    among({ depts: [below], roles: [held], users: [people['门卫']!] }),
  ];
  await write(async (tx) => {
    for (const [id, audience] of some.entries()) await tx.insert(thing).values({ id, audience: namesIn(audience) });
  });
  const { rows } = await app.db.execute<{ id: number; user_id: number }>(
    everybodyIn(sql`select id, audience from thing`),
  );
  for (const [name, id] of Object.entries(people)) {
    const person = await personWithRights(app.db, id);
    if (!person!.active) continue;
    const mine = await app.db
      .select({ id: thing.id })
      .from(thing)
      .where(meantFor(thing.audience, viewerOf(person!, 1)));
    expect([name, mine.map((row) => row.id).toSorted((a, b) => a - b)]).toEqual([
      name,
      rows
        .filter((row) => row.user_id === id)
        .map((row) => row.id)
        .toSorted((a, b) => a - b),
    ]);
  }
});

test('a department that moves below another is in that department’s audience at once', async () => {
  const moving = await app.dept('临时组', other);
  const mover = await app.person({ dept: moving });
  const asked = async () => {
    const person = await personWithRights(app.db, mover.id);
    return (
      await app.db
        .execute(sql`select 1 from (select ${sql.param(namesIn(among({ depts: [above] })))}::text[] audience) x
      where ${meantFor(sql`x.audience` as never, viewerOf(person!, 1))}`)
    ).rows.length;
  };
  expect([await asked(), (await peopleIn(app.db, among({ depts: [above] }))).includes(mover.id)]).toEqual([0, false]);
  await write((tx) =>
    tx
      .update(deptTable)
      .set({ parent_id: above } as never)
      .where(sql`id = ${moving}`),
  );
  expect([await asked(), (await peopleIn(app.db, among({ depts: [above] }))).includes(mover.id)]).toEqual([1, true]);
});

test('an audience is named as everybody, or by its first three parts and their number', async () => {
  const many = among({ depts: [above, other], roles: [held], users: [people['门卫']!, people['会计']!] });
  const all = [among({ all: true }), among({ depts: [above], users: [people['门卫']!] }), many].map(namesIn);
  const [everyone, two, five] = await audienceNames(app.db, all);
  expect([everyone, two]).toEqual(['全体人员', '财务处、门卫']);
  expect(five).toMatch(/^财务处、保卫处、.+ 等 5 项$/);
  const shown = await audienceShown(app.db, namesIn(many));
  expect({ ...shown, users_info: [] }).toEqual({ ...many, called: five, users_info: [] });
  expect(shown.users_info.map((one) => one.alias).toSorted()).toEqual(['会计', '门卫'].toSorted());
  expect(audienceOf(namesIn(many))).toEqual(many);
});

test('departments, roles and people that are gone are refused in an audience, and the database refuses malformed parts', async () => {
  const said = (part: Partial<Audience>) => checkAudience(app.db, among(part)).catch((stop: Error) => stop.message);
  const gone = '所选人员范围中有已撤销的部门、角色或已离职的人员，请重新选择';
  expect(await said({ depts: [above], roles: [held], users: [people['会计']!] })).toBeUndefined();
  for (const wrong of [{ depts: [999_999] }, { roles: [999_999] }, { users: [people['离职']!] }])
    expect(await said(wrong)).toBe(gone);
  expect(await said({ all: true, depts: [999_999] })).toBeUndefined();
  expect([isNobody(nobody), isNobody(among({ all: true }))]).toEqual([true, false]);
  for (const wrong of [[], ['a0', 'd1'], ['x1'], ['d'], ['d0']])
    await expect(
      write((tx) =>
        tx.execute(sql`insert into document_notice (creator_id, title, content, audience, publish_at)
        values (${people['处长']!}, 't', 'c', ${sql.param(wrong)}::text[], now())`),
      ),
    ).rejects.toMatchObject({ cause: { constraint: 'document_notice_audience' } });
});
