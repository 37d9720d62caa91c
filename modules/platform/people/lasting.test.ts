import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { access } from '#modules/platform/access/contract.ts';
import { depts, placeGives } from './contract/depts.ts';
import { members } from './contract/members.ts';
import { postAsked, rightsBeyond, roleHeldUntil } from './contract/refusals.ts';
import { bulk, type BulkChange } from './contract/users/bulk.ts';
import { users } from './contract/users.ts';

/*
 * `deputy` permanently administers the people of one department, and until `day` also holds a role that reads the operation log (`lent`), one that
 * reaches every person, and one that administers workflows.
 */
let app: TestOffice;
let deputy: Client;
let dept: number;
const day = dayAfter(dayOf(new Date()), 20);
type Person = Awaited<ReturnType<TestOffice['person']>>;
interface Role extends Record<string, unknown> {
  id: number;
  name: string;
}
let lent: Role;
let auditor: Person;
const write = (text: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(text));
const roleNamed = async (code: string) =>
  (await app.db.execute<Role>(sql`select id, name from role where code = ${code}`)).rows[0]!;
const whole = ['Retrieve', 'Create', 'Update', 'Delete'] as ('Retrieve' | 'Update')[];
beforeAll(async () => {
  app = await openTestApp();
  dept = await app.dept('财务处');
  const reading = await app.role({ 'system/log': ['Retrieve'] });
  lent = await roleNamed(reading);
  const flows = await app.role({ 'workflow/list': ['Retrieve', 'Update'] });
  const wide = await app.role({ 'system/user': ['Retrieve'] });
  const pages = { 'system/user': whole, 'system/dept': whole, 'system/role': whole };
  deputy = await app.clerk(pages, { dept, dataScope: 3, roles: [reading, flows, wide] });
  auditor = await app.person({ alias: '审计人', dept, roles: [reading] });
  const [flowRole, wideRole] = [await roleNamed(flows), await roleNamed(wide)];
  await write(sql`update user_role set until = ${day} where user_id = ${deputy.userId}
    and role_id in (${lent.id}, ${flowRole.id}, ${wideRole.id})`);
  const asking = JSON.stringify({ states: [{ participants: [{ type: 15, posts: ['总会计师'] }] }] });
  await write(sql`insert into workflow_version (workflow_id, no, status, definition, hash, published_at)
    select min(id), 998, 'retired', ${asking}::jsonb, repeat('0', 64), now() from workflow where not is_deleted`);
  // A session is cached for some seconds.
  deputy = await app.signIn(deputy.userId);
});
afterAll(() => app.close());

const give = (person: Person, change: BulkChange) =>
  deputy.ask(bulk.preview, { body: { ids: [person.id], change } }).then(({ data }) => data!.value[0]!.why);

test('a role held until a day can be granted by its holder at most until that day, by every route', async () => {
  const person = await app.person({ alias: '科员', dept });
  const why = roleHeldUntil(lent.name, day).message;
  const until = (end: string | undefined) =>
    give(person, { what: 'give', roles: [lent.id], ...(end && { until: end }) });
  expect(await until(undefined)).toBe(why);
  expect(await until(dayAfter(day, 1))).toBe(why);
  expect(await until(day)).toBe('');
  expect(await until(dayAfter(day, -1))).toBe('');
  const update = deputy.ask(users.update, { params: { id: person.id }, body: { roles: [lent.id] } as never });
  expect(await update).toRefuse(roleHeldUntil, lent.name, day);
  const member = deputy.ask(members.add, { params: { id: lent.id }, body: { user_ids: [person.id] } });
  expect(await member).toRefuse(roleHeldUntil, lent.name, day);
  const fresh = { username: 'lasting1', alias: '新来的', dept, roles: [lent.id] };
  expect(await deputy.ask(users.create, { body: fresh as never })).toRefuse(roleHeldUntil, lent.name, day);
  const untilThen = { user_ids: [person.id], until: day };
  const far = { params: { id: lent.id }, body: { ...untilThen, until: dayAfter(day, 1) } };
  expect(await deputy.ask(members.add, far)).toRefuse(roleHeldUntil, lent.name, day);
  // A permanent role is copied as permanent.
  expect(await give(person, { what: 'copy', from: auditor.id })).toBe(why);
  const added = await deputy.ask(members.add, { params: { id: lent.id }, body: untilThen });
  expect(added).toMatchObject({ code: 0, data: { added: 1 } });
});

test('a holder of temporary rights may edit people meanwhile, but cannot take over accounts with more rights', async () => {
  const update = (body: object) => deputy.ask(users.update, { params: { id: auditor.id }, body: body as never });
  expect((await update({ office_room: '301' })).code).toBe(0);
  expect(await deputy.ask(users.resetPassword, { params: { id: auditor.id } })).toRefuse(rightsBeyond, auditor.alias);
  expect(await update({ phone: '13900010001' })).toRefuse(rightsBeyond, auditor.alias);
  const plain = await app.person({ alias: '平常人', dept });
  expect((await deputy.ask(users.resetPassword, { params: { id: plain.id } })).code).toBe(0);
});

test('a role may be withdrawn by somebody who holds its rights temporarily', async () => {
  const person = await app.person({ alias: '被取消的人', dept });
  await write(sql`insert into user_role (user_id, role_id) values (${person.id}, ${lent.id})`);
  expect(await give(person, { what: 'take', roles: [lent.id] })).toBe('');
});

test('a post that a workflow asks for cannot be set by a temporary workflow administrator', async () => {
  const person = await app.person({ alias: '会计', dept });
  const update = deputy.ask(users.update, { params: { id: person.id }, body: { post: '总会计师' } as never });
  expect(await update).toRefuse(postAsked, '总会计师');
});

test('a role cannot be created with rights that its creator holds only temporarily', async () => {
  const button = await app.db.execute<{ id: number; menu: number }>(sql`
    select mb.id, mb.menu_id menu from role_menu_button rb join menu_button mb on mb.id = rb.menu_button_id where rb.role_id = ${lent.id}`);
  const [{ id, menu }] = button.rows as [{ id: number; menu: number }];
  const body = { name: '新角色', code: 'lasting_new', data_scope: 5, menus: [menu], buttons: [id] };
  const answer = await deputy.ask(access.addRole, { body: body as never });
  expect(answer.code).toBe(4003);
  expect(answer.msg).toContain('“');
});

test('a department is not moved if that gave somebody permanently what the mover may do only temporarily', async () => {
  const pages = { 'system/user': whole, 'system/dept': whole };
  const [upper, lower] = [await app.dept('上级'), await app.dept('下级')];
  const [below, everywhere] = [
    await app.role({ 'system/log': ['Retrieve'] }, 4),
    await app.role({ 'system/log': ['Retrieve'] }),
  ];
  const mover = await app.clerk(pages, { dept: upper, roles: [below, everywhere] });
  const keeper = await app.person({ alias: '管日志的人', dept: upper, roles: [below] });
  const wide = await roleNamed(everywhere);
  const move = async () =>
    (await app.signIn(mover.userId)).ask(depts.move, { params: { id: lower }, body: { parent: upper } as never });
  await write(sql`update user_role set until = ${day} where user_id = ${mover.userId} and role_id = ${wide.id}`);
  expect(await move()).toRefuse(placeGives, '下级', keeper.alias);
  await write(sql`update user_role set until = null where user_id = ${mover.userId} and role_id = ${wide.id}`);
  expect((await move()).code).toBe(0);
});
