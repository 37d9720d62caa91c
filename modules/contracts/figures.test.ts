import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { SummaryOf } from '#kernel/contract/figures.ts';
import { contractParties } from './contract/parties.ts';
import { performanceCalls } from './contract/performing/performance.ts';
import { contractStatistics } from './contract/statistics.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, manager, one, approve, write, sign, running, pay, register, upload, ledger } = house;
afterAll(app.close);
const whole = Boolean(process.env['NIGHTLY']);

type Shown = SummaryOf<typeof contractStatistics> & Record<string, number>;
async function statistics(category_id?: number) {
  const { value } = await manager.get(contractStatistics.call, {
    query: { start: inDays(-1), end: inDays(1), ...(category_id ? { category_id } : {}) },
  });
  const page = value as unknown as {
    summary: Shown;
    by_forecast: { key: string; out: number; in: number; late: number }[];
  };
  const sum = (key: 'out' | 'in' | 'late') => page.by_forecast.reduce((all, row) => all + row[key], 0);
  return { ...page.summary, out: sum('out'), in: sum('in'), late: sum('late'), months: page.by_forecast };
}
const calendar = async (category: number) => {
  const days = await manager.get(performanceCalls.performanceDays, {
    query: { start: inDays(-500), end: inDays(360), by: 'month', category },
  });
  const sum = (key: 'due_out' | 'due_in' | 'overdue') => days.reduce((all, row) => all + row[key], 0);
  return { out: sum('due_out'), in: sum('due_in'), late: sum('overdue') };
};
const file = () => upload(manager);

test('what came back after a termination is no payment: 600 were paid and 400 refunded, wherever that is shown', async () => {
  const category_id = house.categories.find((each) => each.code === 'JS')!.id;
  const name = '退过款的公司';
  const id = await running({ category_id, parties: [{ name }] });
  expect((await pay(id, 1000)).code).toBe(0);
  const settlement = [
    { direction: 2, amount: 400, until: inDays(10) },
    { direction: 1, amount: 30, until: inDays(20) },
  ];
  // What is settled besides stays within the amount: the whole of it was paid.
  const end = { type: 'terminate', reason: '质量不合格', date: inDays(0), file: await file() };
  expect((await register(manager, id, { ...end, settlement })).msg).toContain('超出合同金额中尚未登记的 0.00 元');
  expect((await register(manager, id, { ...end, file: await file(), settlement: [settlement[0]!] })).code).toBe(0);
  expect(await statistics(category_id)).toMatchObject({ paid: 1000, refunded: 0, out: 0, in: 400 });
  const row = (await one(id)).performance.find((each) => each.settlement)!;
  expect((await pay(id, 400, { performance_id: row.id })).code).toBe(0);
  expect(await one(id)).toMatchObject({ paid: 600, refunded: 400, unpaid: 0 });
  expect((await ledger({ search_value: name })).value).toMatchObject([{ paid: 600, refunded: 400, unpaid: 0 }]);
  expect(await statistics(category_id)).toMatchObject({ paid: 600, refunded: 400, unpaid: 0, out: 0, in: 0 });
  const parties = await manager.get(contractParties.parties, { query: { search_value: name } });
  expect(parties.value).toMatchObject([{ amount_out: 1000, open: 0 }]);
});

test('what was due in an earlier month stays in the forecast until it is paid, and is told as late', async () => {
  const category_id = house.categories.find((each) => each.code === 'HZ')!.id;
  const plans = [{ kind: 1, name: '旧款', plan_date: inDays(-70), plan_amount: 1000 }];
  const id = await running({ category_id, start_date: inDays(-90), plans });
  expect((await pay(id, 400)).code).toBe(0);
  const told = await statistics(category_id);
  expect(told.months).toMatchObject([{ key: inDays(-70).slice(0, 7), out: 600, in: 0, late: 600 }]);
  expect(told.overdue_nodes).toBe(1);
  expect(await calendar(category_id)).toEqual({ out: 600, in: 0, late: 1 });
  const suspended = { type: 'suspend', reason: '停工', file: await file() };
  expect((await register(manager, id, suspended)).code).toBe(0);
  expect((await statistics(category_id)).out).toBe(0);
  expect(await calendar(category_id)).toEqual({ out: 0, in: 0, late: 0 });
});

test('a supplement neither ends by itself nor counts its amount a second time, in the ledger as in the figures', async () => {
  const category_id = house.categories.find((each) => each.code === 'QT')!.id;
  const soon = { category_id, start_date: inDays(-10), end_date: inDays(20) };
  const plans = [{ kind: 1, name: '合同款', plan_date: inDays(5), plan_amount: 1000 }];
  const id = await running({ ...soon, plans });
  const supplement = await sign(await approve(await write({ ...soon, nature: 3, parent_id: id, plans: [] })));
  const { value, counts } = await ledger({ quick: 'expiring', category_id });
  expect(value.map((each) => each.id)).toEqual([id]);
  expect(value.map((each) => each.id)).not.toContain(supplement);
  expect(counts.expiring).toBe((await statistics()).d30);
  expect(await statistics(category_id)).toMatchObject({ d30: 1, count: 1, amount_out: 1000 });
});

test('a calendar of more days than it tells is asked for by month', async () => {
  const query = { start: inDays(-2000), end: inDays(0) };
  const { msg } = await manager.ask(performanceCalls.performanceDays, { query });
  expect(msg).toContain('按天最多查看 1100 天，请缩短期间，或按月查看');
  expect((await manager.ask(performanceCalls.performanceDays, { query: { ...query, by: 'month' } })).code).toBe(0);
});

interface Told {
  pays: 1 | 2;
  days: number[];
  paid: [row: number, share: number, reversed: boolean][];
  ends: 'runs' | 'rests' | 'ends';
  back: number;
}
const tale: fc.Arbitrary<Told> = fc.record({
  pays: fc.constantFrom(1 as const, 2 as const),
  days: fc.array(fc.integer({ min: -80, max: 200 }), { minLength: 1, maxLength: 3 }),
  paid: fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 100 }), fc.boolean()), { maxLength: 3 }),
  ends: fc.constantFrom('runs' as const, 'rests' as const, 'ends' as const),
  back: fc.integer({ min: 0, max: 100 }),
});

test(
  'of random contracts, ledger, calendar, forecast and statistics say what a slow reading of their entries says',
  { timeout: 480_000 },
  async () => {
    const category_id = house.categories.find((each) => each.code === 'ZL')!.id;
    const ids: number[] = [];
    for (const told of fc.sample(tale, { numRuns: whole ? 40 : 6, seed: Date.now() % 1_000_000 })) {
      const kind = told.pays;
      const plans = told.days.map((day, at) => ({
        kind,
        name: `第 ${at + 1} 笔`,
        plan_date: inDays(day),
        plan_amount: at === 0 ? 1000 - 300 * (told.days.length - 1) : 300,
      }));
      const id = await running({ category_id, pay_direction: kind, start_date: inDays(-100), plans });
      ids.push(id);
      const rows = (await one(id)).performance;
      for (const [at, share, reversed] of told.paid) {
        const row = rows[at % rows.length]!;
        const made = await pay(id, Math.round(row.plan_amount! * share) / 100, { performance_id: row.id });
        const { entry_id } = (made.data ?? {}) as { entry_id?: number };
        if (reversed && entry_id) await register(manager, id, { type: 'reverse', entry_id, reason: '记错' });
      }
      if (told.ends === 'rests') await register(manager, id, { type: 'suspend', reason: '停工', file: await file() });
      if (told.ends !== 'ends') continue;
      const settlement = [{ direction: 3 - kind, amount: 50, until: inDays(9) }];
      await register(manager, id, {
        type: 'terminate',
        reason: '解除',
        date: inDays(0),
        settlement,
        file: await file(),
      });
      const settled = (await one(id)).performance.find((each) => each.settlement)!;
      if (told.back > 0) await pay(id, told.back / 2, { performance_id: settled.id });
    }
    const { rows } = await house.sql(
      `select c.id, c.stage, c.pay_direction, p.kind, p.plan_amount::float8 planned, p.plan_date < $2 as past, p.cancelled, p.settlement,
          array(select e.amount::float8 from contract_entry e where e.performance_id = p.id) entries
        from contract c join contract_performance p on p.contract_id = c.id where c.id = any($1)`,
      [ids, inDays(0)],
    );
    const total = { paid: 0, received: 0, refunded: 0, unpaid: 0, out: 0, in: 0, late: 0 };
    const cents = (amount: number) => Math.round(amount * 100) / 100;
    const listed = new Map((await ledger({ category_id })).value.map((row) => [row.id, row]));
    for (const id of ids) {
      const mine = rows.filter((row) => row.id === id);
      const done = (row: (typeof mine)[number]) =>
        cents(row.entries.reduce((sum: number, each: number) => sum + each, 0));
      const of = (own: boolean) => mine.filter((row) => (row.kind === row.pay_direction) === own);
      const refunded = cents(of(false).reduce((sum, row) => sum + done(row), 0));
      const paid = cents(of(true).reduce((sum, row) => sum + done(row), 0) - refunded);
      const { stage, pay_direction } = mine[0];
      const unpaid = stage === 60 ? 0 : cents(Math.max(0, 1000 - paid));
      expect(listed.get(id), `contract ${id}`).toMatchObject({ paid, refunded, unpaid });
      total[pay_direction === 1 ? 'paid' : 'received'] += paid;
      total.refunded += refunded;
      if (pay_direction === 1) total.unpaid += unpaid;
      for (const row of mine) {
        const left = cents(row.planned - done(row));
        if (row.cancelled || left <= 0 || stage === 50) continue;
        total[row.kind === 1 ? 'out' : 'in'] += left;
        if (row.past) total.late += 1;
      }
    }
    const { paid, received, refunded, unpaid, out, in: income, overdue_nodes } = await statistics(category_id);
    const told = { paid, received, refunded, unpaid, out, in: income, late: overdue_nodes };
    const rounded = (figures: object) =>
      Object.fromEntries(Object.entries(figures).map(([key, figure]) => [key, cents(figure as number)]));
    expect(rounded(told)).toEqual(rounded(total));
    const shown = { out: total.out, in: total.in, late: total.late };
    expect(rounded(await calendar(category_id))).toEqual(rounded(shown));
  },
);
