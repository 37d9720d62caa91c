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
import { addContact, addCustomer, addProject, bringIn, everything, openHouse, sheetOf } from './testing/house.ts';

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
  test('is its owner’s and their department’s unless it is said otherwise', async () => {
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

  test('is not put into a department that its maker does not reach', async () => {
    const answer = await seller.ask(customers.add, { body: { name: '越界公司', dept_id: other } as never });
    expect(answer.code).toBe(codes.forbidden);
    expect(answer.msg).toContain('科研处');
    const id = await addCustomer(seller, '界内公司');
    expect((await seller.ask(customers.change, { params: { id }, body: { dept_id: other } as never })).code).toBe(
      codes.forbidden,
    );
  });

  test('of a name that is there cannot arise, however it is typed: 10 at once make one', async () => {
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

  test('has a credit code that ends with its check digit, once, in the database too', async () => {
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

  test('keeps what a change does not send, and refuses a change of what was read before another', async () => {
    const id = await addCustomer(seller, '改动公司', { level: 1, tags: ['驻场', '软件'], follow_days: 30 });
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

  test('with projects, people or contracts is not deleted, whoever adds one at that moment', async () => {
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

  test('that is gone gives its name back', async () => {
    const id = await addCustomer(seller, '去而复来公司');
    await seller.get(customers.remove, { params: { id } });
    expect((await seller.ask(customers.get, { params: { id } })).code).toBe(codes.absent);
    await addCustomer(seller, '去而复来公司');
    expect(await kept('去而复来公司')).toBe(2);
  });
});

describe('whose customers one sees', () => {
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

  test('nothing of another department’s is in a list, count, search, filter, order, sheet or picker, nor by its number', async () => {
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

  test('nothing is done to one by its number', async () => {
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

  test('while a name is typed, one of a like name is told by name and department alone', async () => {
    const found = await seller.get(customers.similar, { query: { name: `${song}股份有限公司` } as never });
    expect(found).toContainEqual({ id: null, name: `${song}有限公司`, dept_name: '科研处', same: false });
    const own = await rival.get(customers.similar, { query: { name: `${song} 有限公司` } as never });
    expect(own).toContainEqual({ id: hidden, name: `${song}有限公司`, dept_name: '科研处', same: true });
    expect(await seller.get(customers.similar, { query: { name: '有限公司' } as never })).toEqual([]);
    expect(await seller.get(customers.similar, { query: { name: '无人同名的公司' } as never })).toEqual([]);
  });

  test('whoever works on a project sees it and its customer, and changes neither; its manager changes the project', async () => {
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

describe('a contact', () => {
  test('is of this customer alone, and reached by mobile or phone', async () => {
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

  test('has its number sealed, shown masked, found whole or by its end, shown once more by a call that is logged', async () => {
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

  test('’s numbers are shown so many times a day', async () => {
    const curious = await app.clerk({ 'customer/contact': ['Retrieve'] });
    const contact = await addContact(seller, await addCustomer(seller, '限次公司'), '限次', { mobile: '13900010003' });
    const answers = [];
    for (let i = 0; i < 51; i += 1) answers.push((await curious.ask(contacts.phone, { params: { id: contact } })).code);
    expect(answers.slice(0, 50).every((code) => code === codes.ok)).toBe(true);
    expect(answers[50]).toBe(codes.tooMany);
  });

  test('is the only primary one of the customer, whichever two are made so at one moment', async () => {
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

describe('a project', () => {
  test('is of one name in its customer, ends after it began, and is led by who works here', async () => {
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

  test('’s alarms by text are turned on, off and round, and the answer says how they are', async () => {
    const project = await addProject(seller, await addCustomer(seller, '开关公司'), '开关');
    const turn = (body: { sms_switch?: boolean }) => seller.get(projects.smsSwitch, { params: { id: project }, body });
    expect(await turn({ sms_switch: true })).toEqual({ sms_switch: true });
    expect(await turn({})).toEqual({ sms_switch: false });
    expect(await turn({})).toEqual({ sms_switch: true });
  });

  test('among many is changed by itself: what one refuses leaves the others', async () => {
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

describe('a visit', () => {
  const add = (customer_id: number, visited_at: string, more: object = {}) =>
    seller.get(visits.add, { body: { customer_id, way: 2, visited_at, content: '电话沟通', ...more } as never });

  test('says when a customer was last met, also when two are noted at once or one is taken back', async () => {
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

  test('is its author’s to put right for a day, and nobody’s after that, in the database too', async () => {
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

  test('is missed after so many days: such customers are found, and wait for their owner', async () => {
    const id = await addCustomer(seller, '久别公司', { follow_days: 30 });
    await add(id, '2026-01-05 09:00');
    expect(await names(seller, { idle: 60 })).toContain('久别公司');
    expect(await names(seller, { due: true })).toContain('久别公司');
    expect(await names(rival, { due: true })).not.toContain('久别公司');
    await seller.get(customers.change, { params: { id }, body: { status: 4 } as never });
    expect(await names(seller, { due: true })).not.toContain('久别公司');
  });
});

test('a list costs the same statements however many customers it shows', async () => {
  const few = await counted(seller, () => seller.get(customers.list, { query: { per_page: 1 } as never }));
  const many = await counted(seller, () => seller.get(customers.list, { query: { per_page: 100 } as never }));
  expect(many.length).toBe(few.length);
  expect(many.length).toBeLessThanOrEqual(7);
  const shown = await counted(seller, () => seller.get(projects.list, { query: { per_page: 100 } as never }));
  expect(shown.length).toBeLessThanOrEqual(4);
});

describe('a sheet', () => {
  test('brings customers in with their people; all of it or nothing, each wrong cell named by its line', async () => {
    const wrong: Record<string, string>[] = [
      { 客户名称: '表格一公司', 类型: '工厂' },
      { 客户名称: '表格零公司', 联系人: '张三' },
      { 客户名称: '杭州青松软件有限公司' },
      { 客户名称: '表格二公司', 统一社会信用代码: '91350100M000100Y44' },
      { 客户名称: '表格三公司', 负责人用户名: 'nobody' },
      { 客户名称: '表格四公司' },
      { 客户名称: '表格四 公司' },
    ];
    const dry = await bringIn(seller, await sheetOf(wrong), true);
    expect(dry.data.errors.map(({ row, field }) => [row, field])).toEqual([
      [2, '类型'],
      [3, '联系人手机'],
      [4, '客户名称'],
      [5, '统一社会信用代码'],
      [6, '负责人用户名'],
      [8, '联系人'],
    ]);
    expect(dry.data.errors[2]!.msg).toContain('已有客户“杭州青松软件有限公司”（市场部）');
    expect((await bringIn(seller, await sheetOf(wrong))).code).toBe(codes.refused);
    expect(await kept('表格四公司')).toBe(0);
  });

  test('makes several lines of one name one customer with several people, the first of them primary', async () => {
    const bytes = await sheetOf([
      { 客户名称: '多人公司', 类型: '学校', 级别: '重点', 标签: '软件、驻场', 联系人: '甲', 联系人手机: '13900020001' },
      { 客户名称: '多人公司', 联系人: '乙', 联系人电话: '0571-1' },
    ]);
    expect((await bringIn(seller, bytes, true)).data).toMatchObject({ valid: 2, imported: 0, errors: [] });
    expect(await kept('多人公司')).toBe(0);
    const told = await bringIn(seller, bytes);
    expect(told.data).toMatchObject({ customers: 1, contacts: 2 });
    const [row] = (await seller.get(customers.list, { query: { search_value: '多人公司' } as never })).value;
    expect(row).toMatchObject({ type: 2, level: 1, tags: ['软件', '驻场'], owner: seller.userId });
    const people = await seller.get(contacts.list, { query: { customer_id: row!.id, order_by: 'name' } as never });
    expect(people.value.map((one) => [one.name, one.is_primary]).toSorted()).toEqual([
      ['乙', false],
      ['甲', true],
    ]);
  });

  test('and a creation of one name at the same moment make one customer', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = `抢名公司${round}`;
      const bytes = await sheetOf([{ 客户名称: name }, { 客户名称: `${name}之二` }]);
      const [sheet, made] = await Promise.all([
        bringIn(seller, bytes),
        rival.ask(customers.add, { body: { name } as never }),
      ]);
      expect([sheet.code, made.code].filter((code) => code === codes.ok)).toHaveLength(1);
      expect(await kept(name)).toBe(1);
      expect(await kept(`${name}之二`)).toBe(sheet.code === codes.ok ? 1 : 0);
    }
  });
});
