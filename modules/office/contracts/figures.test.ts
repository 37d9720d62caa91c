import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { SummaryOf } from '#kernel/contract/figures.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { contracts } from './contract/contracts.ts';
import { contractParties } from './contract/parties.ts';
import { performanceCalls } from './contract/performing/performance.ts';
import { contractStatistics } from './contract/statistics.ts';
import { flowOf } from './engine/flow.ts';
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

test('money refunded after a termination reduces the paid sum wherever it is shown', async () => {
  const category_id = house.categories.find((each) => each.code === 'JS')!.id;
  const name = '退过款的公司';
  const id = await running({ category_id, parties: [{ name }] });
  expect((await pay(id, 1000)).code).toBe(0);
  const settlement = [
    { direction: 2, amount: 400, until: inDays(10) },
    { direction: 1, amount: 30, until: inDays(20) },
  ];
  // A further settlement must stay within the amount, all of which was paid.
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

test('an unpaid amount due in an earlier month stays in the forecast and is marked as late', async () => {
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

test('a supplement neither expires by itself nor has its amount counted twice, in the ledger or in the figures', async () => {
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

test('a calendar over more days than it can show must be requested by month', async () => {
  const query = { start: inDays(-2000), end: inDays(0) };
  const { msg } = await manager.ask(performanceCalls.performanceDays, { query });
  expect(msg).toContain('按天最多查看 1100 天，请缩短期间，或按月查看');
  expect((await manager.ask(performanceCalls.performanceDays, { query: { ...query, by: 'month' } })).code).toBe(0);
});

interface Told {
  pays: 1 | 2;
  days: number[];
  paid: [row: number, share: number, reversed: boolean][];
  also: ('audit' | 'invoice' | 'deposit' | 'supplement')[];
  ends: 'runs' | 'rests' | 'ends';
  back: number;
  own: number;
}
const tale: fc.Arbitrary<Told> = fc.record({
  pays: fc.constantFrom(1 as const, 2 as const),
  days: fc.array(fc.integer({ min: -80, max: 200 }), { minLength: 1, maxLength: 3 }),
  paid: fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 100 }), fc.boolean()), { maxLength: 3 }),
  also: fc.subarray(['audit' as const, 'invoice' as const, 'deposit' as const, 'supplement' as const]),
  ends: fc.constantFrom('runs' as const, 'rests' as const, 'ends' as const),
  back: fc.integer({ min: 0, max: 100 }),
  own: fc.integer({ min: 0, max: 40 }),
});

/** Events of a contract other than payments; one that the product refuses does not happen. */
const besides: Record<Told['also'][number], (id: number) => Promise<unknown>> = {
  async audit(id) {
    const row = (await one(id)).performance.find((each) => each.kind < 3 && each.state !== 3 && each.state !== 5);
    if (!row) return;
    const rest = row.plan_amount! - row.done_amount;
    const cut =
      row.done_amount === 0 ? { cancel: true } : { plan_amount: Math.round(row.done_amount * 100 + rest * 50) / 100 };
    const body = { reason: '结算审计', audited: true, ...cut } as never;
    await house.author.ask(performanceCalls.changePerformance, { params: { id: row.id }, body });
  },
  invoice: (id) => pay(id, 123.45, { performance_id: undefined, row: { kind: 6, name: '发票', plan_date: inDays(0) } }),
  async deposit(id) {
    const row = (await one(id)).performance.find((each) => each.kind === 5);
    return pay(id, 33.3, { performance_id: row!.id });
  },
  async supplement(id) {
    const { amount, reduced, pay_direction } = await one(id);
    const said = { nature: 3, name: '减价', parent_id: id, pay_direction, amount: amount - reduced - 10, plans: [] };
    const asked = await house.ask(house.author, { ...said, submit: true });
    if (asked.code !== 0) return;
    const supplement_id = await sign(await approve((asked.data as { id: number }).id));
    await register(manager, id, { type: 'change', supplement_id, reason: '协商减价' });
  },
};

const byNumber = (a: number, b: number) => a - b;
/** Contracts to sign or to perform within a week, computed slowly: each contract, and whether something of it is overdue. */
async function dueTo(person: number): Promise<Map<number, boolean>> {
  const { rows } = await house.sql(
    `select c.id, c.stage, c.undertaker, p.handler, p.cancelled, coalesce(p.plan_amount, 0)::float8 planned,
        p.plan_date <= $1 as near, p.plan_date < $2 as past,
        array(select e.amount::float8 from contract_entry e where e.performance_id = p.id and e.amount is not null) entries,
        (select count(*)::int from contract_entry e where e.performance_id = p.id and e.reverses_id is null and e.accept_result is distinct from 2
          and not exists (select from contract_entry back where back.reverses_id = e.id)) accepted
      from contract c left join contract_performance p on p.contract_id = c.id`,
    [inDays(7), inDays(0)],
  );
  const due = new Map<number, boolean>();
  for (const row of rows) {
    const done = Math.round(row.entries.reduce((sum: number, each: number) => sum + each, 0) * 100);
    const open = row.planned > 0 ? done < Math.round(row.planned * 100) : row.accepted === 0;
    const performs = [30, 60, 70].includes(row.stage) && row.handler === person && !row.cancelled && open && row.near;
    if (performs) due.set(row.id, (due.get(row.id) ?? false) || row.past);
    else if (row.stage === 20 && row.undertaker === person) due.set(row.id, due.get(row.id) ?? false);
  }
  return due;
}
const overdueIn = (due: ReadonlyMap<number, boolean>) => [...due.values()].filter(Boolean).length;

test(
  'of random contracts, ledger, calendar, forecast, statistics, home and menu equal a plain sum of their entries',
  { timeout: 480_000 },
  async ({ onTestFailed }) => {
    const category_id = house.categories.find((each) => each.code === 'ZL')!.id;
    const ids: number[] = [];
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    onTestFailed(() => void process.stderr.write(`again with SEED=${seed}\n`));
    // A framework owes nothing itself; its call-offs do.
    const framework = { nature: 2, name: '框架', amount: 0, amount_cap: 5000, plans: [] };
    const top = await running({ category_id, ...framework });
    const direct = { performance_id: undefined, row: { kind: 1, name: '零星', plan_date: inDays(0) } };
    ids.push(top);
    const call = await running({ category_id, parent_id: top, name: '框架下的订单' });
    ids.push(call);
    for (const [of, amount, more] of [
      [top, 70, direct],
      [call, 250, {}],
    ] as const) {
      const made = await register(manager, of, {
        type: 'performance',
        performance_id: (await one(of)).performance[0]?.id,
        date: inDays(0),
        amount,
        files: [await file()],
        ...more,
      });
      expect(made.msg).toBe('登记成功');
    }
    for (const told of fc.sample(tale, { numRuns: whole ? 40 : 6, seed })) {
      const kind = told.pays;
      const plans = [
        ...told.days.map((day, at) => ({
          kind,
          name: `第 ${at + 1} 笔`,
          plan_date: inDays(day),
          plan_amount: at === 0 ? 1000 - 300 * (told.days.length - 1) : 300,
        })),
        ...(told.also.includes('deposit')
          ? [{ kind: 5, direction: 3 - kind, name: '履约保证金', plan_date: inDays(3), plan_amount: 80 }]
          : []),
      ];
      const id = await running({ category_id, pay_direction: kind, start_date: inDays(-100), plans });
      ids.push(id);
      const rows = (await one(id)).performance.filter((each) => each.kind === kind);
      for (const [at, share, reversed] of told.paid) {
        const row = rows[at % rows.length]!;
        const made = await pay(id, Math.round(row.plan_amount! * share) / 100, { performance_id: row.id });
        const { entry_id } = (made.data ?? {}) as { entry_id?: number };
        if (reversed && entry_id) await register(manager, id, { type: 'reverse', entry_id, reason: '记错' });
      }
      for (const what of told.also) await besides[what](id);
      if (told.ends === 'rests') await register(manager, id, { type: 'suspend', reason: '停工', file: await file() });
      if (told.ends !== 'ends') continue;
      const { unpaid: rest } = await one(id);
      const settlement = [
        { direction: 3 - kind, amount: 50, until: inDays(9) },
        ...(told.own > 0 && told.own <= rest ? [{ direction: kind, amount: told.own, until: inDays(8) }] : []),
      ];
      await register(manager, id, {
        type: 'terminate',
        reason: '解除',
        date: inDays(0),
        settlement,
        file: await file(),
      });
      for (const settled of (await one(id)).performance.filter((each) => each.settlement)) {
        const amount = settled.kind === kind ? settled.plan_amount! / 4 : told.back / 2;
        if (amount > 0) await pay(id, amount, { performance_id: settled.id });
      }
    }
    const { rows } = await house.sql(
      `select c.id, c.stage, c.nature, c.pay_direction, (c.amount - c.reduced)::float8 owed, p.kind, p.direction, p.plan_amount::float8 planned, p.plan_date < $2 as past, p.cancelled, p.settlement,
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
      const of = (own: boolean) => mine.filter((row) => row.kind < 3 && (row.kind === row.pay_direction) === own);
      const refunded = cents(of(false).reduce((sum, row) => sum + done(row), 0));
      const paid = cents(of(true).reduce((sum, row) => sum + done(row), 0) - refunded);
      const { stage, pay_direction, nature, owed } = mine[0];
      const settled = of(true).filter((row) => row.settlement && !row.cancelled);
      const open = stage === 60 ? settled.reduce((sum, row) => sum + row.planned - done(row), 0) : owed - paid;
      const unpaid = nature === 2 ? 0 : cents(Math.max(0, open));
      expect(listed.get(id), `contract ${id}, SEED=${seed}`).toMatchObject({ paid, refunded, unpaid });
      total[pay_direction === 1 ? 'paid' : 'received'] += paid;
      total.refunded += refunded;
      if (pay_direction === 1) total.unpaid += unpaid;
      for (const row of mine) {
        const left = cents(row.planned - done(row));
        if (row.cancelled || left <= 0 || stage === 50) continue;
        if (row.direction !== null) total[row.direction === 1 ? 'out' : 'in'] += left;
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
    // From this month on, the calendar shows the same amounts as the forecast.
    const month = inDays(0).slice(0, 7);
    const query = { start: `${month}-01`, end: inDays(360), by: 'month', category: category_id } as const;
    const pages = (await manager.get(performanceCalls.performanceDays, { query })).map((each) => [
      each.day,
      rounded(flowOf(each, month)),
    ]);
    const forecast = (await statistics(category_id)).months.filter((each) => each.key >= month);
    expect(pages.filter(([, flow]) => Object.values(flow!).some((each) => each !== 0))).toEqual(
      forecast.map((each) => [each.key, rounded({ in: each.in, out: each.out })]),
    );
    // Home page and menu count only contracts with something due.
    for (const who of [house.author, manager, house.finance]) {
      const slow = await dueTo(who.userId);
      const kind = (await who.get(waiting.mine)).value.find((each) => each.key === 'contract');
      expect([kind?.count ?? 0, kind?.overdue ?? 0], `SEED=${seed}`).toEqual([slow.size, overdueIn(slow)]);
      const listed = await who.get(contracts.list, { query: { category: 'mine', per_page: 100 } as never });
      expect(listed.value.map((each) => each.id).toSorted(byNumber)).toEqual([...slow.keys()].toSorted(byNumber));
      const home = await who.get(waiting.list, { query: { category: 'contract', per_page: 100 } as never });
      expect(home.value.map((each) => each.of).toSorted(byNumber)).toEqual([...slow.keys()].toSorted(byNumber));
    }
  },
);
