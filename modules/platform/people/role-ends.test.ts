import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { bulk, type BulkChange } from './contract/users/bulk.ts';
import { users } from './contract/users.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const today = () => dayOf(new Date());
const roleNamed = async (code: string) =>
  (await app.db.execute<{ id: number; name: string }>(sql`select id, name from role where code = ${code}`)).rows[0]!;
const give = (ids: number[], change: BulkChange) => app.admin.ask(bulk.apply, { body: { ids, change } });
const until = (id: number, day: string) =>
  app.services.databases.write((tx) => tx.execute(sql`update user_role set until = ${day} where user_id = ${id}`));
const run = async (name: string) => {
  const task = app.services.product.tasks().find((one) => one.name === name)!;
  await task.run({}, { attempt: 1, now: new Date() });
};
const titles = async (id: number) => (await (await app.signIn(id)).get(messages.unread)).value.map((one) => one.title);

test('a role that is given until a day is held to its end and gives nothing from the day after, whether or not a job ran', async () => {
  const role = await roleNamed('auditor');
  const person = await app.person();
  const day = dayAfter(today(), 30);
  expect(await give([person.id], { what: 'give', roles: [role.id], until: day })).toMatchObject({ code: 0 });
  const { value } = await app.admin.get(users.list, { query: { search_value: person.username } });
  expect(value[0]!.roles).toMatchObject([{ id: role.id, until: day }]);
  const may = async () => (await (await app.signIn(person)).ask(audit.list)).code;
  await until(person.id, today());
  expect(await may()).toBe(0);
  const other = await app.person();
  await give([other.id], { what: 'give', roles: [role.id], until: day });
  await until(other.id, dayAfter(today(), -1));
  expect((await (await app.signIn(other)).ask(audit.list)).code).toBe(4003);
});

test('roles that are over are taken away, with an entry in the log and a word to whoever held them; others stay', async () => {
  const [role, lasting] = [await roleNamed('seal_auditor'), await roleNamed('staff')];
  const person = await app.person({ roles: ['staff'] });
  await give([person.id], { what: 'give', roles: [role.id], until: dayAfter(today(), 5) });
  await app.services.databases.write((tx) =>
    tx.execute(
      sql`update user_role set until = ${dayAfter(today(), -1)} where user_id = ${person.id} and role_id = ${role.id}`,
    ),
  );
  await run('end roles');
  const held = (await app.admin.get(users.roles, { params: { id: person.id } })).map((one) => one.name);
  expect(held).toEqual([lasting.name]);
  expect(await titles(person.id)).toContain(`您的角色“${role.name}”已到期`);
  const { value } = await app.admin.get(audit.list, { query: { action: '角色到期' } });
  const title = `${person.alias}（${person.username}）`;
  expect(value.filter((one) => one.title === title)).toMatchObject([{ username: '', object_id: String(person.id) }]);
});

test('whoever holds a role until a day is reminded seven days and one day before, once each', async () => {
  const role = await roleNamed('legal');
  const person = await app.person();
  await give([person.id], { what: 'give', roles: [role.id], until: dayAfter(today(), 7) });
  for (let time = 0; time < 2; time++) await run('remind of roles that end');
  expect(await titles(person.id)).toEqual([`您的角色“${role.name}”还有 7 天到期`]);
});

test('a change of other roles leaves the day of one as it was, and the role of super administrators has none', async () => {
  const [role, other, chief] = [await roleNamed('legal'), await roleNamed('staff'), await roleNamed('super_admin')];
  const person = await app.person();
  const day = dayAfter(today(), 20);
  await give([person.id], { what: 'give', roles: [role.id], until: day });
  await give([person.id], { what: 'give', roles: [other.id] });
  const { value } = await app.admin.get(users.list, { query: { search_value: person.username } });
  expect(Object.fromEntries(value[0]!.roles.map((one) => [one.id, one.until]))).toEqual({
    [role.id]: day,
    [other.id]: null,
  });
  expect((await give([person.id], { what: 'give', roles: [chief.id], until: day })).msg).toContain('不能设到期日期');
  const past = dayAfter(today(), -1);
  expect((await give([person.id], { what: 'give', roles: [other.id], until: past })).msg).toContain('已经过去');
  expect((await (await app.signIn(person)).ask(accounts.me)).code).toBe(0);
});

test('a role is copied until the day it is held until, is not given until another day while it is held, and is given anew once it is over', async () => {
  const role = await roleNamed('legal');
  const [pattern, person] = [await app.person(), await app.person()];
  const [day, later] = [dayAfter(today(), 20), dayAfter(today(), 40)];
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
  await until(person.id, dayAfter(today(), -1));
  expect(await held()).toEqual([]);
  expect(await give([person.id], { what: 'give', roles: [role.id], until: later })).toMatchObject({ code: 0 });
  expect(await held()).toEqual([later]);
});
