import { afterAll, expect, test } from 'vitest';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { contracts } from './contract/contracts.ts';
import { performanceCalls } from './contract/performing/performance.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, manager, ask, approve, write, running, register, upload, one } = house;
afterAll(app.close);

test('a party cannot be on both sides of a contract or twice on one side, however its name is typed', async () => {
  const own = await ask(author, { parties: [{ name: '晨光文具有限公司' }, { name: '示范 大学' }] });
  expect(own.msg).toBe('相对方：“示范 大学”就是我方，请改填对方的名称');
  const twice = await ask(author, { parties: [{ name: '甲（北京）公司' }, { name: '甲(北京) 公司' }] });
  expect(twice.msg).toBe('相对方：“甲(北京) 公司”填了两次，请删去一个');
  const made = await ask(author, { our_party: '', parties: [{ name: '资产经营公司' }] });
  expect(made.code).toBe(0);
  const params = { id: made.data.id };
  const changed = await author.ask(contracts.update, { params, body: { our_party: '资产经营公司' } as never });
  expect(changed.msg).toContain('“资产经营公司”就是我方');
});

test('a term must end after it begins, its notice day lie within it, and a deposit not exceed the amount', async () => {
  const term = { start_date: inDays(10), end_date: inDays(40) };
  const say = async (more: object) => (await ask(author, { ...term, ...more })).msg;
  expect(await say({ end_date: inDays(9) })).toBe(`结束日期：${inDays(9)} 早于开始日期 ${inDays(10)}，请核对`);
  expect(await say({ renewal: 1, renewal_months: 12, notice_days: 31 })).toBe(
    `提前通知天数：31 天长于合同期限（${inDays(10)} 至 ${inDays(40)}），通知日会早于合同开始，请改小`,
  );
  expect(await say({ warranty_end: inDays(1) })).toBe(`质保到期：${inDays(1)} 早于开始日期 ${inDays(10)}，请核对`);
  expect(await say({ tax_rate: 13.555 })).toBe('税率：应为 0.01 的倍数');
  expect(await say({ deposit: 1000.01 })).toBe('履约保证金：1,000.01 元超过合同金额 1,000.00 元，请核对');
  const framework = { nature: 2, amount: 0, amount_cap: 5000, plans: [], deposit: 5001 };
  expect(await say(framework)).toBe('履约保证金：5,001.00 元超过框架上限 5,000.00 元，请核对');
  const usual = { ...term, renewal: 1, renewal_months: 12, notice_days: 30, warranty_end: inDays(400), deposit: 1000 };
  expect((await ask(author, usual)).code).toBe(0);
});

test('planned rows need a plausible year and an amount, when drafted and when moved', async () => {
  const term = { start_date: inDays(0), end_date: inDays(300) };
  const plan = (more: object) => ({ kind: 1, name: '首付', plan_date: inDays(5), plan_amount: 1000, ...more });
  const say = async (...plans: object[]) => (await ask(author, { ...term, submit: true, plans })).msg;
  const early = `“首付”的计划日期 1999-01-01 比合同开始日期 ${inDays(0)} 早 5 年以上，请核对年份`;
  expect(await say(plan({ plan_date: '1999-01-01' }))).toBe(`履约计划：${early}`);
  const nothing = '“空”的计划金额须大于 0，请填写金额或删去这个节点';
  for (const plan_amount of [0, null])
    expect(await say(plan({}), plan({ name: '空', plan_amount }))).toBe(`履约计划：${nothing}`);
  const id = await running({ ...term, plans: [plan({})] });
  const [row] = (await one(id)).performance;
  const move = async (body: object) =>
    (
      await author.ask(performanceCalls.changePerformance, {
        params: { id: row!.id },
        body: { reason: '计划有变', ...body } as never,
      })
    ).msg;
  expect(await move({ plan_date: '1999-01-01' })).toBe(early);
  expect(await move({ plan_amount: 400, rest_date: '1999-01-01' })).toBe(early);
  expect(await move({ plan_amount: 0, rest_date: inDays(9) })).toBe(nothing.replace('空', '首付'));
  expect(await move({ plan_amount: 400, rest_date: inDays(9) })).toBe('履约节点已调整');
});

test('a plan cannot exceed what may ever be registered, in a draft, a supplement, or a node added or changed later', async () => {
  const plan = (kind: number, name: string, plan_amount: number | null, more: object = {}) => ({
    kind,
    name,
    plan_date: inDays(30),
    plan_amount,
    ...more,
  });
  const whole = plan(1, '合同款', 1000);
  const deposit = plan(5, '履约保证金', 999_999, { direction: 2 });
  const told = {
    deposit: '“履约保证金”的计划金额 999,999.00 元超过约定的履约保证金 100.00 元，请核对',
    nothing: '“到货验收”是交付验收，登记时没有金额，请清空计划金额',
    invoices: '发票计划合计 1,000.01 元超过合同金额 1,000.00 元，请核对',
  };
  const drafted = async (more: object) => (await ask(author, { submit: true, deposit: 100, ...more })).msg;
  expect(await drafted({ plans: [whole, deposit] })).toBe(`履约计划：${told.deposit}`);
  expect(await drafted({ plans: [whole, plan(3, '到货验收', 5)] })).toBe(`履约计划：${told.nothing}`);
  expect(await drafted({ plans: [whole, plan(6, '发票一', 600), plan(6, '发票二', 400.01)] })).toBe(
    `履约计划：${told.invoices}`,
  );
  expect(await drafted({ deposit: null, plans: [whole, { ...deposit, plan_amount: 1001 }] })).toContain(
    '超过合同金额 1,000.00 元',
  );

  const id = await running({ deposit: 100, plans: [whole, plan(6, '发票', 700)] });
  const supplement = { nature: 3, name: '补充协议', parent_id: id, amount: undefined, pay_direction: undefined };
  const changed = async (more: object) => drafted({ ...supplement, end_date: null, deposit: null, ...more });
  expect(await changed({ plans: [deposit] }), 'the deposit that stands').toBe(`履约计划：${told.deposit}`);
  expect(await changed({ plans: [plan(6, '发票', 1000.01)] })).toBe(`履约计划：${told.invoices}`);
  expect(await changed({ plans: [plan(4, '竣工', 5)] })).toContain('“竣工”是里程碑，登记时没有金额');

  const added = async (row: object, amount: number) =>
    (await house.pay(id, amount, { performance_id: undefined, row })).msg;
  expect(await added(deposit, 60)).toBe(told.deposit);
  expect(await added(plan(6, '另开发票', 999_999), 10)).toBe(
    '发票计划合计 1,000,699.00 元，超过合同金额 1,000.00 元；请登记在已有的节点上，或先调整履约计划',
  );
  expect(await added(plan(6, '另开发票', 300), 10)).toBe('登记成功');
  const accepted = { type: 'performance', date: inDays(0), accept_result: 1, row: plan(3, '到货验收', 5) };
  expect((await register(manager, id, accepted)).msg).toBe(told.nothing);
  const billed = (await one(id)).performance.find((row) => row.name === '发票')!;
  const move = async (row: number, body: object) =>
    (
      await author.ask(performanceCalls.changePerformance, {
        params: { id: row },
        body: { reason: '计划有变', ...body } as never,
      })
    ).msg;
  expect(await move(billed.id, { plan_amount: 701 })).toContain('发票计划合计 1,001.00 元，超过合同金额');
  expect(await move(billed.id, { plan_amount: 600 })).toBe('履约节点已调整');

  const frame = await running({ nature: 2, amount: 0, amount_cap: 5000, plans: [plan(1, '首批', 4000)] });
  const more = { performance_id: undefined, row: plan(1, '次批', 999_999) };
  expect((await house.pay(frame, 10, more)).msg).toContain('付款计划合计 1,003,999.00 元，超过框架上限 5,000.00 元');
  const [first] = (await one(frame)).performance;
  expect(await move(first!.id, { plan_amount: 5001 })).toContain('超过框架上限 5,000.00 元');
  expect(await move(first!.id, { plan_amount: 5000 })).toBe('履约节点已调整');
});

test('planned dates are checked against the dates of the contract, and for a supplement of its main contract', async () => {
  const far = { start_date: '1990-01-01', end_date: null };
  const plan = (plan_date: string, more: object = {}) => ({
    kind: 1,
    name: '租金',
    plan_date,
    plan_amount: 1000,
    ...more,
  });
  expect((await ask(author, { ...far, submit: true, plans: [plan(inDays(30))] })).code).toBe(0);
  const id = await running({ ...far, plans: [plan(inDays(30))] });
  const supplement = { nature: 3, name: '补充协议', parent_id: id, amount: undefined, pay_direction: undefined };
  const said = async (more: object) => (await ask(author, { ...supplement, submit: true, ...far, ...more })).msg;
  expect(await said({ plans: [plan('1984-12-31')] })).toContain('1984-12-31 比合同开始日期 1990-01-01 早 5 年以上');
  expect((await ask(author, { ...supplement, ...far, submit: true, plans: [plan('1986-01-01')] })).code).toBe(0);
});

test('a signing date cannot lie in the future or many years before the draft', async () => {
  const id = await approve(await write({ start_date: '1990-01-01' }));
  const body = { type: 'sign', signed_file: await upload(author), authority: 1, copies_total: 2, copies_kept: 1 };
  const signed = (sign_date: string) => register(author, id, { ...body, keeper: manager.userId, sign_date });
  expect((await signed(inDays(1))).msg).toContain('晚于今天');
  expect((await signed('1991-05-01')).msg).toBe(
    `签订日期 1991-05-01 比起草日期 ${inDays(0)} 早 5 年以上，请核对年份；补录早年签订的合同，请在合同台账用“导入”`,
  );
  expect((await signed(inDays(-30))).code).toBe(0);
});

test('an archive number is unique regardless of case, width, brackets and spaces', async () => {
  const finished = async () => {
    const id = await running();
    expect((await register(manager, id, { type: 'finish', reason: '提前结清' })).code).toBe(0);
    return id;
  };
  const archived = (id: number, archive_no: string) =>
    register(manager, id, { type: 'archive', archive_no, location: '档案室', retention: '30年' });
  expect((await archived(await finished(), 'Da-2026-7')).code).toBe(0);
  expect((await archived(await finished(), '档〔2026〕9')).code).toBe(0);
  const id = await finished();
  for (const no of ['DA-2026-7', 'Ｄａ－２０２６－７', 'Da- 2026-7', 'Da-2026-7\u200b', '档[2026]9', '档（2026）9'])
    expect((await archived(id, no)).msg, no).toContain('已');
  expect(await one(id)).toMatchObject({ stage: 40 });
  expect((await archived(id, 'DA-2026-8')).code).toBe(0);
});

test('the originals that a leaver keeps are listed, and move to another keeper with an entry in the contract’s history', async () => {
  const keeper = await app.signIn(await app.person({ alias: '管档人', roles: ['staff'] }));
  const next = await app.signIn(await app.person({ alias: '接档人', roles: ['staff'] }));
  const id = await house.sign(await approve(await write({ name: '有原件的合同' })), { keeper: keeper.userId });
  const params = { id: keeper.userId };
  const held = async () =>
    (await app.admin.get(leaving.open, { params })).value.find((kind) => kind.key === 'contract_originals')!;
  expect(await held()).toMatchObject({ count: 1, rows: [{ id, title: '有原件的合同' }] });
  expect((await held()).rows[0]!.note).toContain('原件 2 份');
  const body = { target_username: next.username, kinds: ['contract_originals'] };
  expect(await app.admin.get(leaving.handOver, { params, body })).toEqual({ moved: 1, ended: 0, kept: [] });
  expect((await held()).count).toBe(0);
  const { rows } = await house.sql(
    `select c.keeper, e.type, e.changes from contract c join contract_event e on e.contract_id = c.id
      where c.id = $1 order by e.id desc limit 1`,
    [id],
  );
  expect(rows[0]).toMatchObject({
    keeper: next.userId,
    type: 'handover',
    changes: [{ label: '原件保管人', before: '管档人', after: '接档人' }],
  });
});

test('the number of contracts to sign and perform is the same in the badge, the tab and the list', async () => {
  const people = [author, manager];
  const ids: number[] = [];
  const days = [-3, 2, 5, 7, 8, 20];
  const rows = days.map((day, at) => ({ kind: 4, name: `节点${at}`, plan_date: inDays(day < 0 ? 1 : day) }));
  for (let n = 0; n < 4; n += 1)
    ids.push(await approve(await write({ name: `待我${n}`, pay_direction: 3, amount: 0, plans: rows })));
  for (const id of ids.slice(1)) await house.sign(id);
  for (let round = 0; round < 4; round += 1) {
    await house.sql(
      `update contract_performance set plan_date = current_date + (random() * 20)::int - 3,
        handler = case when random() < 0.5 then $1::int else $2::int end where contract_id = any($3)`,
      [author.userId, manager.userId, ids],
    );
    for (const who of people) {
      const { value } = await who.get(waiting.mine, {});
      const badge = value.find((kind) => kind.page === 'contract/list');
      const { total } = await who.get(contracts.list, { query: { category: 'mine' } as never });
      expect(badge?.count ?? 0).toBe(total);
      if (badge) expect(badge.path).toBe('/contract/list?category=mine');
    }
  }
});
