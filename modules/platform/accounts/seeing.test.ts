import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { access } from '#modules/platform/access/contract.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { repairCast } from '#modules/workflow/tickets/testing/repair.ts';
import { accounts } from './contract.ts';
import { seeingCalls } from './contract/seeing.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
const query = async <R extends object>(text: string, ...values: unknown[]) =>
  (await app.services.databases.pool.query(text, values)).rows as R[];
const roleId = async (code: string) =>
  (await query<{ id: number }>('select id from role where code = $1', code))[0]!.id;
const superior = async () => {
  const person = await app.person({ alias: '总管', roles: ['super_admin'] });
  return app.signIn(person);
};

/** Every node hears of it a moment later. */
async function see(boss: Client, body: { role: number } | { user: number }) {
  await boss.get(seeingCalls.see, { body });
  await expect.poll(async () => (await boss.get(accounts.me)).seeing).toBeDefined();
}
async function end(boss: Client) {
  await boss.get(seeingCalls.endSeeing);
  await expect.poll(async () => (await boss.get(accounts.me)).seeing).toBeUndefined();
}

test('a super administrator sees pages, buttons and rows with a role’s rights, changes nothing, and returns with one call', async () => {
  const boss = await superior();
  const before = await boss.get(access.webRouter, {});
  await see(boss, { role: await roleId('staff') });

  const me = await boss.get(accounts.me);
  expect([me.alias, me.seeing, me.is_super]).toEqual(['总管', '角色“员工”', false]);
  const staff = await app.signIn(await app.person({ roles: ['staff'] }));
  const pages = async (who: typeof boss) => (await who.get(access.webRouter, {})).map((item) => item.web_path);
  expect(await pages(boss)).toEqual(await pages(staff));
  expect((await boss.ask(users.list)).code).toBe(4003);

  for (const refused of [
    await boss.ask(accounts.changeInfo, { body: { office_room: '101' } }),
    await boss.ask(accounts.keepPreference, { body: { key: 'phrases', value: ['x'] } }),
    await boss.ask(tickets.list, { query: { category: 'owner', export: 'xlsx' } as never }),
    await boss.ask(accounts.updateCache),
    await boss.ask(seeingCalls.see, { body: { role: await roleId('staff') } }),
  ])
    expect([refused.code, refused.msg]).toEqual([4003, '正在以角色“员工”的权限查看，不能修改或导出，请先结束查看']);

  await end(boss);
  expect(await boss.get(access.webRouter, {})).toEqual(before);
  expect((await boss.get(accounts.me)).seeing).toBeUndefined();
  const noted = await query<{ title: string }>('select title from log where user_id = $1 order by id', boss.userId);
  const titles = noted.map(({ title }) => title);
  expect(titles).toContain('以角色“员工”的权限查看');
  expect(titles).toContain('结束以角色“员工”的权限查看');
});

test('while seeing as others every changing call is refused except ending it and signing out', () => {
  const calls = app.services.product.calls();
  const open = calls.filter((call) => call.whileSeeing).map((call) => call.path);
  expect(open.toSorted()).toEqual(['/api/accounts/logout/', '/api/accounts/seeing/']);
});

test('seeing as a person shows what their rights reach, not their private data, and marks nothing as read', async () => {
  const dept = await app.dept('校史馆');
  const person = await app.person({ alias: '小郑', dept, roles: ['dept_fzr'] });
  const theirs = await app.signIn(person);
  const boss = await superior();
  const cast = await repairCast(app);
  const made = await cast.begin();
  await see(boss, { user: (await app.person({ roles: ['workflow_admin'] })).id });
  await boss.get(tickets.get, { params: { id: made.id } });
  expect(await query('select 1 from ticket_look where user_id = $1', boss.userId)).toEqual([]);
  await end(boss);
  await see(boss, { user: person.id });
  const me = await boss.get(accounts.me);
  expect([me.id, me.seeing]).toEqual([boss.userId, '“小郑”']);
  expect((await boss.get(accounts.sessions)).every(({ current }) => current)).toBe(true);
  expect((await boss.ask(tickets.get, { params: { id: made.id } })).msg).toContain('不存在');
  expect((await boss.get(access.webRouter, {})).length).toBe((await theirs.get(access.webRouter, {})).length);
});

test('only a super administrator sees as others, and only while they are one', async () => {
  const clerk = await app.clerk({ 'system/role': ['Retrieve'] });
  const role = await roleId('staff');
  expect((await clerk.ask(seeingCalls.see, { body: { role } })).code).toBe(4003);
  const boss = await superior();
  const gone = await boss.ask(seeingCalls.see, { body: { role: 999_999 } });
  expect(gone.msg).toContain('不存在');
  expect((await boss.ask(seeingCalls.see, { body: { role, user: boss.userId } })).code).toBe(4000);

  await see(boss, { role: await roleId('office_admin') });
  await query('delete from user_role where user_id = $1', boss.userId);
  await query(`notify rights, 'all'`);
  await expect.poll(async () => (await boss.get(access.webRouter, {})).length, { timeout: 9000 }).toBe(0);
  expect((await boss.ask(accounts.changeInfo, { body: {} })).code).toBe(4003);
  await end(boss);
});

test('with separated offices nobody sees with the rights of administrators or auditors', async () => {
  const boss = await superior();
  const auditor = await app.person({ alias: '陈审计', roles: ['auditor'] });
  await see(boss, { user: auditor.id });
  expect((await boss.get(access.webRouter, {})).map((item) => item.component)).toContain('system/log');
  await app.admin.get(settings.saveLogin, { body: { dengbao: true } });
  await expect.poll(async () => (await boss.get(access.webRouter, {})).length, { timeout: 9000 }).toBe(0);
  await end(boss);
  const refused = await boss.ask(seeingCalls.see, { body: { user: auditor.id } });
  expect([refused.code, refused.msg]).toEqual([4003, expect.stringContaining('已启用三员分立，“陈审计”') as string]);
  await see(boss, { role: await roleId('staff') });
});
