import { afterAll, expect, test } from 'vitest';
import { kindText } from './contract/codes.ts';
import { ContractInput } from './contract/shapes.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, manager, one, running, pay, register } = house;
afterAll(app.close);

const [out, back] = [1, 2];
const deposit = (id: number, direction: number, name: string, amount: number, gives_back = false) =>
  pay(id, amount, { performance_id: undefined, row: { kind: 5, direction, gives_back, name, plan_date: inDays(0) } });
const reverse = (id: number, { data }: { data: unknown }) =>
  register(manager, id, { type: 'reverse', entry_id: (data as { entry_id: number }).entry_id, reason: '误记' });

test('each side’s deposit is counted separately: returning ours does not block returning theirs', async () => {
  const id = await running({ deposit: 100 });
  expect((await deposit(id, out, '投标保证金', 50)).msg).toBe('登记成功');
  expect((await deposit(id, back, '收回投标保证金', 50)).msg).toBe('登记成功');
  expect((await deposit(id, back, '履约保证金', 101)).msg).toContain('超出约定的履约保证金中尚未登记的 100.00 元');
  expect((await deposit(id, back, '履约保证金', 100)).msg).toBe('登记成功');
  expect((await deposit(id, out, '退还履约保证金', 101, true)).msg).toContain('尚未退还的保证金只有 100.00 元');
  expect((await deposit(id, out, '退还履约保证金', 100, true)).msg).toBe('登记成功');
  expect((await deposit(id, out, '退还履约保证金', 1, true)).msg).toContain('尚未退还的保证金只有 0.00 元');
});

test('a deposit counts as returned by its row’s setting, and words in its name do not matter', async () => {
  const id = await running({ deposit: 100 });
  expect((await deposit(id, back, '退役设备处置保证金', 100)).msg).toBe('登记成功');
  expect((await deposit(id, out, '质保期满付对方', 101, true)).msg).toContain('尚未退还的保证金只有 100.00 元');
  expect((await deposit(id, out, '质保期满付对方', 100, true)).msg).toBe('登记成功');
  const rows = (await one(id)).performance.filter((row) => row.kind === 5);
  expect(rows.map((row) => row.gives_back)).toEqual([false, true]);
});

test('the setting that a planned deposit is returned is dropped when the row changes into another kind', async () => {
  const plan = { direction: out, gives_back: true, name: '合同款', plan_date: inDays(30), plan_amount: 1000 };
  const id = await running({
    plans: [
      { ...plan, kind: 1 },
      { ...plan, kind: 5, name: '保证金', plan_amount: 80 },
    ],
  });
  const rows = (await one(id)).performance.map((row) => [row.name, [row.gives_back, kindText(row)]]);
  expect(Object.fromEntries(rows)).toEqual({ 合同款: [false, '付款'], 保证金: [true, '退还保证金'] });
  const draft = ContractInput.parse({ name: '采购合同', plans: [{ ...plan, kind: 1 }] });
  expect(draft.plans!.map(kindText)).toEqual(['付款']);
});

test('the other side’s deposit is received and returned in full while ours is still out, whatever their names', async () => {
  const id = await running({ deposit: 100 });
  expect((await deposit(id, out, '投标保证金', 50)).code).toBe(0);
  expect((await deposit(id, back, '履约保证金', 100)).code).toBe(0);
  expect((await deposit(id, out, '退还履约保证金', 100, true)).code).toBe(0);
  expect((await deposit(id, back, '投标保证金', 50)).code).toBe(0);
  expect((await deposit(id, back, '退回投标保证金', 1, true)).msg).toContain('尚未退还的保证金只有 0.00 元');
});

test('a deposit planned to come in and go out again can be returned up to what came in, whatever its name', async () => {
  const plans = [
    { kind: 1, name: '合同款', plan_date: inDays(30), plan_amount: 1000 },
    { kind: 5, direction: back, name: '履约保证金', plan_date: inDays(1), plan_amount: 80 },
    { kind: 5, direction: out, name: '履约保证金', plan_date: inDays(90), plan_amount: 80 },
  ];
  const id = await running({ plans });
  const rows = (await one(id)).performance.filter((row) => row.kind === 5);
  const [comes, goes] = [back, out].map((way) => rows.find((row) => row.direction === way)!.id);
  expect((await pay(id, 80, { performance_id: goes })).msg).toContain('登记过而尚未退还的保证金只有 0.00 元');
  expect((await pay(id, 80, { performance_id: comes })).code).toBe(0);
  expect((await pay(id, 80, { performance_id: goes })).code).toBe(0);
});

test('a deposit that was partly returned cannot be reversed, neither by a call nor in the database', async () => {
  const id = await running({ deposit: 100 });
  const given = await deposit(id, back, '履约保证金', 100);
  const returned = await deposit(id, out, '退还履约保证金', 60, true);
  expect((await reverse(id, given)).msg).toBe(
    '这笔保证金 100.00 元已有退还，尚未退还的只有 40.00 元，不能冲销；登记有误的请先冲销退还的登记',
  );
  const { entry_id } = given.data as { entry_id: number };
  const past = house.sql(
    `insert into contract_entry (contract_id, performance_id, date, amount, reverses_id)
      select contract_id, performance_id, current_date, -amount, id from contract_entry where id = $1`,
    [entry_id],
  );
  await expect(past).rejects.toThrow(/more deposit .* is returned than was given/);
  expect((await reverse(id, returned)).msg).toBe('登记成功');
  expect((await reverse(id, given)).msg).toBe('登记成功');
});
