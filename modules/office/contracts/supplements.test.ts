import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { links } from '#modules/platform/links/contract.ts';
import { nature } from './contract/codes.ts';
import { performanceCalls } from './contract/performing/performance.ts';
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

test('the page of a framework tells supplements from call-offs by their nature, whatever their numbers', async () => {
  const frame = await running({ nature: 2, amount: 0, amount_cap: 5000, plans: [] });
  const below = await approve(await write({ parent_id: frame }));
  const supplement = await approve(await write({ ...silent, parent_id: frame, end_date: inDays(700) }));
  const { children } = await one(frame);
  expect(children.map((child) => [child.id, child.nature])).toEqual([
    [below, nature.usual],
    [supplement, nature.supplement],
  ]);
});

test('a supplement without an amount moves the end date and leaves amount, plan, parties and deposit unchanged', async () => {
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

test('a supplement has its contract’s direction unless it names another, and its plans replace only those of their kind', async () => {
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

test('a supplement that plans only an acceptance leaves the payments unchanged', async () => {
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

test('deposit, warranty, renewal and bank accounts of a supplement become those of its contract', async () => {
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

test('an amount below what was paid is refused when the supplement is submitted and when it is signed', async () => {
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

test('a supplement of a contract that has ended in the meantime cannot be signed', async () => {
  const id = await running();
  const longer = await approve(await write({ ...silent, parent_id: id, end_date: inDays(700) }));
  const end = { type: 'terminate', reason: '对方违约', date: inDays(0), settlement: [], file: await upload(manager) };
  expect((await register(manager, id, end)).code).toBe(0);
  const copies = { copies_total: 4, copies_kept: 2, keeper: manager.userId };
  const signing = { type: 'sign', sign_date: inDays(0), signed_file: await upload(author), authority: 1, ...copies };
  expect((await register(author, longer, signing)).msg).toContain('主合同须是已签订');
});

test('verifying a contract shows the supplements that changed it and the contract that replaced it', async () => {
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

test('verifying a supplement shows its present effect: not yet applied, changed again, suspended, ended, replaced or archived', async () => {
  const verified = async (contract_id: number) => {
    const { url } = await author.get(contractTexts.qrcode, { query: { contract_id } });
    return (await fetch(new URL(new URL(url).pathname, app.url))).text();
  };
  const mark = async (id: number) => (await author.get(contractTexts.html, { params: { id } })).watermark;
  const file = () => upload(manager);
  const id = await running();
  const { contract_no } = await one(id);
  const first = await signed(id, { end_date: inDays(700) });
  expect(await verified(first)).toContain('主合同尚未据此登记变更');
  await apply(id, first);
  expect(await verified(first)).toContain('核验通过：由本系统登记，现行有效');
  expect(await verified(first)).toContain(`${contract_no}（履行中）`);
  const second = await signed(id, { end_date: inDays(800) });
  await apply(id, second);
  expect(await verified(first), 'changed again').toContain(
    `主合同此后已由补充协议 ${(await one(second)).contract_no} 变更（${inDays(0)}）`,
  );
  expect(await verified(second)).toContain('现行有效');
  await register(manager, id, { type: 'suspend', reason: '停工', file: await file() });
  expect(await verified(second)).toContain('主合同中止');
  expect(await mark(second), 'its paper says it, too').toBe('主合同中止');
  await register(manager, id, { type: 'resume', reason: '复工', file: await file() });
  expect(await verified(second)).toContain('现行有效');
  expect(await mark(second)).toBe('');
  const end = { type: 'terminate', reason: '对方违约', date: inDays(0), settlement: [], file: await file() };
  expect((await register(manager, id, end)).code).toBe(0);
  for (const supplement of [first, second]) {
    const page = await verified(supplement);
    expect(page).toContain('现在不是有效状态');
    expect(page).toContain(`主合同解除/终止日期</dt><dd>${inDays(0)}`);
    expect(page).not.toContain('现行有效');
  }
  const box = { type: 'archive', archive_no: 'BC-1', location: '档案室', retention: '30年' };
  expect((await register(manager, id, box)).code).toBe(0);
  expect(await verified(second), 'archived').toContain('主合同解除/终止');

  const old = await running({ name: '要重签的合同' });
  const longer = await signed(old, { end_date: inDays(700) });
  await apply(old, longer);
  const other = await running({ name: '重签的合同' });
  const replaces = { from_module: 'contracts', from_id: other, to_module: 'contracts', to_id: old, type: 'supersede' };
  await manager.get(links.create, { body: replaces as never });
  expect(await verified(longer)).toContain('主合同已被另一份合同替代');
});

test('between signing and registering a supplement nothing can be registered that would prevent it', async () => {
  const two = [plan(1, '首款', 600, 20), plan(1, '尾款', 400)];
  const id = await running({ plans: two });
  expect((await pay(id, 600)).code).toBe(0);
  const last = (await one(id)).performance[1]!.id;
  const less = await signed(id, { amount: 700, pay_direction: 1, plans: [plan(1, '尾款', 100)] });
  const { contract_no } = await one(less);
  const waits = `（补充协议 ${contract_no}《补充协议》已签订，变更为 700.00 元，请先由合同管理员登记变更）`;
  expect((await pay(id, 400, { performance_id: last })).msg).toBe(
    `本次 400.00 元，超出尚可登记的 100.00 元${waits}；确需增加的请先办理变更登记`,
  );
  const invoice = { performance_id: undefined, row: { kind: 6, name: '发票', plan_date: inDays(0) } };
  expect((await pay(id, 701, invoice)).msg).toContain(`尚未开票的 700.00 元${waits}`);
  const settlement = [{ direction: 1, amount: 101, until: inDays(30) }];
  const end = { type: 'terminate', reason: '协商', date: inDays(0), settlement, file: await upload(manager) };
  expect((await register(manager, id, end)).msg).toContain(`尚未登记的 100.00 元${waits}`);
  const unregistered = `补充协议 ${contract_no}《补充协议》已签订，还没有登记变更，不能办理`;
  expect((await register(manager, id, { type: 'finish', reason: '结清' })).msg).toContain(`${unregistered}履行完毕`);
  const early = await register(manager, less, { type: 'finish', reason: '' });
  expect(early.msg, 'nor is the supplement itself put away').toContain(`${unregistered}履行完毕`);
  const audit = await author.ask(performanceCalls.changePerformance, {
    params: { id: last },
    body: { reason: '审计', plan_amount: 300, audited: true } as never,
  });
  expect(audit.msg).toContain(`${unregistered}审减`);
  expect((await pay(id, 50, { performance_id: last })).msg, 'what fits both').toBe('登记成功');
  const changed = await apply(id, less);
  expect(changed.data.notes).toEqual([
    '履约计划已按变更后的金额调整：尾款 计划金额由 400.00 元改为 50.00 元，尾款 计划金额由 100.00 元改为 50.00 元。',
  ]);
  const { amount, unpaid, performance } = await one(id);
  expect([amount, unpaid, performance.map((row) => [row.name, row.plan_amount, row.done_amount])]).toEqual([
    700,
    50,
    [
      ['首款', 600, 600],
      ['尾款', 50, 50],
      ['尾款', 50, 0],
    ],
  ]);
  expect((await pay(id, 50, { performance_id: performance[2]!.id })).msg).toBe('登记成功');
});

test('payments made before a supplement is registered count for its earliest due rows, and never more is due than owed', async () => {
  const id = await running({ plans: [plan(1, '合同款', 1000)] });
  const plans = [plan(1, '一期', 300, 90), plan(1, '二期', 1200, 120)];
  const more = await signed(id, { amount: 1500, pay_direction: 1, plans });
  expect((await pay(id, 400)).code).toBe(0);
  expect((await apply(id, more)).msg).toBe('登记成功');
  const { unpaid, performance } = await one(id);
  expect([unpaid, performance.map((row) => [row.name, row.plan_amount, row.state])]).toEqual([
    1100,
    [
      ['合同款', 400, 3],
      ['一期', 300, 5],
      ['二期', 1100, 0],
    ],
  ]);
});

test('the cap of a framework lowered by a signed supplement limits call-offs, direct payments and call-off supplements', async () => {
  const frame = await running({ nature: 2, amount: 0, amount_cap: 5000, plans: [] });
  const call = await running({ parent_id: frame });
  const raised = await signed(call, { amount: 1800, pay_direction: 1, plans: [plan(1, '合同款', 1800)] });
  const cap = { amount: 2000, pay_direction: 1 };
  const lower = await signed(frame, cap);
  const waits = `余额 200.00 元（补充协议 ${(await one(lower)).contract_no}《补充协议》已签订，变更为 2,000.00 元`;
  const second = { parent_id: frame, amount: 201, submit: true };
  expect((await ask(author, second)).msg).toContain(waits);
  const row = { kind: 1, name: '零星采购', plan_date: inDays(0) };
  const files = [await upload(house.finance)];
  const direct = { type: 'performance', row, date: inDays(0), amount: 201, files };
  expect((await register(house.finance, frame, direct)).msg).toContain(waits);
  expect((await apply(call, raised)).msg).toBe('登记成功');
  const beyond = await refusal(call, { amount: 2001, pay_direction: 1, plans: [plan(1, '合同款', 2001)] });
  expect(beyond).toContain('变更后的金额 2,001.00 元超出框架协议余额 2,000.00 元');
  expect((await apply(frame, lower)).msg).toBe('登记成功');
  expect(await one(frame)).toMatchObject({ amount_cap: 2000, cap_used: 1800 });
});

test('the database refuses a supplement that would set an amount below what was registered', async () => {
  const id = await running();
  expect((await pay(id, 600)).code).toBe(0);
  const supplement = await signed(id, { amount: 650, pay_direction: 1 });
  const less = app.services.databases.write(async (tx) => {
    await tx.execute(sql`with registered as (insert into contract_event (contract_id, type, from_stage, to_stage, supplement_id)
      values (${id}, 'change', 30, 30, ${supplement}) returning id)
      select set_config('contracts.change', id::text, true) from registered`);
    await tx.execute(sql`update contract set amount = 500 where id = ${id}`);
  });
  await expect(less).rejects.toMatchObject({ constraint: 'contract_amount_within' });
});
