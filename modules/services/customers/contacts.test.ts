import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { contacts } from './contract/contacts.ts';
import { projects } from './contract/projects.ts';
import { addContact, addCustomer, addProject, openHouse } from './testing/house.ts';

let app: TestOffice;
let seller: Client;
beforeAll(async () => {
  app = await openTestApp();
  ({ seller } = await openHouse(app));
});
afterAll(() => app.close());

describe('a contact of a customer', () => {
  test('is listed under its own customer only, and needs a mobile or a phone number', async () => {
    const one = await addCustomer(seller, '甲方一');
    const two = await addCustomer(seller, '甲方二');
    await addContact(seller, one, '一号');
    await addContact(seller, two, '二号');
    const listed = await seller.get(contacts.list, { query: { customer_id: one } as never });
    expect(listed.value.map((row) => row.name)).toEqual(['一号']);
    const none = await seller.ask(contacts.add, { body: { customer_id: one, name: '无号' } as never });
    expect(none.msg).toContain('手机和电话请至少填写一个');
    const foreign = await addProject(seller, two, '别家项目');
    const wrong = { customer_id: one, name: '错投', phone: '1', project_id: foreign };
    expect((await seller.ask(contacts.add, { body: wrong as never })).msg).toContain('不属于该客户');
    const asked = { customer_id: two, name: '告警项目', alert_contacts: [listed.value[0]!.id] };
    expect((await seller.ask(projects.add, { body: asked as never })).msg).toContain('不属于该客户');
  });

  test('has its number encrypted, masked and found whole or by its end, and shown by a call that is logged', async () => {
    const id = await addCustomer(seller, '保密公司');
    const contact = await addContact(seller, id, '密号', { mobile: '13900010002', phone: '' });
    const { rows } = await app.db.execute<{ all: string }>(
      sql`select to_jsonb(t)::text all from customer_contact t where id = ${contact}`,
    );
    expect(rows[0]!.all).not.toContain('13900010002');
    for (const search_value of ['13900010002', '0002', '密号']) {
      const found = await seller.get(contacts.list, { query: { search_value } as never });
      expect(found.value.map((row) => [row.id, row.mobile_masked])).toEqual([[contact, '*******0002']]);
    }
    expect(await seller.get(contacts.phone, { params: { id: contact } })).toEqual({ mobile: '13900010002' });
    const logged = await app.db.execute<{ said: string }>(sql`select title || diff::text said from log`);
    expect(logged.rows.some(({ said }) => said.includes('密号'))).toBe(true);
    expect(logged.rows.some(({ said }) => said.includes('13900010002'))).toBe(false);
    const twice = { customer_id: id, name: '同号', mobile: '13900010002' };
    expect((await seller.ask(contacts.add, { body: twice as never })).msg).toContain(
      '手机号与该客户的另一位联系人相同',
    );
    await seller.get(contacts.change, { params: { id: contact }, body: { post: '主任' } as never });
    expect(await seller.get(contacts.phone, { params: { id: contact } })).toEqual({ mobile: '13900010002' });
  });

  test('is found by the customer and project that its row shows, as is a project', async () => {
    const customer = await addCustomer(seller, '白桦林业集团');
    const project = await addProject(seller, customer, '苗圃改造');
    const body = { customer_id: customer, name: '林小姐', phone: '1', project_id: project };
    await seller.get(contacts.add, { body: body as never });
    const names = async (call: typeof contacts.list | typeof projects.list, search_value: string) =>
      (await seller.get(call, { query: { search_value } as never })).value.map((row) => row.name);
    for (const words of ['白桦林业', '白桦 集团', '苗圃改造', '林小姐'])
      expect(await names(contacts.list, words), words).toEqual(['林小姐']);
    for (const words of ['白桦林业', '苗圃改造'])
      expect(await names(projects.list, words), words).toEqual(['苗圃改造']);
    expect(await names(contacts.list, '白桦林业 没有')).toEqual([]);
  });

  test('has its number shown at most fifty times a day to one person', async () => {
    const curious = await app.clerk({ 'customer/contact': ['Retrieve'] });
    const contact = await addContact(seller, await addCustomer(seller, '限次公司'), '限次', { mobile: '13900010003' });
    const answers = [];
    for (let i = 0; i < 51; i += 1) answers.push((await curious.ask(contacts.phone, { params: { id: contact } })).code);
    expect(answers.slice(0, 50).every((code) => code === codes.ok)).toBe(true);
    expect(answers[50]).toBe(codes.tooMany);
  });

  test('is the only primary one of its customer, even if two are made primary at once', async () => {
    const id = await addCustomer(seller, '主次公司');
    const first = await addContact(seller, id, '原主要', { is_primary: true });
    const [a, b] = [await addContact(seller, id, '甲'), await addContact(seller, id, '乙')];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        [a, b, first].map((one) =>
          seller.ask(contacts.change, { params: { id: one }, body: { is_primary: true } as never }),
        ),
      );
      expect(answers.map((one) => one.code)).toEqual([0, 0, 0]);
      const { value } = await seller.get(contacts.list, { query: { customer_id: id } as never });
      expect(value.filter((row) => row.is_primary)).toHaveLength(1);
    }
  });
});
