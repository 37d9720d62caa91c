import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { openContracts } from '#modules/office/contracts/testing/house.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { customers } from './contract/customers.ts';
import { projects } from './contract/projects.ts';
import { visits } from './contract/visits.ts';
import { remindOfCustomers } from './jobs.ts';
import { alertTargets } from './service.ts';
import { addContact, addCustomer, addProject, everything } from './testing/house.ts';

let house: Awaited<ReturnType<typeof openContracts>>;
beforeAll(async () => {
  house = await openContracts();
});
afterAll(() => house.app.close());

const seller = (more: object = {}) =>
  house.app.clerk({ ...everything, 'contract/manage': ['Retrieve'], ...more }, { dept: house.dept });
const one = async (who: Awaited<ReturnType<typeof seller>>, id: number) =>
  (await who.get(customers.get, { params: { id } })).value;
const write = (statement: ReturnType<typeof sql>) => house.app.services.databases.write((tx) => tx.execute(statement));

test('a customer shows the contracts of its credit code, otherwise of its name, with the sum of the approved ones', async () => {
  const who = await seller();
  const credit_code = '91350100M000100Y43';
  const byCode = await addCustomer(who, '客户这样称呼', { credit_code });
  const byName = await addCustomer(who, '晨光 文具有限公司');
  const none = await addCustomer(who, '没有合同的客户');
  await house.approve(await house.write({ amount: 1200, parties: [{ name: '合同那样称呼', credit_code }] }));
  await house.approve(await house.write({ amount: 300.5, name: '文具二' }));
  await house.write({ amount: 99, name: '还在审批' });
  expect(await one(who, byCode)).toMatchObject({ contract_amount: 1200, contracts: [{ amount: 1200 }] });
  const { contract_amount, contracts } = await one(who, byName);
  expect(contract_amount).toBe(300.5);
  expect(contracts!.map((row) => row.name).toSorted()).toEqual(['文具二', '还在审批']);
  expect(await one(who, none)).toMatchObject({ contract_amount: 0, contracts: [] });
  const refused = await who.ask(customers.remove, { params: { id: byName } });
  expect(refused.code).toBe(codes.refused);
  expect(refused.msg).toContain('有合同');
});

test('contract amounts are shown only to readers of contracts, for the contracts they see', async () => {
  const plain = await house.app.clerk(everything, { dept: house.dept });
  const id = await addCustomer(plain, '看不见金额的客户');
  expect(await one(plain, id)).toMatchObject({ contract_amount: null, contracts: null });
  const elsewhere = await house.app.clerk(
    { ...everything, 'contract/list': ['Retrieve'] },
    { dept: house.dept, dataScope: 5 },
  );
  const mine = await addCustomer(elsewhere, '晨光文具有限公司（分公司）');
  await write(sql`update contract_party set name = '晨光文具有限公司（分公司）' where name = '晨光文具有限公司'`);
  expect(await one(elsewhere, mine)).toMatchObject({ contract_amount: 0, contracts: [] });
});

test('an owner is reminded once of a customer not visited for the set days, and of the next date named in a visit', async () => {
  const who = await seller();
  const id = await addCustomer(who, '久未联系的客户', { follow_days: 30 });
  const note = (visited_at: string, next_date: string | null = null) =>
    who.get(visits.add, { body: { customer_id: id, way: 1, visited_at, next_date, content: '拜访' } as never });
  const back = { customer_id: id, way: 1, visited_at: '2026-01-01 09:00', next_date: '2020-01-01', content: '拜访' };
  expect((await who.ask(visits.add, { body: back as never })).msg).toContain(
    '下次跟进 2020-01-01 早于跟进时间 2026-01-01',
  );
  await note('2026-01-01 09:00');
  const told = async (day: string) => {
    const at = new Date(`${day}T09:00:00+08:00`);
    await house.app.services.databases.write((tx) => remindOfCustomers(tx, at));
    const { value } = await who.get(messages.unread);
    return value.map((row) => row.title).filter((title) => title.includes('久未联系的客户')).length;
  };
  expect(await told('2026-01-30')).toBe(0);
  expect(await told('2026-01-31')).toBe(1);
  expect(await told('2026-01-31')).toBe(1);
  expect(await told('2026-02-07')).toBe(2);
  await note('2026-02-08 09:00', '2026-02-20');
  expect(await told('2026-02-19')).toBe(2);
  expect(await told('2026-02-20')).toBe(3);
});

test('a leaver’s customers and projects move to another person, with their memberships and alarms', async () => {
  const from = await seller();
  const to = await house.app.person({ alias: '接手人', dept: house.dept });
  const id = await addCustomer(from, '要移交的客户');
  const project = await addProject(from, id, '要移交的项目', {
    members: [from.userId, to.id],
    alert_users: [from.userId],
  });
  const { value } = await house.app.admin.get(leaving.open, { params: { id: from.userId } });
  expect(value.find((kind) => kind.key === 'customers')!.rows).toMatchObject([
    { title: '要移交的客户', note: '客户负责人' },
  ]);
  expect(value.find((kind) => kind.key === 'customer_projects')!.rows).toMatchObject([{ title: '要移交的项目' }]);
  const asked = { params: { id: from.userId }, body: { target_username: to.username } as never };
  await house.app.admin.get(leaving.handOver, asked);
  expect((await one(house.app.admin, id)).owner).toBe(to.id);
  const { value: moved } = await house.app.admin.get(projects.get, { params: { id: project } });
  expect(moved).toMatchObject({ manager: to.id, members: [to.id], alert_users: [to.id] });
});

test('a project’s alarms go to its people and to contacts who agreed to texts, read in two statements', async () => {
  const who = await seller();
  const id = await addCustomer(who, '告警的客户');
  const yes = await addContact(who, id, '愿收', { mobile: '13900030001', receive_sms: true });
  const no = await addContact(who, id, '不收', { mobile: '13900030002' });
  const project = await addProject(who, id, '告警的项目', { alert_contacts: [yes, no], sms_switch: true });
  const told = await house.app.services.databases.write((tx) => alertTargets(tx, [project]));
  expect(told.get(project)).toMatchObject({
    project: { sms_switch: true, service_level: 1 },
    customer: { id, name: '告警的客户' },
    people: [who.userId],
    contacts: [{ id: yes, name: '愿收', mobile: '13900030001' }],
  });
});
