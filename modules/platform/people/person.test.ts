import { afterAll, expect, test } from 'vitest';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { lookups } from './contract/lookups.ts';
import { users } from './contract/users.ts';

const school = await openSchool();
const { office: app, dept, below, elsewhere, staff, head, leader, principal, librarian, stranger } = school;
afterAll(() => app.close());
const pageOf = (id: number, who: Client = stranger) => who.get(lookups.person, { params: { id } });
const superiorsOf = async (id: number) => (await pageOf(id)).superiors.map((one) => one.alias);

test('a person reports to their department’s head, a head to the leader in charge, otherwise to the department above', async () => {
  const within = await school.hire('考试员', { dept: below });
  expect(await superiorsOf(staff.userId)).toEqual(['李四']);
  expect(await superiorsOf(head.userId)).toEqual(['王五']);
  expect(await superiorsOf(leader.userId)).toEqual([]);
  expect(await superiorsOf(within.userId)).toEqual(['李四']);
  expect(await superiorsOf(librarian.userId)).toEqual([]);
});

test('a person’s page shows their departments, what they head or are in charge of, and whom they serve', async () => {
  const within = await school.hire('兼职员', { dept: below });
  const { pool } = app.services.databases;
  await pool.query('insert into user_dept (user_id, dept_id) values ($1, $2)', [within.userId, elsewhere]);
  await pool.query('insert into secretary (leader_id, secretary_id) values ($1, $2)', [
    principal.userId,
    within.userId,
  ]);
  expect(await pageOf(within.userId)).toMatchObject({
    places: [
      { id: below, name: '教务处 / 考试中心', main: true },
      { id: elsewhere, name: '图书馆', main: false },
    ],
    duties: [{ duty: '服务领导', of: ['陈校长'] }],
  });
  expect((await pageOf(head.userId)).duties).toEqual([{ duty: '负责部门', of: ['教务处'] }]);
  expect((await pageOf(leader.userId)).duties).toEqual([{ duty: '分管部门', of: ['教务处'] }]);
  expect((await pageOf(principal.userId)).duties).toEqual([{ duty: '校领导', of: [] }]);
  expect((await pageOf(staff.userId)).duties).toEqual([]);
});

test('a person’s page shows numbers as the address book does, and offers to write only to those who may', async () => {
  const hidden = await app.person({ dept, phone: '13900040001' });
  await app.admin.get(users.update, { params: { id: hidden.id }, body: { phone_visible: 3 } });
  const writer = await app.clerk({ 'msg/send': ['Create'] });
  const texter = await app.clerk({ 'sms/send': ['Create'] });
  const narrow = await app.clerk({ 'sms/send': ['Create'] }, { dept: elsewhere, dataScope: 3 });
  expect(await pageOf(hidden.id)).toMatchObject({ phone: '', phone_masked: '', actions: [] });
  expect((await pageOf(hidden.id, principal)).phone).toBe('139****0001');
  expect((await pageOf(hidden.id, writer)).actions).toEqual(['notify']);
  expect((await pageOf(hidden.id, texter)).actions).toEqual(['text']);
  expect((await pageOf(hidden.id, narrow)).actions).toEqual([]);
  expect((await pageOf(writer.userId, writer)).actions).not.toContain('notify');
  const numberless = await app.person({ dept });
  expect((await pageOf(numberless.id, texter)).actions).toEqual([]);
});

test('a person who left has no page', async () => {
  const gone = await app.person({ dept });
  await app.admin.get(users.update, { params: { id: gone.id }, body: { is_active: false } });
  expect((await stranger.ask(lookups.person, { params: { id: gone.id } })).code).toBe(4004);
});
