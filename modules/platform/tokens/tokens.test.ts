import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { idempotencyTable } from '#kernel/server/db/tables.ts';
import { access } from '#modules/platform/access/contract.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { tokens } from './contract.ts';
import { appTokenTable } from './tables.ts';
import { sendSigned, type Sending } from './testing/signed.ts';

let running: TestOffice;
let owner: Client;
beforeAll(async () => {
  running = await openTestApp();
  owner = await running.clerk({
    'system/app_token': ['Create', 'Retrieve', 'Update', 'Delete'],
    'system/role': ['Create', 'Retrieve', 'Update'],
  });
});
afterAll(() => running.close());

const path = '/api/accounts/roles/';
const apis = ['GET /api/accounts/roles/', 'GET /api/accounts/menu/'];
let serial = 0;
const token = async (more: object = {}) => {
  serial += 1;
  const made = await owner.get(tokens.add, { body: { app_name: `应用${serial}`, apis, ...more } });
  return { app: String(made.id), key: made.key, id: made.id };
};

const send = (app: { app: string; key: string }, sending: Sending = {}) =>
  sendSigned(running.url, app, { url: path, ...sending });
const writable = async () => {
  // No call outside accounts writes yet; the row is inserted directly so that the body of a write can be tested.
  const made = await token();
  const api = 'POST /api/accounts/roles/';
  await running.services.databases.write((tx) =>
    tx
      .update(appTokenTable)
      .set({ apis: [api] })
      .where(eq(appTokenTable.id, made.id)),
  );
  return made;
};

test('a correctly signed request is answered with the rights of the token’s creator', async () => {
  const app = await token();
  expect(await send(app)).toMatchObject({ code: 0 });
  expect(await send(app, { url: `${path}?per_page=1&search_value=x` })).toMatchObject({ code: 0 });
  const [row] = (await owner.get(tokens.list, { query: { search_value: '应用' } })).value;
  expect(row?.last_used_at).not.toBeNull();
});

test('a token reaches neither beyond its calls nor beyond its creator’s rights', async () => {
  const app = await token();
  expect((await send(app, { url: '/api/accounts/roles/simple_roles/' })).code).toBe(4003);
  expect((await send(app, { url: '/api/accounts/menu/' })).code).toBe(4003);
});

test('an altered path, query, time, method or key is refused', async () => {
  const app = await token();
  const altered = [
    await send(app, { instead: { url: '/api/accounts/menu/' } }),
    await send(app, { instead: { url: `${path}?per_page=100` } }),
    await send(app, { instead: { time: Date.now() + 1000 } }),
    await send(app, { method: 'POST', instead: { method: 'GET' } }),
    await send({ ...app, key: 'wrong' }),
    await send({ ...app, app: '999999' }),
    await send({ ...app, app: '1 or 1=1' }),
  ];
  expect(altered.map((answer) => answer.code)).toEqual(altered.map(() => 401));
});

test('an altered body is refused, and so are writes to accounts even if a token names them', async () => {
  const app = await writable();
  const body = JSON.stringify({ name: '越权', code: 'sneaked' });
  const instead = { body: JSON.stringify({ name: '篡改', code: 'altered' }) };
  expect((await send(app, { method: 'POST', body, instead })).code).toBe(401);
  expect((await send(app, { method: 'POST', body })).code).toBe(4003);
});

test('a repeated request is refused', async () => {
  const app = await token();
  const time = Date.now();
  expect((await send(app, { time })).code).toBe(0);
  expect((await send(app, { time })).code).toBe(401);
  const together = await Promise.all([1, 2, 3, 4].map(() => send(app, { time: time + 1 })));
  expect(together.filter((answer) => answer.code === 0)).toHaveLength(1);
});

test('a request more than five minutes early or late is refused', async () => {
  const app = await token();
  expect((await send(app, { time: Date.now() - 301_000 })).code).toBe(401);
  expect((await send(app, { time: Date.now() + 301_000 })).code).toBe(401);
  expect((await send(app, { time: Date.now() - 290_000 })).code).toBe(0);
});

test('a repeated request is recognised as long as it is valid, even if the database’s clock is ahead', async () => {
  const app = await token();
  const time = Date.now() - 280_000;
  expect((await send(app, { time })).code).toBe(0);
  // As if its clock were a minute ahead.
  await running.services.databases.pool.query(`update app_token_use set expires_at = expires_at - interval '1 minute'`);
  expect((await send(app)).code).toBe(0);
  expect((await send(app, { time })).code).toBe(401);
});

test('a disabled, expired or deleted token is refused', async () => {
  const over = await owner.ask(tokens.add, { body: { app_name: '生来过期', apis, expire_at: '2020-01-01' } });
  expect(over).toMatchObject({ code: -1, msg: expect.stringContaining('2020-01-01 已经过去') });
  const app = await token();
  const params = { id: app.id };
  await owner.get(tokens.change, { params, body: { status: false } });
  expect((await send(app)).code).toBe(401);
  await owner.get(tokens.change, { params, body: { status: true, expire_at: '2020-01-01' } });
  expect((await send(app)).code).toBe(401);
  await owner.get(tokens.change, { params, body: { expire_at: null } });
  expect((await send(app)).code).toBe(0);
  await owner.get(tokens.remove, { params });
  expect((await send(app)).code).toBe(401);
});

test('a token is accepted only from its own addresses', async () => {
  expect((await send(await token({ ip_whitelist: ['10.0.0.0/8', '192.168.1.5', '2001:db8::/32'] }))).code).toBe(401);
  expect((await send(await token({ ip_whitelist: ['127.0.0.0/8'] }))).code).toBe(0);
  const wrong = await owner.ask(tokens.add, { body: { app_name: '错', apis, ip_whitelist: ['1.2.3.4/99'] } });
  expect(wrong).toMatchObject({ code: 4000, msg: expect.stringContaining('1.2.3.4/99') });
});

test('the token of somebody who may no longer sign in is refused', async () => {
  const clerk = await running.clerk({ 'system/app_token': ['Create'], 'system/role': ['Retrieve'] });
  const made = await clerk.get(tokens.add, { body: { app_name: '离职', apis } });
  const app = { app: String(made.id), key: made.key };
  expect((await send(app)).code).toBe(0);
  await running.services.databases.write((tx) =>
    tx.update(userTable).set({ is_active: false }).where(eq(userTable.id, clerk.userId)),
  );
  expect((await send(app)).code).toBe(401);
});

test('the key of a token is shown once and stored unreadable', async () => {
  const app = await token();
  const [row] = await running.db.select().from(appTokenTable).where(eq(appTokenTable.id, app.id));
  expect(row?.key).not.toContain(app.key);
  const list = await owner.get(tokens.list, { query: { per_page: 100 } });
  const body = { app_name: '一次', apis };
  const once = await owner.ask(tokens.add, { body }, { 'idempotency-key': 'shown-once-1' });
  const kept = [await running.db.select().from(logTable), await running.db.select().from(idempotencyTable)];
  expect(JSON.stringify(kept)).not.toContain(once.data.key);
  expect(JSON.stringify([list, kept])).not.toContain(app.key);
});

test('nobody widens another’s token, or gives an application the right to write accounts', async () => {
  const app = await running.admin.get(tokens.add, { body: { app_name: '管理员的', apis } });
  const answer = await owner.ask(tokens.change, {
    params: { id: app.id },
    body: { apis: ['GET /api/accounts/menu/'] },
  });
  expect(answer.code).toBe(4003);
  const body = { app_name: '写', apis: ['POST /api/accounts/roles/'] };
  expect(await running.admin.ask(tokens.add, { body })).toMatchObject({ code: -1 });
  const offered = await owner.get(tokens.grantableApis);
  expect(offered.map(({ api }) => api)).toContain('GET /api/accounts/roles/');
  expect(offered.filter(({ api }) => /^(?!GET).* \/api\/accounts\//.test(api))).toEqual([]);
});

test('token names are unique, and options list the enabled ones', async () => {
  const body = { app_name: '重名', apis };
  await owner.get(tokens.add, { body });
  expect(await owner.ask(tokens.add, { body })).toMatchObject({ code: -1, msg: expect.stringContaining('重名') });
  expect((await owner.get(tokens.simpleTokens)).map((row) => row.app_name)).toContain('重名');
  expect((await (await running.clerk({})).ask(access.roles)).code).toBe(4003);
});
