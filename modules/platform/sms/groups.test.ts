import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { dataScope } from '#modules/platform/access/contract/roles.ts';
import { alumni } from '#modules/platform/alumni/contract.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { groupEmpty, groupNameTaken, smsGroups } from './contract/groups.ts';
import { smsGroupTable } from './tables.ts';

vi.setConfig({ testTimeout: 40_000 });

let app: TestOffice;
let dept: number;
let sender: Client;
let colleague: Client;
let stranger: Client;
beforeAll(async () => {
  app = await openTestApp();
  dept = await app.dept('校友办');
  sender = await app.clerk({ 'sms/send': ['Create', 'Retrieve', 'Update'] }, { dept });
  colleague = await app.clerk({ 'sms/send': ['Create', 'Retrieve'] }, { dept });
  stranger = await app.clerk({ 'sms/send': ['Create', 'Retrieve', 'Update'] }, { dept: await app.dept('后勤处') });
});
afterAll(() => app.close());

const to = (...people: number[]) => ({ all: false, depts: [], roles: [], users: people });
const add = (body: object, who = sender) => who.ask(smsGroups.add, { body: body as never });
const listed = async (who: Client) => (await who.get(smsGroups.list, { query: { per_page: 100 } })).value;
const named = async (who: Client) => (await listed(who)).map((row) => row.name);
const share = (id: number, shared: boolean, who = sender) =>
  who.ask(smsGroups.share, { params: { id }, body: { shared } as never });

test('recipients are saved as a named group, changed by its owner and invisible to others', async () => {
  const one = await app.person({ dept });
  const added = await add({ name: '值班组', recipients: to(one.id) });
  expect(added.code).toBe(0);
  const id = added.data.id!;
  expect(await listed(sender)).toMatchObject([
    { id, recipients: to(one.id), known: [{ id: one.id }], mine: true, actions: ['update', 'share', 'delete'] },
  ]);
  expect(await add({ name: '值班组', recipients: to(one.id) })).toRefuse(groupNameTaken, '值班组');
  expect(await add({ name: '空组' })).toRefuse(groupEmpty);
  expect(await named(colleague)).toEqual([]);
  const change = (body: object, who = sender) => who.ask(smsGroups.change, { params: { id }, body: body as never });
  expect((await change({ name: '夜班组' }, colleague)).code).toBe(4004);
  expect((await change({ name: '夜班组', version: 0 })).code).toBe(0);
  expect((await change({ name: '早班组', version: 0 })).code).toBe(4011);
  expect((await listed(sender))[0]).toMatchObject({ name: '夜班组', recipients: to(one.id) });
  expect((await colleague.ask(smsGroups.remove, { params: { id } })).code).toBe(4004);
  expect((await sender.ask(smsGroups.remove, { params: { id } })).code).toBe(0);
  expect(await named(sender)).toEqual([]);
});

test('a group is shared with its owner’s department by permission, used there, and changed only by its owner', async () => {
  const [stays, leaves] = [await app.person({ dept }), await app.person({ dept })];
  const id = (await add({ name: '共用组', recipients: to(stays.id, leaves.id) })).data.id!;
  expect((await share(id, true, colleague)).code).toBe(4003);
  expect((await share(id, true, stranger)).code).toBe(4004);
  expect((await share(id, true)).code).toBe(0);
  expect(await listed(colleague)).toMatchObject([{ name: '共用组', mine: false, shared: true, actions: [] }]);
  expect(await named(stranger)).toEqual([]);
  expect((await colleague.ask(smsGroups.remove, { params: { id } })).code).toBe(4004);
  await app.admin.get(users.update, { params: { id: leaves.id }, body: { is_active: false } });
  expect((await listed(colleague))[0]!.recipients.users).toEqual([stays.id]);
  expect((await share(id, false)).code).toBe(0);
  expect(await named(colleague)).toEqual([]);
});

test('an erased alumnus is in no group, and one beyond the viewer’s reach is hidden in a shared group', async () => {
  const keeper = await app.clerk({ 'alumnus/list': ['Create', 'Retrieve', 'Delete'] }, { dept });
  const enter = async (student_no: string) =>
    (await keeper.get(alumni.add, { body: { name: '校友', student_no } as never })).id!;
  const [gone, kept] = [await enter('g1'), await enter('g2')];
  const id = (await add({ name: '校友组', alumnus_ids: [gone, kept] })).data.id!;
  await share(id, true);
  const narrow = await app.clerk({ 'sms/send': ['Create'] }, { dept, dataScope: dataScope.own });
  expect((await listed(colleague)).find((one) => one.id === id)!.alumnus_ids).toEqual([gone, kept]);
  expect((await listed(narrow)).find((one) => one.id === id)!.alumnus_ids).toEqual([]);
  expect((await keeper.ask(alumni.erase, { params: { id: gone } })).code).toBe(0);
  const [row] = await app.db.select().from(smsGroupTable).where(eq(smsGroupTable.id, id));
  expect(row!.alumnus_ids).toEqual([kept]);
  expect((await listed(sender)).find((one) => one.id === id)!.alumnus_ids).toEqual([kept]);
});
