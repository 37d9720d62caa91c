import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { access } from '#modules/platform/access/contract.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import { cloneTemplate, openTestApp, type TestOffice } from './testing.ts';

// A second database that nothing is copied to stands for a lagging replica, so that reads from it can be recognised.
let app: TestOffice;
let replica: { url: string; drop(): Promise<void> };
let behind: Databases;

beforeAll(async () => {
  replica = await cloneTemplate();
  behind = openDatabases({ url: replica.url, onError: () => undefined });
  await behind.write((tx) => tx.insert(roleTable).values({ name: '副本角色', code: 'replica', data_scope: 1 }));
  app = await openTestApp({ readDatabaseUrl: replica.url });
});
afterAll(async () => {
  await app.close();
  await behind.close();
  await replica.drop();
});

const names = async (who = app.admin) =>
  (await who.get(access.roles, { query: { per_page: 100 } })).value.map((row) => row.name);

test('lists are read from the replica, and by a person who just wrote from the primary', async () => {
  expect(await names()).toContain('副本角色');
  const writer = await app.signIn('admin');
  expect(await names(writer)).toContain('副本角色');
  await writer.get(access.addRole, { body: { name: '新角色', code: 'fresh' } });
  const own = await names(writer);
  expect(own).toContain('新角色');
  expect(own).not.toContain('副本角色');
  expect(await names()).toContain('副本角色');
});

test('a person notified of a change reads it from the primary, and other people do not', async () => {
  const [reader, other] = [await app.signIn('admin'), await app.signIn(await app.person({ roles: ['super_admin'] }))];
  for (const who of [reader, other]) expect(await names(who)).toContain('副本角色');
  await app.services.databases.write(async (tx) => changed(tx, 'accounts', [other.userId]));
  await eventually(async () => expect(await names(other)).not.toContain('副本角色'));
  expect(await names(reader)).toContain('副本角色');
});

test('a replica that does not answer is reported at the start', async () => {
  const gone = Object.assign(new URL(replica.url), { port: '1' }).href;
  await expect(openTestApp({ readDatabaseUrl: gone })).rejects.toThrow(/只读副本（READ_DATABASE_URL）无法连接/);
});
