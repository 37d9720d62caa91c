import { afterAll, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { links } from '#modules/platform/links/contract.ts';
import { nature } from './contract/codes.ts';
import { contractTexts } from './contract/texts.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, manager, ask, one, write, approve, sign, running, pay, register, upload } = house;
afterAll(app.close);

const plan = (kind: number, name: string, amount: number | null, days = 60) => ({
  kind,
  name,
  plan_date: inDays(days),
  plan_amount: amount,
});
/** The body of a supplement that leaves money alone. */
const silent = { nature: 3, name: '补充协议', amount: undefined, pay_direction: undefined, plans: [], end_date: null };
const signed = async (parent_id: number, more: object) =>
  sign(await approve(await write({ ...silent, parent_id, ...more })));
const apply = (id: number, supplement_id: number) =>
  register(manager, id, { type: 'change', supplement_id, reason: '协商一致' });
const refusal = async (parent_id: number, more: object) =>
  (await ask(author, { ...silent, parent_id, submit: true, ...more })).msg;

test('the page of a framework says by their nature which contracts below it are supplements, whatever their numbers look like', async () => {
  const frame = await running({ nature: 2, amount: 0, amount_cap: 5000, plans: [] });
  const below = await approve(await write({ parent_id: frame }));
  const supplement = await approve(await write({ ...silent, parent_id: frame, end_date: inDays(700) }));
  const { children } = await one(frame);
  expect(children.map((child) => [child.id, child.nature])).toEqual([
    [below, nature.usual],
    [supplement, nature.supplement],
  ]);
});

test('a supplement that names no amount moves the end and leaves amount, plan, parties and deposit as they are', async () => {
  const plans = [plan(1, '合同款', 1000), plan(3, '到货验收', null)];
  const bank = { bank_name: '中国银行', bank_account: '6222' };
  const id = await running({ plans, deposit: 80, parties: [{ name: '不变的公司', ...bank }] });
  const before = await one(id);
  const longer = await signed(id, { parties: [{ name: '不变的公司' }], end_date: inDays(700) });
  expect((await apply(id, longer)).msg).toBe('登记成功');
  const after = await one(id);
  expect(after).toMatchObject({ amount: 1000, unpaid: 1000, deposit: 80, end_date: inDays(700), has_bank: true });
  expect(after.performance).toEqual(before.performance);
  expect((await pay(id, 1000)).code).toBe(0);
});

test('a supplement is of the direction of its contract unless it says another, and new plans replace those of their own kind alone', async () => {
  const plans = [plan(2, '租金', 1000), plan(3, '交接', null)];
  const id = await running({ pay_direction: 2, plans });
  const later = await signed(id, { plans: [plan(2, '租金', 400, 90), plan(2, '租金', 600, 120)] });
  expect(await one(later)).toMatchObject({ pay_direction: 2 });
  expect((await apply(id, later)).msg).toBe('登记成功');
  const { amount, performance } = await one(id);
  expect([amount, performance.map((row) => [row.name, row.plan_amount, row.state])]).toEqual([
    1000,
    [
      ['租金', 1000, 5],
      ['交接', null, 0],
      ['租金', 400, 0],
      ['租金', 600, 0],
    ],
  ]);
});

test('a supplement that plans an acceptance alone leaves the payments as they stand, begun or not', async () => {
  const id = await running({ plans: [plan(1, '合同款', 1000), plan(3, '到货验收', null)] });
  const later = await signed(id, { plans: [plan(3, '到货验收', null, 120)] });
  expect((await apply(id, later)).msg).toBe('登记成功');
  const { amount, performance } = await one(id);
  expect([amount, performance.map((row) => [row.name, row.plan_amount, row.state])]).toEqual([
    1000,
    [
      ['合同款', 1000, 0],
      ['到货验收', null, 5],
      ['到货验收', null, 0],
    ],
  ]);
  expect(await refusal(id, { amount: 1500, pay_direction: 1, plans: [plan(3, '终验', null, 150)] })).toContain(
    '计划合计 1,000.00 元（含主合同原有的节点 1,000.00 元）与合同金额 1,500.00 元不等',
  );
});

test('what a supplement says of deposit, warranty, renewal and the accounts of a party becomes what its contract says', async () => {
  const id = await running({ parties: [{ name: '开户的公司' }] });
  const supplement = await signed(id, {
    parties: [{ name: '开户的公司', bank_name: '工商银行', bank_account: '6200' }],
    deposit: 100,
    warranty_end: inDays(900),
    renewal: 1,
    renewal_months: 12,
    notice_days: 30,
    end_date: inDays(300),
  });
  expect((await apply(id, supplement)).msg).toBe('登记成功');
  expect(await one(id)).toMatchObject({
    amount: 1000,
    deposit: 100,
    warranty_end: inDays(900),
    renewal: 1,
    renewal_months: 12,
    notice_date: inDays(270),
    has_bank: true,
  });
});

test('a plan that could never be registered keeps a contract and a supplement from being sent', async () => {
  const wrong = '“退款”是收款，合同的收付是“支出”，将来无法登记，请改选类型或收付';
  const both = [plan(1, '合同款', 1000), plan(2, '退款', 50)];
  expect((await ask(author, { submit: true, plans: both })).msg).toBe(`履约计划：${wrong}`);
  const id = await running();
  expect(await refusal(id, { amount: 1000, plans: both })).toBe(`履约计划：${wrong}`);
  const free = { pay_direction: 3, amount: 0, plans: [plan(1, '合同款', 10)] };
  expect((await ask(author, { submit: true, ...free })).msg).toContain('合同的收付是“无金额”');
});

test('an amount below what was paid is refused when the supplement is sent off, and when it is signed', async () => {
  const two = [plan(1, '首款', 600, 20), plan(1, '尾款', 400)];
  const id = await running({ plans: two });
  expect((await pay(id, 600)).code).toBe(0);
  const told = '变更后的金额 500.00 元少于主合同已登记的 600.00 元，请核对';
  expect(await refusal(id, { amount: 500 })).toContain(told);
  const less = await approve(await write({ ...silent, parent_id: id, amount: 700, plans: [plan(1, '尾款', 100)] }));
  const last = (await one(id)).performance[1]!;
  expect((await pay(id, 400, { performance_id: last.id })).code).toBe(0);
  const copies = { copies_total: 4, copies_kept: 2, keeper: manager.userId };
  const signing = { type: 'sign', sign_date: inDays(0), signed_file: await upload(author), authority: 1, ...copies };
  expect((await register(author, less, signing)).msg).toContain('少于主合同已登记的 1,000.00 元');
  expect((await one(less)).stage).toBe(20);
});

test('a supplement of a contract that has ended meanwhile is not signed', async () => {
  const id = await running();
  const longer = await approve(await write({ ...silent, parent_id: id, end_date: inDays(700) }));
  const end = { type: 'terminate', reason: '对方违约', date: inDays(0), settlement: [], file: await upload(manager) };
  expect((await register(manager, id, end)).code).toBe(0);
  const copies = { copies_total: 4, copies_kept: 2, keeper: manager.userId };
  const signing = { type: 'sign', sign_date: inDays(0), signed_file: await upload(author), authority: 1, ...copies };
  expect((await register(author, longer, signing)).msg).toContain('主合同须是已签订');
});

test('whoever verifies a contract reads by which supplements it was changed and by which contract it was replaced, and not that it stands as it was', async () => {
  const id = await running({});
  const verified = async () => {
    const { url } = await author.get(contractTexts.qrcode, { query: { contract_id: id } });
    return (await fetch(new URL(new URL(url).pathname, app.url))).text();
  };
  expect(await verified()).toContain('核验通过：由本系统登记，现行有效');
  const longer = await signed(id, { end_date: inDays(700) });
  expect(await verified(), 'signed and not registered').toContain('现行有效');
  expect((await apply(id, longer)).msg).toBe('登记成功');
  const { contract_no } = await one(longer);
  const changed = await verified();
  expect(changed).toContain(`已由补充协议 ${contract_no} 变更（${inDays(0)}）`);
  expect(changed).toContain('请一并核对补充协议');
  expect(changed).toContain('原正文校验值');
  expect(changed).not.toContain('现行有效');
  const other = await approve(await write({ name: '重签的合同' }));
  const replaces = { from_module: 'contracts', from_id: other, to_module: 'contracts', to_id: id, type: 'supersede' };
  const { code, msg } = await house.legal.ask(links.create, { body: replaces as never });
  expect([code, msg.includes('由其经办人或管理人确认')], 'whoever merely reads both ends no contract').toEqual([
    codes.forbidden,
    true,
  ]);
  await manager.get(links.create, { body: replaces as never });
  expect(await verified(), 'not signed yet').not.toContain('替代');
  await sign(other);
  const replaced = await verified();
  expect(replaced).toContain('已被另一份合同替代');
  expect(replaced, 'its number is no business of another party').not.toContain((await one(other)).contract_no);
  expect(replaced).toContain('现在不是有效状态');
  const { url } = await author.get(contractTexts.qrcode, { query: { contract_id: other } });
  const newer = await (await fetch(new URL(new URL(url).pathname, app.url))).text();
  expect(newer, 'what replaces stands').toContain('现行有效');
});
