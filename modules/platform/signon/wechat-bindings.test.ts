import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { testPassword, type Client } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { signOn } from './contract.ts';
import { wechatTable } from './tables.ts';
import { openBrowser } from './testing/browser.ts';
import { setUp } from './testing/setup.ts';
import { openWechatHouse } from './testing/wechat-house.ts';

const { app, wechat, path, phoneOf, scan, finish, codeTo, bind, bound, close } = await openWechatHouse();
afterAll(close);

test('binding another WeChat ends the sessions of the old one and tells the person', async () => {
  const person = await bound('o-old');
  Object.assign(wechat.person, { openid: 'o-new', unionid: undefined });
  const browser = openBrowser(app.url);
  const token = (await finish(browser, await scan(browser))).data['bind_token'];
  const answer = await bind(browser, token, person.phone, await codeTo(person.phone));
  expect(answer.code).toBe(0);
  const asOld = () => browser.ask('/api/accounts/users/info/', { headers: { authorization: `JWT ${person.jwt}` } });
  await expect.poll(async () => (await asOld()).code).toBe(401);
  const inbox = await (await app.signIn(person)).get(messages.unread);
  expect(inbox.value.map((message) => message.title)).toContain('您的账号换绑了微信');
  wechat.person.openid = 'o-old';
  expect((await finish(browser, await scan(browser))).data['need_bind']).toBe(true);
});

test('a WeChat that is bound to one account is not bound to a second', async () => {
  const phone = phoneOf();
  await app.person({ phone });
  Object.assign(wechat.person, { openid: 'o-two', unionid: undefined });
  const browser = openBrowser(app.url);
  const token = (await finish(browser, await scan(browser))).data['bind_token'];
  const code = await codeTo(phone);
  await bound('o-two');
  expect(await bind(browser, token, phone, code)).toMatchObject({
    code: -1,
    msg: expect.stringContaining('已绑定其他账号'),
  });
});

test('a deactivated person cannot sign in by WeChat, and nobody can where only single sign-on is allowed', async () => {
  const person = await bound('o-leaver');
  await app.services.databases.write((tx) =>
    tx.update(userTable).set({ is_active: false }).where(eq(userTable.id, person.id)),
  );
  const browser = openBrowser(app.url);
  expect(await finish(browser, await scan(browser))).toMatchObject({ code: -1, msg: expect.stringContaining('停用') });
  const sso = { type: 'cas', url: 'https://cas.example' };
  await setUp(app, { sso_enabled: true }, { sso });
  await setUp(app, { sso_only: true });
  expect((await browser.ask(path)).code).toBe(-1);
  await setUp(app, { sso_only: false, sso_enabled: false });
});

test('a person deleted and re-created can bind the same WeChat to the new account', async () => {
  const leaver = await bound('o-returns', 'u-returns');
  await app.admin.get(users.remove, { params: { id: leaver.id } });
  expect(await app.db.select().from(wechatTable).where(eq(wechatTable.user_id, leaver.id))).toEqual([]);
  const back = await bound('o-returns', 'u-returns');
  const browser = openBrowser(app.url);
  expect((await finish(browser, await scan(browser))).data['userinfo']).toMatchObject({ user_id: back.id });
});

test('a person unbinds their WeChat with the password, which ends its sessions elsewhere', async () => {
  const person = await bound('o-lets-go');
  const me = await app.signIn(person);
  expect(await me.get(signOn.bound)).toMatchObject({ open: true, bound: true });
  expect(await me.ask(signOn.unbind, { body: { password: 'not mine' } })).toMatchObject({ code: -1 });
  expect((await me.get(signOn.bound)).bound).toBe(true);
  await me.get(signOn.unbind, { body: { password: testPassword } });
  expect(await me.get(signOn.bound)).toEqual({ open: true, bound: false, gmt_created: null });
  const headers = { authorization: `JWT ${person.jwt}` };
  const browser = openBrowser(app.url);
  const byWechat = async () => (await browser.ask('/api/accounts/users/info/', { headers })).code;
  await expect.poll(byWechat).toBe(401);
  expect((await me.get(messages.unread)).value.map((one) => one.title)).toContain('您的账号解除了微信绑定');
  expect((await finish(browser, await scan(browser))).data['need_bind']).toBe(true);
  expect(await me.ask(signOn.unbind, { body: { password: testPassword } })).toMatchObject({
    code: -1,
    msg: expect.stringContaining('没有绑定微信'),
  });
});

test('an administrator sees which of their people are bound to a WeChat, and can unbind it', async () => {
  const dept = await app.dept();
  const [here, elsewhere] = [await bound('o-here'), await bound('o-elsewhere')];
  await app.services.databases.write((tx) =>
    tx.update(userTable).set({ dept_id: dept }).where(eq(userTable.id, here.id)),
  );
  const clerk = await app.clerk({ 'system/user': ['Retrieve', 'Update'] }, { dept, dataScope: 3 });
  const reader = await app.clerk({ 'system/user': ['Retrieve'] }, { dept, dataScope: 3 });
  const offered = async (by: Client) => {
    const { value } = await by.get(users.list, { query: { dept, per_page: 100 } });
    return value.filter((row) => row.actions.includes('unbind_wechat')).map((row) => row.id);
  };
  expect([await offered(clerk), await offered(reader)]).toEqual([[here.id], []]);
  const letGo = (by: Client, id: number) => by.ask(users.unbindWechat, { params: { id } });
  const turnedDown = [letGo(reader, here.id), letGo(clerk, elsewhere.id), letGo(clerk, clerk.userId)];
  expect((await Promise.all(turnedDown)).map((answer) => answer.code)).toEqual([4003, 4004, 4003]);
  expect((await letGo(clerk, here.id)).code).toBe(0);
  expect(await letGo(clerk, here.id)).toMatchObject({ code: -1, msg: expect.stringContaining(here.alias) });
  expect(await offered(clerk)).toEqual([]);
  const headers = { authorization: `JWT ${here.jwt}` };
  const browser = openBrowser(app.url);
  const still = async () => (await browser.ask('/api/accounts/users/info/', { headers })).code;
  await expect.poll(still).toBe(401);
  wechat.person.openid = 'o-here';
  expect((await finish(browser, await scan(browser))).data['need_bind']).toBe(true);
});
