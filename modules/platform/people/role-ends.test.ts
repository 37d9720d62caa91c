import { sql } from 'drizzle-orm';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { messages, newsLevel } from '#modules/platform/messages/contract.ts';
import { bulk, overAlready, type BulkChange } from './contract/users/bulk.ts';
import { members } from './contract/members.ts';
import { users } from './contract/users.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Repeats a check that depends on the day if the day changes meanwhile. */
async function onOneDay(check: (today: string) => Promise<void>): Promise<void> {
  const day = dayOf(new Date());
  const why = await check(day).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (why && dayOf(new Date()) === day) throw why.error;
  if (why) await check(dayOf(new Date()));
}
/** Days far from the present one. */
const ahead = (days: number) => dayAfter(dayOf(new Date()), days);
/** Past, whatever day it is by now. */
const over = () => ahead(-2);
const roleNamed = async (code: string) =>
  (await app.db.execute<{ id: number; name: string }>(sql`select id, name from role where code = ${code}`)).rows[0]!;
const give = (ids: number[], change: BulkChange) => app.admin.ask(bulk.apply, { body: { ids, change } });
const until = (id: number, day: string) =>
  app.services.databases.write((tx) => tx.execute(sql`update user_role set until = ${day} where user_id = ${id}`));
const run = async (name: string, now = new Date()) => {
  const task = app.services.product.tasks().find((one) => one.name === name)!;
  await task.run({}, { attempt: 1, now });
};
/** The level of each message in the inbox. */
const levels = async (id: number) =>
  (await (await app.signIn(id)).get(messages.unread)).value.map((one) => newsLevel.label(one.level));
const titles = async (id: number) => (await (await app.signIn(id)).get(messages.unread)).value.map((one) => one.title);

test('a role granted until a day is held to its end and gives nothing from the next day, even if no job ran', async () => {
  const role = await roleNamed('auditor');
  const person = await app.person();
  const day = ahead(30);
  expect(await give([person.id], { what: 'give', roles: [role.id], until: day })).toMatchObject({ code: 0 });
  const { value } = await app.admin.get(users.list, { query: { search_value: person.username } });
  expect(value[0]!.roles).toMatchObject([{ id: role.id, until: day }]);
  const may = async () => (await (await app.signIn(person)).ask(audit.list)).code;
  await onOneDay(async (today) => {
    await until(person.id, today);
    expect(await may()).toBe(0);
  });
  const other = await app.person();
  await give([other.id], { what: 'give', roles: [role.id], until: day });
  await until(other.id, over());
  expect((await (await app.signIn(other)).ask(audit.list)).code).toBe(4003);
});

test('expired roles are removed with a log entry and a message to their holders, others stay', async () => {
  const [role, lasting] = [await roleNamed('seal_auditor'), await roleNamed('staff')];
  const person = await app.person({ roles: ['staff'] });
  await give([person.id], { what: 'give', roles: [role.id], until: ahead(5) });
  await app.services.databases.write((tx) =>
    tx.execute(sql`update user_role set until = ${over()} where user_id = ${person.id} and role_id = ${role.id}`),
  );
  await run('end roles');
  const held = (await app.admin.get(users.roles, { params: { id: person.id } })).map((one) => one.name);
  expect(held).toEqual([lasting.name]);
  expect(await titles(person.id)).toContain(`您的角色“${role.name}”已到期`);
  expect(await levels(person.id)).toEqual(['重要']);
  const { value } = await app.admin.get(audit.list, { query: { action: '角色到期' } });
  const title = `${person.alias}（${person.username}）`;
  expect(value.filter((one) => one.title === title)).toMatchObject([{ username: '', object_id: String(person.id) }]);
});

test('the nearest administrators who could renew them hear in one message which roles ended, super administrators only of what nobody else could give', async () => {
  // A role that the administrators of departments may give, and one beyond their rights.
  const [role, beyond] = [
    await roleNamed(await app.role({ 'system/user': ['Retrieve'] }, 3)),
    await roleNamed('legal'),
  ];
  const [dept, beside] = [await app.dept('招生办'), await app.dept()];
  const grants = { 'system/user': ['Retrieve', 'Update'] } as never;
  const near = await app.clerk(grants, { dept, dataScope: 3, alias: '招生管理员' });
  const far = await app.clerk(grants, { dept: beside, dataScope: 3 });
  const reader = await app.clerk({ 'system/user': ['Retrieve'] }, { dept, dataScope: 3 });
  const one = await app.person({ dept, alias: '招生甲' });
  const other = await app.person({ dept, alias: '招生乙' });
  const alone = await app.person({ dept: await app.dept(), alias: '独行人' });
  const leaver = await app.person({ dept, alias: '离职人' });
  const day = ahead(5);
  const ids = [one.id, other.id, alone.id, leaver.id, near.userId];
  expect(await give(ids, { what: 'give', roles: [role.id], until: day })).toMatchObject({ code: 0 });
  expect(await give([one.id], { what: 'give', roles: [beyond.id], until: day })).toMatchObject({ code: 0 });
  const past = over();
  await app.services.databases.write(async (tx) => {
    await tx.execute(sql`update app_user set is_active = false where id = ${leaver.id}`);
    await tx.execute(
      sql`update user_role set until = ${past} where until = ${day} and user_id = any(${sql.param(ids)}::int[])`,
    );
  });
  await run('end roles');
  const toldOf = async (id: number) => {
    const reading = await app.signIn(id);
    const { value } = await reading.get(messages.unread, { query: { per_page: 100 } });
    const ofOthers = value.filter(({ web_path: path }) => path === '/system/user');
    return Promise.all(ofOthers.map((message) => reading.get(messages.get, { params: { id: message.id } })));
  };
  const words = (alias: string, name: string) => `${alias}的“${name}”到 ${past} 为止`;
  const said = await toldOf(near.userId);
  expect(said.map((message) => message.title)).toEqual(['2 项角色已到期']);
  for (const alias of ['招生甲', '招生乙']) expect(said[0]!.content).toContain(words(alias, role.name));
  expect([await toldOf(far.userId), await toldOf(reader.userId)]).toEqual([[], []]);
  const [chief, ...more] = (await toldOf(app.admin.userId)).filter(({ content }) => content.includes('独行人'));
  expect(more).toEqual([]);
  // Nobody is their own administrator.
  for (const alias of ['独行人', '招生管理员']) expect(chief!.content).toContain(words(alias, role.name));
  expect(chief!.content).toContain(words('招生甲', beyond.name));
  expect(chief!.content).not.toContain(words('招生甲', role.name));
  for (const alias of ['招生乙', '离职人']) expect(chief!.content).not.toContain(alias);
});

test('members are added to a role until a day, the list of members shows it, and people with temporary roles are found', async () => {
  const role = await roleNamed('legal');
  const dept = await app.dept('档案馆');
  const [guest, lasting] = [await app.person({ dept }), await app.person({ dept, roles: ['staff'] })];
  const add = (until: string) =>
    app.admin.ask(members.add, { params: { id: role.id }, body: { user_ids: [guest.id], until } });
  const past = over();
  expect(await add(past)).toRefuse(overAlready, past);
  const day = ahead(12);
  expect(await add(day)).toMatchObject({ code: 0, data: { added: 1 } });
  const query = { search_value: guest.username };
  const { value } = await app.admin.get(members.list, { params: { id: role.id }, query });
  expect(value).toMatchObject([{ id: guest.id, until: day }]);
  const found = async (temporary: boolean) =>
    (await app.admin.get(users.list, { query: { dept, temporary } })).value.map((one) => one.id);
  expect([await found(true), await found(false)]).toEqual([[guest.id], [lasting.id]]);
});

test('a temporary role’s holder is reminded seven days and one day before its end, once each', async () => {
  const role = await roleNamed('legal');
  const person = await app.person();
  const now = new Date();
  const day = dayAfter(dayOf(now), 7);
  await give([person.id], { what: 'give', roles: [role.id], until: day });
  const on = (daysBefore: number, hour: string) =>
    run('remind of roles that end', new Date(`${dayAfter(day, -daysBefore)}T${hour}+08:00`));
  for (const hour of ['00:00:00', '08:30:00', '23:59:59']) await on(7, hour);
  for (const before of [6, 2]) await on(before, '08:30:00');
  expect(await titles(person.id)).toEqual([`您的角色“${role.name}”还有 7 天到期`]);
  for (const hour of ['00:00:00', '23:59:59']) await on(1, hour);
  expect(await titles(person.id)).toContain(`您的角色“${role.name}”还有 1 天到期`);
  expect(await levels(person.id)).toEqual(['普通', '普通']);
});

test('roles ending on different days are announced in one message together, and later on each day separately', async () => {
  const [first, second, third] = [
    await roleNamed('legal'),
    await roleNamed('auditor'),
    await roleNamed('seal_auditor'),
  ];
  const now = new Date();
  const day = (days: number) => dayAfter(dayOf(now), days);
  const on = (days: number) => run('remind of roles that end', new Date(`${day(days)}T08:30:00+08:00`));
  const person = await app.person();
  await give([person.id], { what: 'give', roles: [first.id], until: day(15) });
  await give([person.id], { what: 'give', roles: [second.id], until: day(16) });
  await give([person.id], { what: 'give', roles: [third.id], until: day(30) });
  await on(10);
  expect(await titles(person.id)).toEqual([`您的角色“${first.name}、${second.name}”即将到期`]);
  // The last one is neither hidden by those that end before it, nor announced early.
  await on(23);
  expect(await titles(person.id)).toContain(`您的角色“${third.name}”还有 7 天到期`);
});

test('roles of one person that end at once are one message', async () => {
  const [first, second] = [await roleNamed('legal'), await roleNamed('auditor')];
  const person = await app.person();
  await give([person.id], { what: 'give', roles: [first.id, second.id], until: ahead(5) });
  await until(person.id, over());
  await run('end roles');
  const said = await titles(person.id);
  expect(said).toHaveLength(1);
  for (const { name } of [first, second]) expect(said[0]).toContain(name);
});

test('changing other roles keeps the end of a temporary role, and the super administrator role has no end', async () => {
  const [role, other, chief] = [await roleNamed('legal'), await roleNamed('staff'), await roleNamed('super_admin')];
  const person = await app.person();
  const day = ahead(20);
  await give([person.id], { what: 'give', roles: [role.id], until: day });
  await give([person.id], { what: 'give', roles: [other.id] });
  const { value } = await app.admin.get(users.list, { query: { search_value: person.username } });
  expect(Object.fromEntries(value[0]!.roles.map((one) => [one.id, one.until]))).toEqual({
    [role.id]: day,
    [other.id]: null,
  });
  expect((await give([person.id], { what: 'give', roles: [chief.id], until: day })).msg).toContain('不能设到期日期');
  const past = over();
  expect((await give([person.id], { what: 'give', roles: [other.id], until: past })).msg).toContain('已经过去');
  expect((await (await app.signIn(person)).ask(accounts.me)).code).toBe(0);
});

test('a temporary role is copied with its end, keeps its end while held, and can be granted anew afterwards', async () => {
  const role = await roleNamed('legal');
  const [pattern, person] = [await app.person(), await app.person()];
  const [day, later] = [ahead(20), ahead(40)];
  await give([pattern.id], { what: 'give', roles: [role.id], until: day });
  expect(await give([person.id], { what: 'copy', from: pattern.id })).toMatchObject({ code: 0 });
  const held = async () =>
    (await app.admin.get(users.list, { query: { search_value: person.username } })).value[0]!.roles.map(
      (one) => one.until,
    );
  expect(await held()).toEqual([day]);
  expect(await give([person.id], { what: 'give', roles: [role.id], until: later })).toMatchObject({
    code: -1,
    msg: expect.stringContaining('到期日期不能直接修改') as string,
  });
  await until(person.id, over());
  expect(await held()).toEqual([]);
  expect(await give([person.id], { what: 'give', roles: [role.id], until: later })).toMatchObject({ code: 0 });
  expect(await held()).toEqual([later]);
});

test('roles are copied until a day, and none of them beyond its own last day', async () => {
  const [short, lasting] = [await roleNamed('legal'), await roleNamed('staff')];
  const [pattern, person] = [await app.person({ roles: ['staff'] }), await app.person()];
  const [soon, day] = [ahead(10), ahead(20)];
  await give([pattern.id], { what: 'give', roles: [short.id], until: soon });
  const copy = (end: string) => give([person.id], { what: 'copy', from: pattern.id, until: end });
  const past = over();
  expect(await copy(past)).toRefuse(overAlready, past);
  expect(await copy(day)).toMatchObject({ code: 0 });
  const { value } = await app.admin.get(users.list, { query: { search_value: person.username } });
  expect(new Map(value[0]!.roles.map((role) => [role.id, role.until]))).toEqual(
    new Map([
      [short.id, soon],
      [lasting.id, day],
    ]),
  );
});

test('all code asks for roles held now instead of rows granted', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = globSync('{apps,kernel,modules}/**/*.{ts,tsx}', { cwd: root });
  const reading = files.filter(
    (file) =>
      !/\.test\.tsx?$|\/testing(\/|\.ts$)/.test(file) &&
      /\buser_role\b(?!:)|\buserRoleTable\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  const people = 'modules/platform/people';
  const giving = [
    'demo.ts',
    'seed.ts',
    // A role is in use as long as a row names it.
    'service.ts',
    'tables.ts',
    'server/members.ts',
    // The role of super administrators has no last day.
    'server/depts/delegation.ts',
    ...['bulk', 'import', 'role-ends', 'user-parts', 'user-rows', 'users'].map((name) => `server/users/${name}.ts`),
  ].map((file) => `${people}/${file}`);
  expect(reading.toSorted()).toEqual(giving.toSorted());
});

test('an expired role appears in no list of its holders', async () => {
  const role = await roleNamed('legal');
  const person = await app.person();
  await give([person.id], { what: 'give', roles: [role.id], until: ahead(5) });
  const query = { role: role.id, search_value: person.username };
  const listed = async () => (await app.admin.get(users.list, { query })).value.length;
  expect(await listed()).toBe(1);
  await until(person.id, over());
  expect(await listed()).toBe(0);
  expect(await app.admin.get(users.roles, { params: { id: person.id } })).toEqual([]);
});
