import { afterAll, expect, test } from 'vitest';
import { performanceCalls } from './contract/performing/performance.ts';
import { contractParties } from './contract/parties.ts';
import { registerCalls } from './contract/performing/register.ts';
import { contracts } from './contract/contracts.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, manager, finance, head, outsider, one, write, approve, sign, running, pay, register, upload } =
  house;
afterAll(app.close);

const whole = Boolean(process.env['NIGHTLY']);
/** Makes a signed supplement. */
const supplement = async (parent_id: number, more: object = {}) =>
  sign(await approve(await write({ nature: 3, parent_id, name: '补充协议', plans: [], ...more })));
const codes = (answers: { code: number }[]) => answers.map((answer) => answer.code).toSorted((a, b) => a - b);

test('parallel payments never exceed the amount; the one too many is told what is left and to register a change', async () => {
  const id = await running();
  const asks = whole ? 50 : 14;
  const files: number[] = [];
  for (let n = 0; n < asks; n++) files.push(await upload(finance));
  const answers = await Promise.all(files.map((file) => pay(id, 100, { files: [file] })));
  expect(answers.filter((answer) => answer.code === 0).length).toBe(10);
  expect(
    new Set(answers.filter((answer) => answer.code !== 0).map((answer) => [answer.status, answer.msg].join())),
  ).toEqual(new Set(['200,本次 100.00 元，超出尚可登记的 0.00 元；确需增加的请先办理变更登记']));
  expect(await one(id)).toMatchObject({ paid: 1000, unpaid: 0, nodes_done: 1 });
  const [entry] = (await house.sql('select * from contract_entry where contract_id = $1', [id])).rows;
  const past = house.sql(
    'insert into contract_entry (contract_id, performance_id, date, amount) values ($1, $2, current_date, 1)',
    [id, entry.performance_id],
  );
  await expect(past).rejects.toThrow(/pass its amount/);
  await expect(house.sql('update contract_entry set amount = 1 where id = $1', [entry.id])).rejects.toThrow(
    /append-only/,
  );
});

test('a node is shown with its entries to those who see its contract, and one without entries can be deleted', async () => {
  const plan = (kind: number, name: string, plan_amount: number | null) => ({
    kind,
    name,
    plan_date: inDays(30),
    plan_amount,
  });
  const id = await running({ plans: [plan(1, '合同款', 1000), plan(3, '到货验收', null)] });
  await pay(id, 400);
  const [paid, taking] = (await one(id)).performance.toSorted((a, b) => a.kind - b.kind);
  const params = { id: paid!.id };
  const { value } = await finance.get(performanceCalls.performance, { params });
  expect(value).toMatchObject({ id: paid!.id, plan_amount: 1000, entries: [{ amount: 400 }] });
  expect((await outsider.ask(performanceCalls.performance, { params })).code).not.toBe(0);
  const drop = (who = manager) => who.ask(performanceCalls.removePerformance, { params: { id: taking!.id } });
  expect((await drop(outsider)).code).toBe(4003);
  expect((await drop()).code).toBe(0);
  expect((await one(id)).performance.map((row) => row.id)).toEqual([paid!.id]);
});

test('a hundred simultaneous approvals number a category without gaps; a withdrawn contract keeps its number, a void one is never reused', async () => {
  const count = whole ? 200 : 12;
  const category_id = house.categories.find((each) => each.code === 'FW')!.id;
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await approve(await write({ category_id }), '分管领导审批'));
  const answers = await Promise.all(ids.map((id) => house.decide(house.leader, id, true)));
  expect(new Set(codes(answers))).toEqual(new Set([0]));
  const { rows } = await house.sql('select seq from contract_number where category_id = $1 order by seq', [
    category_id,
  ]);
  expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: count }, (_one, at) => at + 1));
  const { contract_no } = await one(ids[0]!);
  expect((await register(manager, ids[0]!, { type: 'void', reason: '重复' })).code).toBe(0);
  const next = await one(await approve(await write({ category_id })));
  expect(next.contract_no).not.toBe(contract_no);
  await expect(house.sql('delete from contract_number where contract_no = $1', [contract_no])).rejects.toThrow(
    /append-only/,
  );
}, 480_000);

test('after termination only the settlement can be registered, and while suspended nothing is due', async () => {
  const id = await running({ plans: [{ kind: 1, name: '合同款', plan_date: inDays(-5), plan_amount: 1000 }] });
  expect((await one(id)).performance[0]!.state).toBe(4);
  const file = () => upload(manager);
  expect((await register(manager, id, { type: 'suspend', reason: '停工', file: await file() })).data.stage).toBe(50);
  expect((await one(id)).performance[0]!.state).toBe(0);
  expect((await pay(id, 100)).msg).toBe('合同“中止”，现在不能办理履约登记；请核对合同阶段');
  expect((await register(manager, id, { type: 'resume', reason: '复工', file: await file() })).data.stage).toBe(30);
  expect((await pay(id, 100)).code).toBe(0);
  const settlement = [{ direction: 1, amount: 50, until: inDays(10) }];
  const end = { type: 'terminate', reason: '对方违约', date: inDays(0), settlement, file: await file() };
  const ended = await register(manager, id, end);
  expect(ended.data).toMatchObject({ stage: 60, notes: ['解除时有 1 个节点拖欠：合同款。'] });
  const after = (await one(id)).performance;
  expect(after.map((row) => [row.name, row.state])).toEqual([
    ['合同款', 5],
    ['解除结算', 0],
  ]);
  expect((await pay(id, 10)).msg).toBe('履约节点不存在、已取消或不属于这份合同，请重新选择');
  const row = { kind: 1, name: '另付', plan_date: inDays(0) };
  expect((await pay(id, 10, { performance_id: undefined, row })).msg).toBe('合同已解除，只能登记结算中列明的款项');
  const settled = { performance_id: after[1]!.id };
  expect((await pay(id, 51, settled)).msg).toContain('超出尚可登记的 50.00 元');
  expect((await pay(id, 50, settled)).code).toBe(0);
});

test('signed facts change only by registering a signed supplement, and registering it twice changes nothing', async () => {
  const id = await running();
  for (const set of ['amount = 9', "sign_date = '2020-01-01'", 'signed_file_id = null', "end_date = '2040-01-01'"])
    await expect(house.sql(`update contract set ${set} where id = $1`, [id])).rejects.toThrow(/is signed/);
  await expect(house.sql("update contract_side set name = '别家' where contract_id = $1", [id])).rejects.toThrow(
    /signed/,
  );
  expect((await author.ask(contracts.update, { params: { id }, body: { amount: 1 } as never })).code).toBe(4010);
  const plans = [{ kind: 1, name: '合同款', plan_date: inDays(60), plan_amount: 1500 }];
  const draft = await write({ nature: 3, parent_id: id, name: '增购', amount: 1500, plans, end_date: inDays(500) });
  const change = { type: 'change', supplement_id: draft, reason: '增购' };
  expect((await register(manager, id, change)).msg).toBe(
    '补充协议“起草审批”，签订之后才能据以变更；请先登记补充协议的签订',
  );
  expect((await house.ask(author, { nature: 3, parent_id: id, plans: [], submit: true })).msg).toContain(
    '已有补充协议“增购”在办理',
  );
  await sign(await approve(draft));
  expect((await one(draft)).contract_no).toBe(`${(await one(id)).contract_no}-补1`);
  const twice = await Promise.all([register(manager, id, change), register(manager, id, change)]);
  expect(codes(twice)).toEqual([-1, 0]);
  const changed = await one(id);
  expect(changed).toMatchObject({ amount: 1500, end_date: inDays(500), term_end: inDays(500) });
  expect(changed.performance.map((row) => [row.plan_amount, row.state])).toEqual([
    [1000, 5],
    [1500, 0],
  ]);
  const [said] = await manager.get(registerCalls.registrations, { params: { id } });
  expect(said!.changes.map((row) => [row.label, row.before, row.after])).toEqual([
    ['合同金额', 1000, 1500],
    ['结束日期', inDays(300), inDays(500)],
  ]);
});

test('the database refuses to change number, direction, stage, sums and reversals without a registered event', async () => {
  const [id, other] = [await running(), await running()];
  const paid = await pay(id, 400);
  const { entry_id } = paid.data as { entry_id: number };
  const [mine] = (await one(id)).performance;
  const [theirs] = (await one(other)).performance;
  const refused: [statement: string, why: RegExp][] = [
    [`update contract set contract_no = 'X-1' where id = ${id}`, /keeps the number/],
    [`update contract set pay_direction = 2 where id = ${id}`, /is signed/],
    [`update contract set stage = 40 where id = ${id}`, /was not registered/],
    [`update contract set paid = 0 where id = ${id}`, /not what its entries come to/],
    [`update contract set reduced = 100 where id = ${id}`, /owes what was agreed/],
    [`update contract set open_disputes = 1 where id = ${id}`, /not what was registered/],
    [`update contract set term_end = '2030-01-01' where id = ${id}`, /not its last/],
    [`update contract_performance set done_amount = 0 where id = ${mine!.id}`, /not what its entries come to/],
    [`update contract_performance set kind = 6, direction = null where id = ${mine!.id}`, /has entries/],
  ];
  const back = (contract: number, row: number, amount: number) =>
    `insert into contract_entry (contract_id, performance_id, date, amount, reverses_id)
      values (${contract}, ${row}, current_date, ${amount}, ${entry_id})`;
  refused.push(
    [back(id, mine!.id, -1), /not what is taken back/],
    [back(other, theirs!.id, -400), /not what is taken back/],
    [
      `insert into contract_entry (contract_id, performance_id, date, amount) values (${other}, ${mine!.id}, current_date, 1)`,
      /row of another/,
    ],
    [
      `insert into contract_performance (contract_id, kind, direction, name, plan_date, handler, done_amount, entries)
      values (${id}, 1, 1, '已付', current_date, ${author.userId}, 10, 1)`,
      /not what its entries come to/,
    ],
  );
  for (const [statement, why] of refused) await expect(house.sql(statement), statement).rejects.toThrow(why);
  expect(await one(id)).toMatchObject({ stage: 30, paid: 400, unpaid: 600 });
  const draft = await write();
  await expect(
    house.sql('update contract set stage = 20, contract_no = $2 where id = $1', [draft, 'X-2']),
  ).rejects.toThrow(/keeps the number/);
});

test('of two reversals of one payment, and of voiding, approving and signing at once, one succeeds', async () => {
  const id = await running();
  const paid = await pay(id, 500);
  const back = { type: 'reverse', entry_id: paid.data.entry_id, reason: '重复付款' };
  expect(codes(await Promise.all([register(manager, id, back), register(manager, id, back)]))).toEqual([-1, 0]);
  expect(await one(id)).toMatchObject({ paid: 0, unpaid: 1000 });
  const other = await approve(await write());
  const copies = { copies_total: 2, copies_kept: 1, keeper: manager.userId };
  const signing = { type: 'sign', sign_date: inDays(0), signed_file: await upload(author), authority: 1, ...copies };
  const both = await Promise.all([
    register(author, other, signing),
    register(manager, other, { type: 'void', reason: '不签了' }),
  ]);
  expect(both.filter((answer) => answer.code === 0).length).toBe(1);
  expect([30, 90]).toContain((await one(other)).stage);
  const racing = await running();
  const cut = await supplement(racing, { amount: 1000 });
  const mixed = await Promise.all([
    pay(racing, 1000),
    register(manager, racing, { type: 'change', supplement_id: cut, reason: '续' }),
  ]);
  expect(codes(mixed)).toEqual([0, 0]);
});

test('the signed file must be a scan: a spreadsheet or plain text is refused', async () => {
  const id = await approve(await write());
  const copies = { copies_total: 2, copies_kept: 1, keeper: manager.userId };
  const signing = { type: 'sign', sign_date: inDays(0), authority: 1, ...copies };
  const refused = '“签署稿.txt”不是签字盖章的原件，请上传扫描的 PDF、OFD 或图片';
  const words = () => upload(author, '签署稿.txt');
  const scan = () => upload(author);
  expect((await register(author, id, { type: 'party', file: await words() })).msg).toBe(refused);
  expect((await register(author, id, { ...signing, signed_file: await words() })).msg).toBe(refused);
  const letter = { authority: 2, authority_file: await words() };
  expect((await register(author, id, { ...signing, signed_file: await scan(), ...letter })).msg).toBe(refused);
  expect((await one(id)).stage).toBe(20);
  expect((await register(author, id, { ...signing, signed_file: await scan() })).msg).toBe('登记成功');
});

test('a node is moved, split or cancelled with a reason, and the plan still adds up to the amount', async () => {
  const id = await running();
  const row = (await one(id)).performance[0]!;
  const change = (body: object, who = author, rowId = row.id) =>
    who.ask(performanceCalls.changePerformance, {
      params: { id: rowId },
      body: { reason: '对方延期', ...body } as never,
    });
  expect((await change({ plan_amount: 400 })).msg).toContain('计划合计 400.00 元与合同金额 1,000.00 元不等');
  expect((await change({ plan_amount: 400, rest_date: inDays(90) })).code).toBe(0);
  const rows = (await one(id)).performance;
  expect(rows.map((each) => each.plan_amount)).toEqual([400, 600]);
  expect((await change({ plan_date: inDays(5) }, outsider)).code).toBe(4004);
  expect((await change({ plan_date: inDays(5) }, finance)).msg).toBe('履约计划由承办人或合同管理员调整');
  expect((await pay(id, 100)).code).toBe(0);
  expect((await change({ cancel: true })).msg).toBe('节点已有登记，不能取消；请先冲销登记');
  const days = { start: inDays(-40), end: inDays(120) };
  expect(await head.get(performanceCalls.performanceDays, { query: days })).toEqual(
    expect.arrayContaining([expect.objectContaining({ out: 600, count: 1, overdue: 0 })]),
  );
  const list = await finance.get(performanceCalls.performances, { query: { contract_id: id } });
  expect(list.value.map((each) => [each.name, each.state, each.done_amount])).toEqual([
    ['合同款', 2, 100],
    ['合同款', 0, 0],
  ]);
});

test('a person named for a node is offered and may register only that node of the contract', async () => {
  const plans = [1, 2].map((no) => ({ kind: 1, name: `第 ${no} 笔`, plan_date: inDays(5), plan_amount: 500 }));
  const id = await running({ plans });
  const [first, second] = (await one(id)).performance;
  const handler = outsider.userId;
  const named = { params: { id: first!.id }, body: { handler, reason: '委托办理' } as never };
  expect((await author.ask(performanceCalls.changePerformance, named)).code).toBe(0);
  const seen = await one(id, outsider);
  expect(seen.performance.map((row) => row.actions)).toEqual([['register'], []]);
  expect(seen.registrable).toEqual([]);
  const voucher = await upload(outsider);
  const entry = { type: 'performance', amount: 200, date: inDays(0), files: [voucher], voucher_no: '委托1' };
  expect((await register(outsider, id, { ...entry, performance_id: second!.id })).msg).toContain('节点办理人');
  expect((await register(outsider, id, { ...entry, performance_id: first!.id })).code).toBe(0);
  expect((await one(id)).paid).toBe(200);
});

test('paid, done and open sums equal a fresh sum of the entries', async () => {
  const id = await running({ plans: [{ kind: 1, name: '首款', plan_date: inDays(3), plan_amount: 1000 }] });
  await manager.ask(registerCalls.register, {
    params: { id },
    body: {
      type: 'performance',
      row: { kind: 3, name: '验收', plan_date: inDays(0) },
      date: inDays(0),
      accept_result: 1,
    } as never,
  });
  const { data: paid } = await pay(id, 300);
  await pay(id, 450);
  await register(manager, id, {
    type: 'reverse',
    entry_id: (paid as { entry_id: number }).entry_id,
    reason: '金额填错',
  });
  expect(await one(id)).toMatchObject({ paid: 450, unpaid: 550, nodes: 2, nodes_done: 1 });
  const accepted = (await one(id)).entries.find((entry) => entry.amount === null)!;
  await register(manager, id, { type: 'reverse', entry_id: accepted.id, reason: '验收有误' });
  expect(await one(id)).toMatchObject({ nodes_done: 0 });
  const { rows } = await house.sql(`
    select 'row' as what, p.id from contract_performance p cross join lateral (select coalesce(sum(e.amount), 0) as done, count(*) as entries,
        count(*) filter (where e.reverses_id is null and not exists (select from contract_entry r where r.reverses_id = e.id)) as holding,
        count(*) filter (where e.reverses_id is null and e.accept_result is distinct from 2
          and not exists (select from contract_entry r where r.reverses_id = e.id)) as accepted
      from contract_entry e where e.performance_id = p.id) anew
      where (p.done_amount, p.entries, p.holding, p.accepted) is distinct from (anew.done, anew.entries, anew.holding, anew.accepted)
    union all select 'paid', c.id from contract c where c.paid is distinct from (select coalesce(sum(e.amount), 0) from contract_entry e
      join contract_performance p on p.id = e.performance_id where e.contract_id = c.id and p.kind = c.pay_direction)
    union all select 'term', c.id from contract c left join lateral (select t.no, t.end_date from contract_term t where t.contract_id = c.id
      order by t.no desc limit 1) last on true
      where (c.term_no, c.term_end) is distinct from (last.no, case when last.no is null then c.end_date else last.end_date end)`);
  expect(rows).toEqual([]);
});

test('the calendar shows an overdue payment until its contract is suspended, by day and by month', async () => {
  const id = await running({ plans: [{ kind: 1, name: '旧款', plan_date: inDays(-400), plan_amount: 1000 }] });
  const days = { start: inDays(-400), end: inDays(-400) };
  const shown = async (by: 'day' | 'month') =>
    (await head.get(performanceCalls.performanceDays, { query: { ...days, by } })).map(
      ({ day: _day, ...sums }) => sums,
    );
  const expected = { in: 0, out: 1000, due_in: 0, due_out: 1000, count: 1, overdue: 1 };
  expect([await shown('day'), await shown('month')]).toEqual([[expected], [expected]]);
  const resting = await register(manager, id, { type: 'suspend', reason: '停工', file: await upload(manager) });
  expect(resting.msg).toBe('登记成功');
  expect(await shown('day')).toEqual([{ ...expected, due_out: 0, overdue: 0 }]);
});

test('a supplement is performed on its main contract only, has no supplement itself, and its amount counts once', async () => {
  const id = await running();
  const plans = [{ kind: 1, name: '合同款', plan_date: inDays(60), plan_amount: 1500 }];
  const more = await supplement(id, { amount: 1500, plans });
  const row = { kind: 1, name: '另付', plan_date: inDays(5), plan_amount: 100 };
  const paid = await register(finance, more, {
    type: 'performance',
    row,
    date: inDays(0),
    amount: 100,
    files: [await upload(finance)],
  });
  expect(paid.msg).toContain('补充协议不单独办理');
  expect((await one(more)).actions).not.toContain('performance');
  const below = await house.ask(author, { nature: 3, parent_id: more, plans: [] });
  expect(below).toMatchObject({ status: 200 });
  expect(below.code).not.toBe(0);
});

test('a supplement without money extends without changing the amount; one of the other direction or an earlier date is refused', async () => {
  const id = await running();
  const none = { pay_direction: 3, amount: 0 };
  const longer = await supplement(id, { ...none, end_date: inDays(700) });
  const applied = { type: 'change', supplement_id: longer, reason: '延期' };
  expect((await register(manager, id, applied)).msg).toBe('登记成功');
  expect(await one(id)).toMatchObject({ amount: 1000, unpaid: 1000, end_date: inDays(700) });
  const sent = async (more: object) =>
    (await house.ask(author, { nature: 3, parent_id: id, name: '再变更', plans: [], submit: true, ...more })).msg;
  const plans = [{ kind: 2, name: '收回', plan_date: inDays(60), plan_amount: 99 }];
  expect(await sent({ pay_direction: 2, amount: 99, plans })).toContain('主合同为“支出”，请选“支出”');
  expect(await sent({ ...none, plans })).toContain('“无金额”不变更金额和履约计划');
  expect(await sent({ ...none, start_date: null, end_date: '2020-01-01' })).toContain('早于主合同的开始日期');
  const draft = await write({ nature: 3, parent_id: id, name: '反向', pay_direction: 2, plans: [], submit: false });
  await expect(house.sql('update contract set act_state = 1 where id = $1', [draft])).rejects.toThrow(/does not fit/);
});

test('a framework’s cap cannot go below its call-offs, and a supplement without money leaves it unchanged', async () => {
  const frame = await running({ nature: 2, amount: 0, amount_cap: 5000, plans: [] });
  await write({
    parent_id: frame,
    amount: 3000,
    plans: [{ kind: 1, name: '款', plan_date: inDays(9), plan_amount: 3000 }],
  });
  const sent = await house.ask(author, { nature: 3, parent_id: frame, amount: 2000, plans: [], submit: true });
  expect(sent.msg).toContain('变更后的框架上限 2,000.00 元少于框架已占用的 3,000.00 元');
  const longer = await supplement(frame, { pay_direction: 3, amount: 0, end_date: inDays(700) });
  expect((await register(manager, frame, { type: 'change', supplement_id: longer, reason: '延期' })).code).toBe(0);
  expect(await one(frame)).toMatchObject({ amount_cap: 5000, end_date: inDays(700) });
});

test('a termination settlement is limited to the remaining amount, and money coming back to what was paid plus the amount', async () => {
  const id = await running();
  expect((await pay(id, 400, { files: [await upload(finance)] })).code).toBe(0);
  const end = (amount: number, direction = 1) =>
    upload(manager).then((file) =>
      register(manager, id, {
        type: 'terminate',
        reason: '对方违约',
        date: inDays(0),
        settlement: [{ direction, amount, until: inDays(10) }],
        file,
      }),
    );
  expect((await end(601)).msg).toBe('结算合计 601.00 元，超出合同金额中尚未登记的 600.00 元，请核对结算清单');
  expect((await end(1400.01, 2)).msg, 'all that was paid, and damages of the whole amount').toBe(
    '结算中与合同收付相反的款项合计 1,400.01 元，超出已登记的金额与合同金额之和 1,400.00 元，请核对结算清单',
  );
  expect((await end(600)).code).toBe(0);
});

test('a dispute stays open until its outcome is registered once, and until then blocks completion and archiving', async () => {
  const name = `争议相对方${Date.now()}`;
  const id = await running({ parties: [{ name }] });
  const claimed = { type: 'dispute', claimant: 2, reason: '验收标准有异议', amount: 400 };
  expect((await register(house.outsider, id, claimed)).code).toBe(4004);
  expect((await register(author, id, claimed)).code).toBe(0);
  expect((await register(manager, id, { ...claimed, claimant: 1, reason: '交货迟延', amount: null })).code).toBe(0);
  expect(await house.told(house.legal)).toContain('合同有变动：打印纸采购合同');
  const [first, second] = (await one(id)).disputes;
  expect([first?.reason, second?.reason]).toEqual(['验收标准有异议', '交货迟延']);
  expect((await house.ledger({ quick: 'disputed' })).value.map((row) => row.id)).toContain(id);

  // The undisputed part is still payable.
  expect((await pay(id, 1000)).code).toBe(0);
  const refused = (count: number, what: string) => `合同有 ${count} 项争议没有了结，不能办理${what}；请先登记争议了结`;
  expect((await register(manager, id, { type: 'finish' })).msg).toBe(refused(2, '履行完毕'));
  const settled = { type: 'dispute_end', way: 2, reason: '按原标准验收', dispute_id: first!.id };
  const ends = await Promise.all([register(manager, id, settled), register(author, id, settled)]);
  expect(ends.map((answer) => answer.code === 0).toSorted()).toEqual([false, true]);
  expect(ends.find((answer) => answer.code !== 0)?.msg).toContain('争议不存在、已经了结');
  const parties = await manager.get(contractParties.parties, { query: { search_value: name } });
  expect(parties.value[0]).toMatchObject({ disputes: 2, open_disputes: 1 });

  const other = await running();
  expect((await register(manager, other, { ...settled, dispute_id: second!.id })).msg).toContain('不属于这份合同');
  await expect(
    house.sql(
      "insert into contract_event (contract_id, type, from_stage, to_stage, dispute_id) values ($1, 'dispute_end', 30, 30, $2)",
      [other, second!.id],
    ),
  ).rejects.toThrow(/has no dispute/);
  expect((await register(manager, id, { ...settled, dispute_id: second!.id, way: 3 })).code).toBe(0);
  expect((await one(id)).registrable).not.toContain('dispute_end');
  expect((await register(manager, id, { type: 'finish' })).code).toBe(0);
  // A warranty can be disputed after everything was performed.
  expect((await register(author, id, claimed)).code).toBe(0);
  const boxed = { type: 'archive', archive_no: `D-${id}`, location: '柜', retention: '30年' };
  expect((await register(manager, id, boxed)).msg).toBe(refused(1, '归档'));
  await expect(house.sql('update contract set stage = 80 where id = $1', [id])).rejects.toThrow(/contract_disputes/);
});

test('a registered entry that was reversed leaves its node, which may be moved and cancelled again', async () => {
  const id = await running();
  const { data } = await pay(id, 400);
  await register(manager, id, {
    type: 'reverse',
    entry_id: (data as { entry_id: number }).entry_id,
    reason: '登记错合同',
  });
  const [row] = (await one(id)).performance;
  expect(row!.actions).toEqual(expect.arrayContaining(['edit']));
  expect(row!.actions).not.toContain('delete');
  const kept = await manager.ask(performanceCalls.removePerformance, { params: { id: row!.id } });
  expect(kept.msg).toContain('须留存备查');
  const body = { reason: '分两次付', plan_amount: 300, rest_date: inDays(60) };
  const moved = await author.ask(performanceCalls.changePerformance, { params: { id: row!.id }, body: body as never });
  expect(moved.msg).not.toContain('请先冲销');
  expect((await one(id)).performance.map((each) => each.plan_amount)).toEqual([300, 700]);
});

test('a partly paid node is reduced to its paid amount by moving the rest to another day or by an audit', async () => {
  const id = await running();
  expect((await pay(id, 900)).code).toBe(0);
  const [row] = (await one(id)).performance;
  const change = (body: object) =>
    author.ask(performanceCalls.changePerformance, {
      params: { id: row!.id },
      body: { reason: '结算审计', ...body } as never,
    });
  expect((await change({ plan_amount: 899, audited: true })).msg).toBe(
    '计划金额 899.00 元少于节点已登记的 900.00 元，最少改为已登记的金额',
  );
  expect((await change({ plan_amount: 950 })).msg).toContain('选择“审减”');
  expect((await change({ plan_amount: 1100, audited: true })).msg).toContain('审减是把收付款节点的计划金额改小');
  expect((await change({ plan_amount: 950, audited: true })).msg).toBe('履约节点已调整');
  const cut = await one(id);
  expect(cut).toMatchObject({ amount: 1000, reduced: 50, paid: 900, unpaid: 50 });
  expect(cut.performance).toMatchObject([{ plan_amount: 950, done_amount: 900 }]);
  expect((await pay(id, 51)).msg).toContain('超出尚可登记的 50.00 元');
  expect((await pay(id, 50)).code).toBe(0);
  expect(await one(id)).toMatchObject({ unpaid: 0, nodes_done: 1 });
  expect((await house.ledger({ quick: 'unpaid' })).value.map((each) => each.id)).not.toContain(id);
});

test('a supplement may reduce a partly paid node to the amount already paid', async () => {
  const id = await running();
  expect((await pay(id, 900)).code).toBe(0);
  const less = await supplement(id, { amount: 950, plans: [] });
  const changed = await register(manager, id, { type: 'change', supplement_id: less, reason: '审减' });
  expect(changed.data.notes).toEqual(['履约计划已按变更后的金额调整：合同款 计划金额由 1,000.00 元改为 950.00 元。']);
  expect((await one(id)).performance.map((row) => row.plan_amount)).toEqual([950]);
  expect(await one(id)).toMatchObject({ amount: 950, unpaid: 50 });
});

test('a payment reversed after a termination is not owed again, and the plan of the ended contract stays', async () => {
  const id = await running();
  const { data } = await pay(id, 1000);
  const settlement = [{ direction: 1, amount: 0, until: inDays(5) }];
  const ending = { type: 'terminate', reason: '供方破产', date: inDays(0), file: await upload(manager) };
  expect((await register(manager, id, { ...ending, settlement })).msg).toContain('结算金额须大于 0');
  expect((await register(manager, id, { ...ending, settlement: [] })).code).toBe(0);
  const taken = { type: 'reverse', entry_id: (data as { entry_id: number }).entry_id, reason: '款项退回' };
  expect((await register(manager, id, taken)).code).toBe(0);
  const [row] = (await one(id)).performance;
  expect(row).toMatchObject({ state: 5, actions: [] });
  const removed = await manager.ask(performanceCalls.removePerformance, { params: { id: row!.id } });
  expect(removed.msg).toContain('履约计划不能再调整');
  const [ended] = await manager
    .get(registerCalls.registrations, { params: { id } })
    .then((all) => all.filter((each) => each.type === 'terminate'));
  expect(ended!.changes.map((each) => [each.label, each.after])).toEqual([['解除日期', inDays(0)]]);
});

test('payments on a framework itself and the amounts of its call-offs together stay within the cap', async () => {
  const framework = { nature: 2, name: '维修框架', amount: 0, amount_cap: 1000, plans: [] };
  const id = await sign(await approve(await write(framework)));
  const row = { kind: 1, name: '零星维修', plan_date: inDays(0) };
  const direct = async (amount: number) =>
    register(manager, id, {
      type: 'performance',
      row,
      date: inDays(0),
      amount,
      files: [await upload(manager)],
    });
  expect((await direct(900)).code).toBe(0);
  const call = { nature: 1, parent_id: id, name: '框架下订单', submit: true };
  expect((await house.ask(author, { ...call, amount: 600 })).msg).toContain('100.00');
  expect((await house.ask(author, { ...call, amount: 100 })).code).toBe(0);
  expect((await direct(50)).msg).toContain('0.00');
});

test('a payment is reported even if its id equals that of a supplement reported just before', async () => {
  const id = await running();
  const next = (table: string, number: number) =>
    house.sql(`select setval(pg_get_serial_sequence($1, 'id'), $2::int - 1)`, [table, number]);
  await next('contract', 900_001);
  const longer = await supplement(id, { pay_direction: 3, amount: 0, end_date: inDays(700) });
  expect((await register(manager, id, { type: 'change', supplement_id: longer, reason: '延期' })).code).toBe(0);
  await next('contract_entry', longer);
  expect((await pay(id, 100)).data).toMatchObject({ entry_id: longer });
  const { rows } = await house.sql(
    `select m.content from msg m join msg_user r on r.msg_id = m.id
      where m.module = 'contracts' and m.object_id = $1 and m.event = 'CONTRACT_CHANGED' and r.user_id = $2 order by m.id`,
    [id, author.userId],
  );
  expect(rows.map(({ content }: { content: string }) => content).slice(-2)).toEqual([
    expect.stringContaining('已登记变更'),
    expect.stringContaining('登记了“合同款 100.00 元”'),
  ]);
});
