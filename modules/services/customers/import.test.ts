import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { contacts } from './contract/contacts.ts';
import { customers } from './contract/customers.ts';
import { addCustomer, bringIn, openHouse, sheetOf } from './testing/house.ts';

let app: TestOffice;
let seller: Client;
let rival: Client;
beforeAll(async () => {
  app = await openTestApp();
  ({ seller, rival } = await openHouse(app));
  await addCustomer(seller, '杭州青松软件有限公司');
});
afterAll(() => app.close());

const kept = async (name: string) =>
  (await app.db.execute<{ n: number }>(sql`select count(*)::int n from customer where name = ${name}`)).rows[0]!.n;

describe('an import of customers', () => {
  test('brings in customers with their contacts, all or none, and names each wrong cell by line', async () => {
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

  test('turns several lines of one name into one customer with several contacts, the first being primary', async () => {
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

  test('names departments by name, and one unknown or out of reach is a wrong cell', async () => {
    const lines: Record<string, string>[] = [
      { 客户名称: '部门一公司', 归属部门: '市场部' },
      { 客户名称: '部门二公司', 归属部门: '科研处' },
      { 客户名称: '部门三公司', 归属部门: '没有的部门' },
      { 客户名称: '部门\u200b一公司' },
      { 客户名称: '部门四公司', 网址: 'javascript:alert(1)' },
    ];
    const dry = await bringIn(seller, await sheetOf(lines), true);
    expect(dry.data.errors.map(({ row, field }) => [row, field])).toEqual([
      [3, '归属部门'],
      [4, '归属部门'],
      [5, '联系人'],
      [6, '网址'],
    ]);
    await bringIn(app.admin, await sheetOf([{ 客户名称: '部门五公司', 归属部门: '科研处' }]));
    const { value } = await rival.get(customers.list, { query: { search_value: '部门五公司' } as never });
    expect(value).toMatchObject([{ dept_name: '科研处' }]);
  });

  test('and a simultaneous creation of the same name make one customer', async () => {
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
