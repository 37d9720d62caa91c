import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { contacts } from './contract/contacts.ts';
import { customers } from './contract/customers.ts';
import { projects } from './contract/projects.ts';
import { visits } from './contract/visits.ts';
import { addContact, addCustomer, addProject, openHouse } from './testing/house.ts';

let app: TestOffice;
let seller: Client;
let rival: Client;
let sales: number;
let other: number;
beforeAll(async () => {
  app = await openTestApp();
  ({ seller, rival, sales, other } = await openHouse(app));
});
afterAll(() => app.close());

const names = async (who: Client, query: object = {}) =>
  (await who.get(customers.list, { query: { per_page: 100, ...query } as never })).value.map((row) => row.name);
const write = (statement: SQL) => app.services.databases.write((tx) => tx.execute(statement));
const kept = async (name: string) =>
  (await app.db.execute<{ n: number }>(sql`select count(*)::int n from customer where name = ${name}`)).rows[0]!.n;

describe('a customer', () => {
  test('is visible to its owner and the owner’s department by default', async () => {
    const id = await addCustomer(seller, '杭州青松软件有限公司');
    const { value } = await seller.get(customers.get, { params: { id } });
    expect(value).toMatchObject({ owner: seller.userId, owner_alias: '钱程', dept_id: sales, dept_name: '市场部' });
    expect(value).toMatchObject({
      level: 2,
      status: 2,
      type: 1,
      contract_amount: null,
      contracts: null,
      project_count: 0,
    });
  });

  test('cannot be created in a department outside its creator’s reach', async () => {
    const answer = await seller.ask(customers.add, { body: { name: '越界公司', dept_id: other } as never });
    expect(answer.code).toBe(codes.forbidden);
    expect(answer.msg).toContain('科研处');
    const id = await addCustomer(seller, '界内公司');
    expect((await seller.ask(customers.change, { params: { id }, body: { dept_id: other } as never })).code).toBe(
      codes.forbidden,
    );
  });

  test('whose name exists cannot be created again in any spelling, even by ten requests at once', async () => {
    const asked = Array.from({ length: 10 }, (_one, i) =>
      (i % 2 ? seller : rival).ask(customers.add, {
        body: { name: i % 3 ? '十次公司(A)' : '十次 公司（ａ）' } as never,
      }),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter((one) => one.code === codes.ok)).toHaveLength(1);
    expect(new Set(answers.filter((one) => one.code !== 0).map((one) => one.code))).toEqual(new Set([codes.refused]));
    expect(answers.find((one) => one.code !== 0)!.msg).toMatch(/客户名称“.*”已经有了/);
  });

  test('has a name that ignores invisible characters, and a name of only those is refused', async () => {
    await addCustomer(seller, '看得见公司');
    for (const name of ['看得\u200b见公司', '\ufeff看得见公司\u2060', '看得见\u00ad公司']) {
      const same = await seller.get(customers.similar, { query: { name } as never });
      expect(same.map((one) => one.same)).toEqual([true]);
      expect((await seller.ask(customers.add, { body: { name } as never })).msg).toContain('已经有了');
    }
    for (const name of ['\u200b\u2060', ' '])
      expect((await seller.ask(customers.add, { body: { name } as never })).msg).toBe('客户名称：请填写');
  });

  test('has a website that must be a web address, not a script', async () => {
    for (const website of ['javascript:alert(1)', 'data:text/html,x', 'www.example.com'])
      expect((await seller.ask(customers.add, { body: { name: '网址公司', website } as never })).msg).toContain(
        'http:// 或 https:// 开头',
      );
    await addCustomer(seller, '网址公司', { website: 'https://www.example.com/关于' });
  });

  test('has a credit code with a valid check digit, unique also in the database', async () => {
    const wrong = await seller.ask(customers.add, {
      body: { name: '坏码公司', credit_code: '91350100M000100Y44' } as never,
    });
    expect(wrong.code).toBe(codes.invalid);
    const id = await addCustomer(seller, '好码公司', { credit_code: '91350100M000100Y43', code: 'K1' });
    const twice = { name: '同码公司', credit_code: '91350100M000100Y43' };
    expect((await seller.ask(customers.add, { body: twice as never })).msg).toContain('91350100M000100Y43');
    expect((await seller.ask(customers.add, { body: { name: '同编号', code: 'K1' } as never })).msg).toContain('K1');
    const spoiled = write(sql`update customer set credit_code = '91350100M000100Y44' where id = ${id}`);
    await expect(spoiled).rejects.toMatchObject({ cause: { constraint: 'customer_credit_code_holds' } });
  });

  test('keeps fields that an update does not send, and refuses an update based on an outdated version', async () => {
    const id = await addCustomer(seller, '改动公司', { level: 1, tags: ['驻场', '软件'], follow_days: 30 });
    const refused = await seller.ask(customers.change, { params: { id }, body: { follow_days: -1 } as never });
    expect(refused.msg).toBe('跟进周期（天）：请填写 0–730');
    await seller.get(customers.change, { params: { id }, body: { industry: '软件', version: 0 } as never });
    const { value } = await seller.get(customers.get, { params: { id } });
    expect(value).toMatchObject({
      level: 1,
      tags: ['驻场', '软件'],
      follow_days: 30,
      industry: '软件',
      owner: seller.userId,
    });
    const late = await seller.ask(customers.change, {
      params: { id },
      body: { industry: '金融', version: 0 } as never,
    });
    expect(late.code).toBe(codes.stale);
  });

  test('with projects, contacts or contracts is not deleted, even if one is added at that moment', async () => {
    const id = await addCustomer(seller, '有牵挂公司');
    const contact = await addContact(seller, id, '李若兰');
    const refused = await seller.ask(customers.remove, { params: { id } });
    expect(refused.code).toBe(codes.refused);
    expect(refused.msg).toContain('1 位联系人');
    await seller.get(contacts.remove, { params: { id: contact } });
    const answers = await Promise.all([
      seller.ask(customers.remove, { params: { id } }),
      ...Array.from({ length: 5 }, (_one, i) =>
        seller.ask(projects.add, { body: { customer_id: id, name: `抢先${i}` } as never }),
      ),
    ]);
    const [gone, ...made] = answers;
    expect(made.every((one) => one.code === (gone!.code === codes.ok ? codes.absent : codes.ok))).toBe(true);
    const { rows } = await app.db.execute(sql`select 1 from customer c join customer_project p on p.customer_id = c.id
      where c.id = ${id} and c.is_deleted and not p.is_deleted`);
    expect(rows).toEqual([]);
    const busy = await addCustomer(seller, '库里也不行');
    await addContact(seller, busy, '某人');
    const deleted = write(sql`update customer set is_deleted = true where id = ${busy}`);
    await expect(deleted).rejects.toMatchObject({ cause: { constraint: 'customer_is_free' } });
  });

  test('that was deleted leaves its name free again', async () => {
    const id = await addCustomer(seller, '去而复来公司');
    await seller.get(customers.remove, { params: { id } });
    expect((await seller.ask(customers.get, { params: { id } })).code).toBe(codes.absent);
    await addCustomer(seller, '去而复来公司');
    expect(await kept('去而复来公司')).toBe(2);
  });
});

describe('the scope on customers', () => {
  const song = 'kanarie9q';
  let hidden: number;
  let project: number;
  let contact: number;
  beforeAll(async () => {
    hidden = await addCustomer(rival, `${song}有限公司`, { tags: [song], address: song });
    project = await addProject(rival, hidden, `${song}平台`, { code: song });
    contact = await addContact(rival, hidden, `${song}某`, { mobile: '13812340001' });
    await rival.get(visits.add, {
      body: { customer_id: hidden, way: 2, visited_at: '2026-01-02 10:00', content: song } as never,
    });
  });

  test('hides customers of other departments from every list, count, search, filter, sorting, export and picker', async () => {
    const before = await seller.get(customers.list, { query: {} as never });
    const lists: [string, object][] = [
      ['/api/customer/', { search_value: song }],
      ['/api/customer/', { tag: song }],
      ['/api/customer/', { owner: rival.userId }],
      ['/api/customer/', { dept_id: other }],
      ['/api/customer/', { order_by: 'last_contact_at', desc: true, per_page: 100 }],
      ['/api/customer/', { export: 'xlsx' }],
      ['/api/customer/simple/', { search_value: song }],
      ['/api/customer/simple/', {}],
      ['/api/customer/projects/', { per_page: 100 }],
      ['/api/customer/projects/', { search_value: song }],
      ['/api/customer/projects/', { customer_id: hidden }],
      ['/api/customer/contacts/', { per_page: 100 }],
      ['/api/customer/contacts/', { search_value: '13812340001' }],
      ['/api/customer/contacts/', { search_value: '0001' }],
      ['/api/customer/contacts/', { customer_id: hidden, export: 'xlsx' }],
      ['/api/customer/visits/', { search_value: song }],
      ['/api/customer/visits/', { customer_id: hidden }],
      [`/api/customer/${hidden}/`, {}],
      [`/api/customer/projects/${project}/`, {}],
    ];
    for (const [path, query] of lists) {
      const { bytes } = await seller.send(`${path}?${new URLSearchParams(query as Record<string, string>).toString()}`);
      expect(bytes.toString('latin1').includes(song), path).toBe(false);
      if (bytes[0] === 0x50) expect(JSON.stringify(await readSheet(bytes, wide))).not.toContain(song);
    }
    const mine = await rival.send(`/api/customer/contacts/?search_value=13812340001`);
    expect(mine.bytes.toString()).toContain(song);
    await rival.get(customers.add, { body: { name: `${song}二` } as never });
    expect((await seller.get(customers.list, { query: {} as never })).total).toBe(before.total);
  });

  test('refuses every action on a hidden customer by its id', async () => {
    const params = { id: hidden };
    const asked = await Promise.all([
      seller.ask(customers.change, { params, body: { industry: 'x' } as never }),
      seller.ask(customers.remove, { params }),
      seller.ask(projects.add, { body: { customer_id: hidden, name: '外人' } as never }),
      seller.ask(projects.change, { params: { id: project }, body: { remark: 'x' } as never }),
      seller.ask(projects.smsSwitch, { params: { id: project }, body: {} }),
      seller.ask(projects.remove, { params: { id: project } }),
      seller.ask(contacts.add, { body: { customer_id: hidden, name: '外人', phone: '1' } as never }),
      seller.ask(contacts.change, { params: { id: contact }, body: { post: 'x' } as never }),
      seller.ask(contacts.phone, { params: { id: contact } }),
      seller.ask(contacts.remove, { params: { id: contact } }),
      seller.ask(visits.add, {
        body: { customer_id: hidden, visited_at: '2026-01-02 10:00', content: 'x' } as never,
      }),
    ]);
    expect(asked.map((one) => one.code)).toEqual(asked.map(() => codes.absent));
    const batch = await seller.get(projects.batch, { body: { ids: [project], set: { status: 3 } } as never });
    expect(batch.value).toEqual([{ id: project, name: '', ok: false, msg: '该项目不存在，或您无权查看' }]);
  });

  test('reveals of a similar customer outside it only name and department while a name is typed', async () => {
    const found = await seller.get(customers.similar, { query: { name: `${song}股份有限公司` } as never });
    expect(found).toContainEqual({ id: null, name: `${song}有限公司`, dept_name: '科研处', same: false });
    const own = await rival.get(customers.similar, { query: { name: `${song} 有限公司` } as never });
    expect(own).toContainEqual({ id: hidden, name: `${song}有限公司`, dept_name: '科研处', same: true });
    expect(await seller.get(customers.similar, { query: { name: '有限公司' } as never })).toEqual([]);
    expect(await seller.get(customers.similar, { query: { name: '无人同名的公司' } as never })).toEqual([]);
  });

  test('includes customers and projects for the project’s members, which only the project’s manager may change', async () => {
    const reader = { 'customer/list': ['Retrieve', 'Update'], 'customer/project': ['Retrieve', 'Update'] } as const;
    const grants = {
      'customer/list': [...reader['customer/list']],
      'customer/project': [...reader['customer/project']],
    };
    const [member, manager, alarmed, stranger] = await Promise.all(
      Array.from({ length: 4 }, () => app.clerk(grants, { dataScope: 5 })),
    );
    const id = await addCustomer(rival, '值守公司');
    const made = await addProject(rival, id, '值守平台', {
      members: [member!.userId],
      manager: manager!.userId,
      alert_users: [alarmed!.userId],
    });
    for (const who of [member!, manager!, alarmed!]) {
      expect(await names(who)).toEqual(['值守公司']);
      expect((await who.get(projects.list, { query: {} as never })).value.map((row) => row.id)).toEqual([made]);
      const answer = await who.ask(customers.change, { params: { id }, body: { industry: 'x' } as never });
      expect(answer.code).toBe(codes.absent);
    }
    expect(await names(stranger!)).toEqual([]);
    const change = { params: { id: made }, body: { remark: '巡检' } as never };
    expect((await member!.ask(projects.change, change)).code).toBe(codes.absent);
    expect((await manager!.ask(projects.change, change)).code).toBe(codes.ok);
  });
});
const wide = { maxRows: 100, maxColumns: 40, maxLetters: 100_000, maxUnpacked: 2 ** 24 };

test('costs a list the same number of statements however many customers it shows', async () => {
  const few = await counted(seller, () => seller.get(customers.list, { query: { per_page: 1 } as never }));
  const many = await counted(seller, () => seller.get(customers.list, { query: { per_page: 100 } as never }));
  expect(many.length).toBe(few.length);
  expect(many.length).toBeLessThanOrEqual(7);
  const shown = await counted(seller, () => seller.get(projects.list, { query: { per_page: 100 } as never }));
  expect(shown.length).toBeLessThanOrEqual(4);
});
