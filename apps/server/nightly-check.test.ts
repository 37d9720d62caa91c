import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sealLogs } from '#modules/platform/audit/chain/chain.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { chainTask } from './nightly-check.ts';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
let superuser: pg.Client;
beforeAll(async () => {
  app = await openTestApp();
  const { rows } = await app.db.$client.query<{ name: string }>('select current_database() as name');
  superuser = new pg.Client(Object.assign(new URL(inject('databaseAdminUrl')), { pathname: `/${rows[0]!.name}` }).href);
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await app.close();
});

test('a log row changed behind the product’s back is reported to super administrators at night, and an intact chain is not', async () => {
  const { services } = app;
  const night = () => chainTask(services).run(null, { attempt: 1, now: new Date() });
  const told = async () => (await app.admin.get(messages.unread, { query: {} })).value.map((row) => row.title);
  await app.admin.get(settings.saveLogin, { body: { session_hours: 9 } });
  while (await services.databases.write(sealLogs));
  await night();
  expect(await told()).toEqual([]);
  await superuser.query(`begin; set local session_replication_role = replica;
    update log set title = title || '改' where seal = (select max(seal) from log); commit`);
  await night();
  expect(await told()).toEqual(['日志链核对不通过，记录可能被改动过']);
});
