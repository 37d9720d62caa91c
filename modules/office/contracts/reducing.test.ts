import { afterAll, expect, test } from 'vitest';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { performanceCalls } from './contract/performing/performance.ts';
import { contractStatistics } from './contract/statistics.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, manager, one, write, approve, sign, running, pay, register } = house;
afterAll(app.close);

const billed = (id: number, amount: number) =>
  pay(id, amount, { performance_id: undefined, row: { kind: 6, name: '发票', plan_date: inDays(0) } });
const change = (row: number, body: object) =>
  author.ask(performanceCalls.changePerformance, {
    params: { id: row },
    body: { reason: '结算审计', ...body } as never,
  });
const entryOf = ({ data }: { data: unknown }) => (data as { entry_id: number }).entry_id;
const back = (id: number, entry_id: number) => register(manager, id, { type: 'reverse', entry_id, reason: '误记' });
const lowered = async (id: number, amount: number, plans: object[] = []) => {
  const said = { nature: 3, name: '减价补充协议', parent_id: id, amount, plans };
  const supplement_id = await sign(await approve(await write(said)));
  return register(manager, id, { type: 'change', supplement_id, reason: '协商减价' });
};

test('invoices exceeding an amount reduced later by audit or supplement do not block payments and reversals', async () => {
  const id = await running();
  expect((await billed(id, 1000)).code).toBe(0);
  const paid = await pay(id, 900);
  const row = (await one(id)).performance.find((each) => each.kind === 1);
  expect((await change(row!.id, { plan_amount: 950, audited: true })).msg).toBe('履约节点已调整');
  expect((await pay(id, 50)).msg).toBe('登记成功');
  expect((await back(id, entryOf(paid))).msg).toBe('登记成功');
  // Invoices are still limited to the owed amount.
  expect((await billed(id, 1)).msg).toContain('超出合同金额中尚未开票的 0.00 元');
  const plans = [
    { kind: 1, name: '首款', plan_date: inDays(20), plan_amount: 500 },
    { kind: 1, name: '尾款', plan_date: inDays(60), plan_amount: 500 },
  ];
  const other = await running({ plans });
  const bill = await billed(other, 1000);
  const first = await pay(other, 500);
  const fewer = [{ kind: 1, name: '尾款', plan_date: inDays(60), plan_amount: 200 }];
  expect((await lowered(other, 700, fewer)).msg).toBe('登记成功');
  const rest = (await one(other)).performance.find((each) => each.name === '尾款' && each.state !== 5)!;
  expect((await pay(other, 200, { performance_id: rest.id })).msg).toBe('登记成功');
  expect((await back(other, entryOf(first))).msg).toBe('登记成功');
  expect((await back(other, entryOf(bill))).msg).toBe('登记成功');
  const beyond = house.sql(
    `insert into contract_entry (contract_id, performance_id, date, amount)
      select contract_id, id, current_date, 5000 from contract_performance where contract_id = $1 and kind = 6 limit 1`,
    [id],
  );
  await expect(beyond).rejects.toMatchObject({ constraint: 'contract_entries_within', code: '23514' });
});

test('an audit reduces the amount owed only by what the plan still exceeds it, not by what a supplement already cut', async () => {
  const id = await running();
  expect((await pay(id, 900)).code).toBe(0);
  expect((await lowered(id, 950)).msg).toBe('登记成功');
  const [row] = (await one(id)).performance;
  expect(row!.plan_amount).toBe(950);
  expect((await change(row!.id, { plan_amount: 950, audited: true })).msg).toContain('请填写较小的计划金额');
  expect(await one(id)).toMatchObject({ amount: 950, reduced: 0, unpaid: 50 });
  const other = await running();
  expect((await pay(other, 900)).code).toBe(0);
  expect((await lowered(other, 950)).msg).toBe('登记成功');
  const [node] = (await one(other)).performance;
  expect((await change(node!.id, { plan_amount: 920, audited: true })).msg).toBe('履约节点已调整');
  expect(await one(other)).toMatchObject({ amount: 950, reduced: 30, unpaid: 20 });
});

test('an audit can remove an unpaid node entirely, and reduce a node no lower than its registered amount', async () => {
  const plans = [
    { kind: 1, name: '进度款', plan_date: inDays(20), plan_amount: 900 },
    { kind: 1, name: '质保金', plan_date: inDays(60), plan_amount: 100 },
  ];
  const id = await running({ plans });
  const rows = (await one(id)).performance;
  expect((await pay(id, 900)).code).toBe(0);
  expect((await change(rows[1]!.id, { cancel: true })).msg).toContain('选择“审减”');
  expect((await change(rows[1]!.id, { cancel: true, audited: true })).msg).toBe('履约节点已调整');
  const cut = await one(id);
  expect(cut).toMatchObject({ amount: 1000, reduced: 100, paid: 900, unpaid: 0 });
  expect(cut.performance.map((each) => each.state)).toEqual([3, 5]);
  expect((await change(rows[0]!.id, { cancel: true, audited: true })).msg).toContain('节点已有登记');
});

test('a supplement naming the amount owed keeps an earlier audit, and one naming another amount replaces it', async () => {
  const id = await running();
  const [row] = (await one(id)).performance;
  expect((await change(row!.id, { plan_amount: 950, audited: true })).code).toBe(0);
  expect((await lowered(id, 950)).msg).toBe('登记成功');
  expect(await one(id)).toMatchObject({ amount: 1000, reduced: 50, unpaid: 950 });
  const plans = [{ kind: 1, name: '合同款', plan_date: inDays(30), plan_amount: 1000 }];
  expect((await lowered(id, 1000, plans)).msg).toBe('登记成功');
  expect(await one(id)).toMatchObject({ amount: 1000, reduced: 0, unpaid: 1000 });
});

test('an amount that an audit removes from a call-off becomes available within its framework’s cap', async () => {
  const framework = { nature: 2, name: '维修框架', amount: 0, amount_cap: 1000, plans: [] };
  const top = await sign(await approve(await write(framework)));
  const call = await running({ parent_id: top, name: '第一单' });
  expect((await one(top)).cap_used).toBe(1000);
  const [row] = (await one(call)).performance;
  expect((await change(row!.id, { plan_amount: 700, audited: true })).code).toBe(0);
  expect((await one(top)).cap_used).toBe(700);
  const second = { parent_id: top, name: '第二单', submit: true };
  expect((await house.ask(author, { ...second, amount: 301 })).msg).toContain('300.00');
  expect((await house.ask(author, { ...second, amount: 300 })).code).toBe(0);
});

test('an approved contract withdrawn to its draft counts in no figure but keeps its number', async () => {
  const category_id = house.categories.find((each) => each.code === 'JS')!.id;
  const id = await approve(await write({ category_id }));
  const query = { start: inDays(-1), end: inDays(1), category_id };
  const counted = async () => {
    const { summary } = (await manager.get(contractStatistics.call, { query })).value as unknown as {
      summary: { count: number; amount_out: number };
    };
    return [summary.count, summary.amount_out];
  };
  expect(await counted()).toEqual([1, 1000]);
  const { ticket_id, contract_no } = await one(id);
  const body = { state_id: 2, suggestion: '金额写错' } as never;
  expect((await app.admin.ask(ticketActions.state, { params: { id: ticket_id! }, body })).code).toBe(0);
  expect(await one(id)).toMatchObject({ stage: 10, contract_no });
  expect(await counted()).toEqual([0, 0]);
});

test('a node added during performance needs a plausible year, like a planned one', async () => {
  const id = await running();
  const row = { kind: 12, name: '另办', plan_date: inDays(35 * 366) };
  const added = { type: 'performance', row, date: inDays(0) };
  expect((await register(manager, id, added)).msg).toContain('晚 30 年以上，请核对年份');
});
