import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { customers } from './contract/customers.ts';
import { projects } from './contract/projects.ts';
import { visits } from './contract/visits.ts';
import { addContact, addCustomer, addProject, everything, openHouse } from './testing/house.ts';

let app: TestOffice;
let seller: Client;
let rival: Client;
let sales: number;
beforeAll(async () => {
  app = await openTestApp();
  ({ seller, rival, sales } = await openHouse(app));
});
afterAll(() => app.close());

const names = async (who: Client, query: object = {}) =>
  (await who.get(customers.list, { query: { per_page: 100, ...query } as never })).value.map((row) => row.name);
const write = (statement: SQL) => app.services.databases.write((tx) => tx.execute(statement));

describe('a project of a customer', () => {
  test('has a unique name within it, ends after it begins, and is led by a present employee', async () => {
    const id = await addCustomer(seller, '项目公司');
    const away = await app.person({ active: false });
    const project = await addProject(seller, id, '一期', { start_date: '2026-01-01', end_date: '2026-12-31' });
    const add = (body: object) => seller.ask(projects.add, { body: { customer_id: id, ...body } as never });
    expect((await add({ name: '一 期' })).msg).toContain('该客户的项目名称');
    expect((await add({ name: '二期', manager: away.id })).msg).toContain('已离职或停用');
    const moved = await seller.ask(projects.change, {
      params: { id: project },
      body: { end_date: '2025-01-01' } as never,
    });
    expect(moved.msg).toContain('结束日期 2025-01-01 早于开始日期 2026-01-01');
    const { value } = await seller.get(projects.get, { params: { id: project } });
    expect(value).toMatchObject({ customer_name: '项目公司', manager_alias: '钱程', sms_switch: false });
  });

  test('has its text alarms switched on, off or over, and the answer returns the new state', async () => {
    const project = await addProject(seller, await addCustomer(seller, '开关公司'), '开关');
    const turn = (body: { sms_switch?: boolean }) => seller.get(projects.smsSwitch, { params: { id: project }, body });
    expect(await turn({ sms_switch: true })).toEqual({ sms_switch: true });
    expect(await turn({})).toEqual({ sms_switch: false });
    expect(await turn({})).toEqual({ sms_switch: true });
  });

  test('in a batch is changed separately: one refusal leaves the others', async () => {
    const one = await addCustomer(seller, '批量一');
    const two = await addCustomer(seller, '批量二');
    const person = await addContact(seller, one, '告警人', { mobile: '13900010009', receive_sms: true });
    const [a, b] = [await addProject(seller, one, '甲'), await addProject(seller, two, '乙')];
    const set = { status: 3, alert_contacts: [person] };
    const { value } = await seller.get(projects.batch, { body: { ids: [b, a, 999_999], set } as never });
    expect(value.map(({ id, ok }) => [id, ok])).toEqual([
      [a, true],
      [b, false],
      [999_999, false],
    ]);
    const rows = await seller.get(projects.list, { query: { status: 3 } as never });
    expect(rows.value.map((row) => row.id)).toEqual([a]);
  });
});

describe('a visit to a customer', () => {
  const add = (customer_id: number, visited_at: string, more: object = {}) =>
    seller.get(visits.add, { body: { customer_id, way: 2, visited_at, content: '电话沟通', ...more } as never });

  test('updates the customer’s last contact, also when two are recorded at once or one is deleted', async () => {
    const id = await addCustomer(seller, '跟进公司');
    const last = async () => (await seller.get(customers.get, { params: { id } })).value.last_contact_at;
    expect(await last()).toBe(null);
    const made = await Promise.all(
      ['2026-01-05 09:00', '2026-03-05 09:00', '2026-02-05 09:00'].map((at) => add(id, at)),
    );
    expect(await last()).toBe('2026-03-05 09:00:00');
    await seller.get(visits.remove, { params: { id: made[1]!.id! } });
    expect(await last()).toBe('2026-02-05 09:00:00');
    const future = { customer_id: id, visited_at: '2099-01-01 09:00', content: 'x' };
    expect((await seller.ask(visits.add, { body: future as never })).msg).toContain('还没有到');
  });

  test('is corrected only by its author within a day, and by nobody afterwards, also in the database', async () => {
    const id = await addCustomer(seller, '更正公司');
    const { id: visit } = await add(id, '2026-01-05 09:00');
    const mate = await app.clerk(everything, { dept: sales, dataScope: 3 });
    const change = (who: Client) =>
      who.ask(visits.change, { params: { id: visit! }, body: { content: '改正' } as never });
    expect((await change(mate)).code).toBe(codes.forbidden);
    expect((await change(seller)).code).toBe(codes.ok);
    await write(sql`update customer_visit set gmt_created = now() - interval '25 hours' where id = ${visit}`);
    expect((await change(seller)).msg).toContain('24 小时后不能改动');
    expect((await seller.ask(visits.remove, { params: { id: visit! } })).code).toBe(codes.refused);
    const taken = write(sql`delete from customer_visit where id = ${visit}`);
    await expect(taken).rejects.toMatchObject({ cause: { message: `visit ${visit} stands` } });
  });

  test('is overdue after the set days: such customers are found and wait for their owner', async () => {
    const id = await addCustomer(seller, '久别公司', { follow_days: 30 });
    await add(id, '2026-01-05 09:00');
    expect(await names(seller, { idle: 60 })).toContain('久别公司');
    expect(await names(seller, { due: true })).toContain('久别公司');
    expect(await names(rival, { due: true })).not.toContain('久别公司');
    await seller.get(customers.change, { params: { id }, body: { status: 4 } as never });
    expect(await names(seller, { due: true })).not.toContain('久别公司');
  });
});
