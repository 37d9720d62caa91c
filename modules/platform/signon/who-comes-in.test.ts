import { eq, inArray } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { peopleByNumber } from '#modules/platform/people/service/outside.ts';
import { userRoleTable, userTable } from '#modules/platform/people/tables.ts';
import { openBrowser } from './testing/browser.ts';
import { startForger } from './testing/forger.ts';
import { setUp } from './testing/setup.ts';
import { back, begin, finish } from './testing/trip.ts';
import { openOidcHouse } from './testing/oidc-house.ts';

const { app, provider, oidc, close } = await openOidcHouse();
afterAll(close);

test('a person without a number at the provider is not matched to an account without one', async () => {
  const server = await startForger();
  Object.assign(server.wanted, { plain: true });
  const [authorize_url, token_url, userinfo_url] = ['authorize', 'token', 'userinfo'].map(
    (at) => `${server.url}/${at}`,
  );
  await oidc('', { type: 'oauth2', authorize_url, token_url, userinfo_url, claim: 'userNo', match: 'employ_no' });
  await app.services.databases.pool.query(
    `update app_user set employ_no = username where username <> 'admin' and employ_no = ''`,
  );
  const browser = openBrowser(app.url);
  for (const number of ['', ' ', '　']) {
    server.wanted.userNo = number;
    const answer = await finish(browser, { code: 'any', state: (await begin(browser)).state });
    expect(answer).toMatchObject({ code: -1, msg: expect.stringContaining('没有确认您的身份') });
  }
  expect(await peopleByNumber(app.db, '', 'employ_no')).toEqual([]);
  await server.close();
  await oidc(provider.url);
});

test('an unknown number is refused, or registered with only the role that everybody has', async () => {
  provider.person = { sub: 'new.comer', name: '新同事' };
  const browser = openBrowser(app.url);
  expect(await finish(browser, await back(browser))).toMatchObject({
    code: -1,
    msg: expect.stringContaining('“new.comer”'),
  });
  await setUp(app, { allow_register: true });
  const { code, data } = await finish(browser, await back(browser));
  expect({ code, alias: data['alias'] }).toEqual({ code: 0, alias: '新同事' });
  const me = (await browser.ask('/api/accounts/users/info/', { headers: { authorization: `JWT ${data['jwt']}` } }))
    .data;
  expect((me['roles'] as { code: string }[]).map((role) => role.code)).toEqual(['reception']);
  const [row] = await app.db.select().from(userTable).where(eq(userTable.username, 'new.comer'));
  expect(row).toMatchObject({ type_id: 0, dept_id: null });
  expect(await app.db.select().from(userRoleTable).where(eq(userRoleTable.user_id, row!.id))).toEqual([]);
  provider.person = { sub: '张三 or 1=1', name: '不成其为工号' };
  const other = openBrowser(app.url);
  expect((await finish(other, await back(other))).code).toBe(-1);
  const login = { body: { username: 'new.comer', password: row!.password } };
  expect((await app.stranger.ask(accounts.login, login)).code).toBe(-1);
  await setUp(app, { allow_register: false });
});

test('a newcomer with a number of any allowed length can sign in again, however it is matched', async () => {
  for (const match of ['', 'employ_no']) {
    await oidc(provider.url, { match });
    await setUp(app, { allow_register: true });
    for (const sub of [`9b2d3c1e-5a77-4d0e-8c1b-${match || 'username'}`, `${match}_`.repeat(50).slice(0, 50)]) {
      provider.person = { sub, name: '新同事' };
      const ids = [];
      for (const browser of [openBrowser(app.url), openBrowser(app.url)])
        ids.push((await finish(browser, await back(browser))).data?.['user_id']);
      expect(ids).toEqual([expect.any(Number), ids[0]]);
      const [row] = await app.db.select().from(userTable).where(eq(userTable.username, sub));
      expect(row).toMatchObject({ id: ids[0], employ_no: sub });
    }
  }
  await oidc(provider.url);
});

test('of several accounts with one number the active one is signed in, and two active ones are refused and told', async () => {
  await oidc(provider.url, { match: 'employ_no' });
  const [left, here, double] = [await app.person({ active: false }), await app.person(), await app.person()];
  const numbered = (ids: number[]) =>
    app.services.databases.write((tx) =>
      tx.update(userTable).set({ employ_no: 'G7001' }).where(inArray(userTable.id, ids)),
    );
  provider.person = { sub: 'G7001', name: '同号' };
  const browser = openBrowser(app.url);
  await numbered([left.id]);
  expect(await finish(browser, await back(browser))).toMatchObject({ code: -1, msg: expect.stringContaining('停用') });
  await numbered([here.id]);
  expect((await finish(browser, await back(browser))).data).toMatchObject({ user_id: here.id });
  await numbered([double.id]);
  // Somebody identified by more than the number is not affected when another person has it.
  expect((await finish(browser, await back(browser))).data).toMatchObject({ user_id: here.id });
  await app.services.databases.pool.query('delete from sso_identity');
  await setUp(app, { allow_register: true });
  const told = { code: -1, msg: '工号“G7001”对应多个账号，请联系管理员核对' };
  expect(await finish(browser, await back(browser))).toMatchObject(told);
  await app.services.databases.write((tx) =>
    tx
      .update(userTable)
      .set({ is_active: false })
      .where(inArray(userTable.id, [here.id, double.id])),
  );
  expect(await finish(browser, await back(browser))).toMatchObject(told);
  await setUp(app, { allow_register: false });
  await oidc(provider.url);
});

test('a deactivated or deleted person is not signed in, whatever the provider says', async () => {
  const leaver = await app.person({ username: 'leaver', active: false });
  provider.person = { sub: 'leaver', name: '离职' };
  const browser = openBrowser(app.url);
  expect(await finish(browser, await back(browser))).toMatchObject({ code: -1, msg: expect.stringContaining('停用') });
  await setUp(app, { allow_register: true });
  await app.services.databases.write((tx) =>
    tx.update(userTable).set({ is_deleted: true }).where(eq(userTable.id, leaver.id)),
  );
  expect((await finish(browser, await back(browser))).code).toBe(-1);
  await setUp(app, { allow_register: false });
});

test('a person deactivated after signing in is signed out', async () => {
  await app.person({ username: 'zhang.san', alias: '张三' });
  provider.person = { sub: 'zhang.san', name: '张三' };
  const browser = openBrowser(app.url);
  const { data } = await finish(browser, await back(browser));
  await app.services.databases.write((tx) =>
    tx.execute(`update app_user set is_active = false where username = 'zhang.san'`),
  );
  await expect
    .poll(
      async () => {
        const headers = { authorization: `JWT ${data['jwt']}` };
        return (await browser.ask('/api/accounts/users/info/', { headers })).code;
      },
      { timeout: 10_000, interval: 500 },
    )
    .toBe(401);
});
