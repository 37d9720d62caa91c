import { afterAll, expect, test } from 'vitest';
import { counted } from '#apps/server/testing/counted.ts';
import { contracts } from './contract/contracts.ts';
import { performanceCalls } from './contract/performing/performance.ts';
import { remindOfContracts } from './jobs/reminders.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, manager, finance, head, one, ask, write, approve, running, pay, register, upload } = house;
afterAll(app.close);

const two = {
  plans: [
    { kind: 1, name: '首款', plan_date: inDays(10), plan_amount: 600 },
    { kind: 1, name: '尾款', plan_date: inDays(60), plan_amount: 400 },
  ],
};
const file = () => upload(finance, '凭证.pdf');

test('a payment on one row, or on a new one, must leave the other open rows their planned amounts', async () => {
  const id = await running(two);
  const [first, last] = (await one(id)).performance;
  expect((await pay(id, 601)).msg).toBe(
    '本次 601.00 元，其余未完成的节点（尾款）还须 400.00 元，这里最多登记 600.00 元；一并支付的请在各节点分别登记，计划有变的请先调整履约计划',
  );
  const row = { kind: 1, name: '另付', plan_date: inDays(0) };
  expect((await pay(id, 1, { performance_id: undefined, row })).msg).toContain(
    '其余未完成的节点（首款、尾款）还须 1,000.00 元，这里最多登记 0.00 元',
  );
  expect((await pay(id, 600)).code).toBe(0);
  expect((await pay(id, 400, { performance_id: last!.id })).code).toBe(0);
  expect((await one(id)).performance.map((each) => [each.id === first!.id, each.state])).toEqual([
    [true, 3],
    [false, 3],
  ]);
});

test('payments, signatures and effective dates must lie on days that are possible for the contract', async () => {
  const id = await running();
  expect((await pay(id, 100, { date: '1999-01-01' })).msg).toBe(
    `发生日期 1999-01-01 早于 ${inDays(0)}（合同开始或签订之日），请核对`,
  );
  const unsigned = await approve(await write());
  const signing = { type: 'sign', authority: 1, copies_total: 2, copies_kept: 1, keeper: manager.userId };
  const sign = async (more: object) =>
    register(author, unsigned, { ...signing, sign_date: inDays(0), signed_file: await upload(author), ...more });
  expect((await sign({ sign_date: '1999-01-01' })).msg).toContain('签订日期 1999-01-01 比起草日期');
  expect((await sign({ effective_date: '1999-01-01' })).msg).toContain('生效日期 1999-01-01 早于');
  expect((await sign({ effective_date: inDays(301) })).msg).toBe(
    `生效日期 ${inDays(301)} 晚于合同结束日期 ${inDays(300)}，请核对`,
  );
  expect((await sign({ first_paid_before_signing: true })).code).toBe(0);
  // Performance before the signature may be earlier than the signing date.
  expect((await pay(unsigned, 100, { date: inDays(-30) })).code).toBe(0);
  const end = { type: 'terminate', reason: '对方违约', settlement: [] };
  expect((await register(manager, id, { ...end, date: '1999-01-01', file: await file() })).msg).toContain(
    '解除日期 1999-01-01 早于',
  );
});

test('a deposit can be paid up to the agreed amount', async () => {
  const row = { kind: 5, direction: 1, name: '履约保证金', plan_date: inDays(0) };
  const bare = await running();
  const deposit = (id: number, amount: number) => pay(id, amount, { performance_id: undefined, row });
  expect((await deposit(bare, 50)).msg).toBe('合同没有约定履约保证金，不能登记；确有约定的请先办理变更登记');
  const agreed = await running({ deposit: 100 });
  expect((await deposit(agreed, 60)).code).toBe(0);
  expect((await deposit(agreed, 60)).msg).toBe('本次 60.00 元，超出约定的履约保证金中尚未登记的 40.00 元，请核对');
});

test('a voucher number used before asks for confirmation, unless its payment was reversed', async () => {
  const id = await running(two);
  const last = (await one(id)).performance[1]!;
  const first = await pay(id, 100, { voucher_no: '记-12' });
  const again = await pay(id, 100, { voucher_no: ' 记-12', performance_id: last.id });
  expect([again.code, again.msg]).toEqual([
    4009,
    `凭证号“记-12”已在 ${inDays(0)} 登记过 100.00 元（首款），请核对；确是同一凭证的另一笔，请确认后再登记`,
  ]);
  expect((await pay(id, 100, { voucher_no: '记-12', performance_id: last.id, same_voucher: true })).code).toBe(0);
  const other = await pay(id, 50, { voucher_no: '记-13' });
  for (const { data } of [first, other])
    await register(manager, id, { type: 'reverse', entry_id: (data as { entry_id: number }).entry_id, reason: '误记' });
  expect((await pay(id, 50, { voucher_no: '记-13' })).code).toBe(0);
});

test('a voucher or invoice number counts as the same in any width, case and contract, and a file by its content', async () => {
  const [first, other] = [await running(), await running()];
  expect((await pay(first, 100, { voucher_no: 'Pz-12' })).code).toBe(0);
  const again = await pay(other, 100, { voucher_no: 'ｐｚ—１２' });
  const { contract_no } = await one(first);
  expect(again.msg).toBe(
    `凭证号“ｐｚ—１２”已在 ${inDays(0)} 登记过 100.00 元（合同 ${contract_no} 的合同款），请核对；确是同一凭证的另一笔，请确认后再登记`,
  );
  const invoice = { kind: 6, name: '发票', plan_date: inDays(0) };
  const billed = (id: number, invoice_no: string, amount = 100) =>
    pay(id, amount, { performance_id: undefined, row: invoice, invoice_no });
  expect((await billed(first, 'FP24A9')).code).toBe(0);
  expect((await billed(other, 'ｆｐ２４ａ９')).msg).toContain('发票号“ｆｐ２４ａ９”已在');
  const bytes = `%PDF-1.4 ${crypto.randomUUID()}`;
  const same = async () => {
    const form = new FormData();
    form.set('module', 'contracts');
    form.set('file', new Blob([bytes]), '银行回单.pdf');
    const sent = await finance.fetch('/api/file/upload/', { method: 'POST', body: form });
    return [((await sent.json()) as { data: { id: number } }).data.id];
  };
  const held = await pay(first, 50, { files: await same() });
  expect(held.code).toBe(0);
  expect((await pay(other, 50, { files: await same() })).msg).toContain('文件“银行回单.pdf”已作为');
  const taken = { type: 'reverse', entry_id: (held.data as { entry_id: number }).entry_id, reason: '记错合同' };
  expect((await register(manager, first, taken)).code).toBe(0);
  expect((await pay(other, 50, { files: await same() })).code).toBe(0);
});

test('a duplicate voucher of a contract one may not see is reported without the contract and the amount', async () => {
  const theirs = await running();
  expect((await pay(theirs, 100, { voucher_no: '密-77' })).code).toBe(0);
  const elsewhere = await app.dept('另一部门');
  const stranger = await app.signIn(await app.person({ alias: '别处经办', dept: elsewhere, roles: ['staff'] }));
  const id = await running();
  await manager.get(contracts.handOver, { body: { ids: [id], to: stranger.userId, reason: '岗位调整' } });
  const again = await pay(id, 50, { voucher_no: '密-77', files: [await upload(stranger)] }, stranger);
  expect([again.code, again.msg]).toEqual([
    4009,
    '凭证号“密-77”已在另一份合同登记过，请核对；确是同一凭证的另一笔，请确认后再登记',
  ]);
  // Contracts that the user sees are named before those they do not see.
  const forced = { voucher_no: '密-77', files: [await upload(stranger)], same_voucher: true };
  expect((await pay(id, 50, forced, stranger)).code).toBe(0);
  const third = await pay(id, 50, { voucher_no: '密-77', files: [await upload(stranger)] }, stranger);
  expect(third.msg).toContain('登记过 50.00 元（合同款）');
});

test('a payment with the same file as another payment of the contract asks for confirmation', async () => {
  const id = await running();
  const files = [await upload(finance, '同一回单.pdf')];
  expect((await pay(id, 100, { files })).code).toBe(0);
  expect((await pay(id, 100, { files })).msg).toContain('文件“同一回单.pdf”已作为');
  expect((await pay(id, 100, { files, same_voucher: true })).code).toBe(0);
});

test('invoices must not exceed the amount, and a deposit is returned up to what came in', async () => {
  const id = await running({ deposit: 100 });
  const entry = (row: object, amount: number) =>
    pay(id, amount, { performance_id: undefined, row: { plan_date: inDays(0), ...row } });
  expect((await entry({ kind: 6, name: '发票' }, 999_999)).msg).toBe(
    '本次发票 999,999.00 元，超出合同金额中尚未开票的 1,000.00 元，请核对发票金额',
  );
  expect((await entry({ kind: 6, name: '发票' }, 600)).code).toBe(0);
  expect((await entry({ kind: 6, name: '发票' }, 401)).msg).toContain('尚未开票的 400.00 元');
  const back = { kind: 5, direction: 1, gives_back: true, name: '退还履约保证金' };
  expect((await entry(back, 100)).msg).toBe(
    '本次退还 100.00 元，登记过而尚未退还的保证金只有 0.00 元，请先登记保证金的收付',
  );
  expect((await entry({ kind: 5, direction: 2, name: '履约保证金' }, 60)).code).toBe(0);
  expect((await entry(back, 61)).msg).toContain('尚未退还的保证金只有 60.00 元');
  expect((await entry(back, 60)).code).toBe(0);
  const accepting = { type: 'performance', row: { kind: 3, name: '到货验收', plan_date: inDays(0) }, date: inDays(0) };
  expect((await register(manager, id, accepting)).msg).toBe('交付验收须选择验收结果：合格或不合格');
});

test('an amount exactly at a step belongs to that step', async () => {
  const plans = (amount: number) => [{ kind: 1, name: '合同款', plan_date: inDays(30), plan_amount: amount }];
  const stepOf = async (amount: number) =>
    (await house.sql('select step from contract where id = $1', [await write({ amount, plans: plans(amount) })]))
      .rows[0].step;
  expect([await stepOf(49_999.99), await stepOf(50_000), await stepOf(500_000)]).toEqual([0, 1, 2]);
});

test('dates that can only be a wrong year are reported wherever they are entered', async () => {
  const plan = (plan_date: string) => ({ plans: [{ kind: 1, name: '合同款', plan_date, plan_amount: 1000 }] });
  expect((await ask(author, { submit: true, ...plan('2099-01-01') })).msg).toContain('晚 30 年以上，请核对年份');
  expect((await ask(author, { start_date: '1926-01-01', end_date: null })).msg).toContain('相差 50 年以上');
  expect((await ask(author, { end_date: '2099-12-31' })).msg).toContain('长期有效的请留空');
  expect((await ask(author, { end_date: '2027-02-29' })).msg).toBe('结束日期：没有 2027-02-29 这一天，请核对');
  const id = await running();
  const settlement = [{ direction: 1, amount: 10, until: '2062-01-01' }];
  const end = { type: 'terminate', reason: '对方违约', date: inDays(0), settlement, file: await file() };
  expect((await register(manager, id, end)).msg).toContain('晚 10 年以上，请核对年份');
});

test('a contract is drafted for a department of the drafter or one that their page covers', async () => {
  const elsewhere = await app.dept('别的部门');
  const refused = await ask(author, { dept_id: elsewhere });
  expect([refused.code, refused.msg]).toEqual([4000, '承办部门：不是您所在或管辖的部门，请重新选择']);
  expect((await ask(manager, { dept_id: elsewhere })).code).toBe(0);
  const mine = await write();
  expect((await one(mine)).dept_id).toBe(house.dept);
});

test('a contract can be saved as a draft with only a title', async () => {
  const saved = await author.ask(contracts.create, { body: { name: '只有标题的草稿', text_mode: 1 } as never });
  expect(saved.code).toBe(0);
  expect(await one(saved.data.id, author)).toMatchObject({ act_state: 0, name: '只有标题的草稿', parties: [] });
});

test('handing over contracts reports those that were not handed over', async () => {
  const id = await running({ name: '要移交的合同' });
  const handed = await manager.ask(contracts.handOver, {
    body: { ids: [id, 999_999], to: finance.userId, reason: '岗位调整' },
  });
  expect(handed.data).toMatchObject({ count: 1, missed: [999_999] });
});

test('an unsigned or void contract shows nothing as unpaid', async () => {
  const unsigned = await approve(await write({ name: '未签的合同' }));
  expect(await one(unsigned)).toMatchObject({ unpaid: 0 });
  await register(manager, unsigned, { type: 'void', reason: '不签了' });
  expect(await one(unsigned)).toMatchObject({ stage: 90, unpaid: 0 });
  expect(await one(await running())).toMatchObject({ unpaid: 1000 });
});

test('performance is listed by due date, late first, and completed rows are listed apart', async () => {
  const plans = [
    { kind: 1, name: '早已付清', plan_date: inDays(-90), plan_amount: 300 },
    { kind: 1, name: '逾期未付', plan_date: inDays(-20), plan_amount: 300 },
    { kind: 1, name: '将到期', plan_date: inDays(5), plan_amount: 400 },
  ];
  const id = await running({ plans, start_date: inDays(-100) });
  expect((await pay(id, 300)).code).toBe(0);
  const names = async (query: object) =>
    (await finance.get(performanceCalls.performances, { query: { contract_id: id, ...query } as never })).value.map(
      (row) => row.name,
    );
  expect(await names({})).toEqual(['逾期未付', '将到期']);
  expect(await names({ category: 'done' })).toEqual(['早已付清']);
  expect(await names({ category: 'all' })).toEqual(['早已付清', '逾期未付', '将到期']);
});

test('money by month can be filtered by department and by category', async () => {
  const category_id = house.categories.find((each) => each.code === 'JZ')!.id;
  await running({ category_id, plans: [{ kind: 1, name: '捐赠款', plan_date: inDays(200), plan_amount: 1000 }] });
  const query = { start: inDays(199), end: inDays(201), by: 'month' as const };
  const sums = async (more: object) =>
    (await manager.get(performanceCalls.performanceDays, { query: { ...query, ...more } })).map((row) => row.out);
  expect(await sums({ category: category_id })).toEqual([1000]);
  expect(await sums({ category: category_id, dept: house.dept })).toEqual([1000]);
  expect(await sums({ category: house.category })).toEqual([]);
});

test('the heads for late nodes are looked up once, however many nodes are late', async () => {
  const late = {
    start_date: inDays(-60),
    plans: [{ kind: 1, name: '旧款', plan_date: inDays(-7), plan_amount: 1000 }],
  };
  for (let n = 0; n < 3; n++) await running(late);
  const asked = await counted(manager, () => app.services.databases.write((tx) => remindOfContracts(tx, new Date())));
  expect(asked.filter((text) => /from dept_person|distinct on \("app_user"/.test(text)).length).toBe(1);
  expect((await house.told(head)).filter((title) => title.includes('逾期')).length).toBeGreaterThan(0);
});
