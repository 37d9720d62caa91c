import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { absent, notOverAll } from '#kernel/contract/refusal.ts';
import { settings } from '../contract.ts';
import { backupDays, setupCalls } from '../contract/setup.ts';
import { noteBackup } from './backup.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const stepOf = async (client: Client, key: string) =>
  (await client.get(setupCalls.steps)).value.find((step) => step.key === key)!;

test('a new organisation has all set-up steps open, each with the page on which it is done', async () => {
  const { value } = await app.admin.get(setupCalls.steps);
  expect(value.map(({ key }) => key)).toEqual([
    'name',
    'depts',
    'people',
    'sign-in',
    'channels',
    'holidays',
    'seals',
    'numbers',
    'workflow',
    'backup',
  ]);
  const calendar = ({ key }: { key: string }) => key === 'holidays';
  expect(value.filter((step) => !calendar(step)).map(({ state }) => state)).toEqual(Array(9).fill('open'));
  expect(value.filter(({ web_path }) => web_path === null).map(({ key }) => key)).toEqual(['backup']);
});

test('a set-up step is ticked once it is done', async () => {
  expect((await stepOf(app.admin, 'name')).state).toBe('open');
  await app.admin.get(settings.saveSite, { body: { name: '实验中学' } });
  expect(await stepOf(app.admin, 'name')).toMatchObject({ state: 'done', found: '实验中学', actions: [] });
  await app.dept('教务处');
  expect(await stepOf(app.admin, 'depts')).toMatchObject({ state: 'done', found: '1 个部门' });
  await app.person({ alias: '第一位同事' });
  expect(await stepOf(app.admin, 'people')).toMatchObject({ state: 'done', found: '2 人' });
  await app.admin.get(settings.saveLogin, { body: { pwd_min: 10 } });
  expect((await stepOf(app.admin, 'sign-in')).state).toBe('done');
});

test('a backup counts in the set-up list until it is a week old, and an older one does not replace a later', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  await app.services.databases.write((tx) => noteBackup(tx, ago(backupDays - 1)));
  expect((await stepOf(app.admin, 'backup')).state).toBe('done');
  await app.services.databases.write((tx) => noteBackup(tx, ago(backupDays + 1)));
  expect((await stepOf(app.admin, 'backup')).state).toBe('done');
  const old = momentText(ago(backupDays + 1));
  await app.services.databases.write((tx) =>
    tx.execute(sql`update setting set value = jsonb_build_object('last', ${old}::text) where key = 'backup'`),
  );
  expect(await stepOf(app.admin, 'backup')).toMatchObject({ state: 'open', found: `最近一次 ${old.slice(0, 16)}` });
});

test('a set-up step that is not needed is skipped until it is wanted again', async () => {
  const asked = (skipped: boolean) => ({ params: { key: 'seals' }, body: { skipped } });
  await app.admin.get(setupCalls.skip, asked(true));
  expect(await stepOf(app.admin, 'seals')).toMatchObject({ state: 'skipped', actions: ['skip'] });
  await app.admin.get(setupCalls.skip, asked(false));
  expect((await stepOf(app.admin, 'seals')).state).toBe('open');
  const unknown = await app.admin.ask(setupCalls.skip, { params: { key: 'tea' }, body: { skipped: true } });
  expect(unknown).toRefuse(absent, '步骤“tea”');
});

test('a user with read access skips no step, gets links only to pages they may use, and needs the scope of the whole organisation', async () => {
  const clerk = await app.clerk({ 'system/setup': ['Retrieve'], 'system/site': ['Update'] });
  const { value } = await clerk.get(setupCalls.steps);
  expect(value.filter(({ web_path }) => web_path !== null).map(({ key }) => key)).toEqual(['name', 'holidays']);
  expect(value.flatMap(({ actions }) => actions)).toEqual([]);
  expect((await clerk.ask(setupCalls.skip, { params: { key: 'seals' }, body: { skipped: true } })).code).toBe(4003);
  const part = await app.clerk({ 'system/setup': ['Retrieve', 'Update'] }, { dataScope: 3 });
  expect(await part.ask(setupCalls.steps)).toRefuse(notOverAll, '上线清单');
  const stranger = await app.clerk({ 'system/site': ['Update'] });
  expect((await stranger.ask(setupCalls.steps)).code).toBe(4003);
});
