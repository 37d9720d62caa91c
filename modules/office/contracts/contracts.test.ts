import { afterAll, expect, test } from 'vitest';
import { keepsFirst, sentBackTwice } from '#modules/workflow/records/testing/keeping.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { contractCategories } from './contract/categories.ts';
import { contracts } from './contract/contracts.ts';
import { openContracts, inDays } from './testing/house.ts';

const house = await openContracts();
const { app, author, head, legal, manager, finance, outsider, write, one, approve, decide, sign, register } = house;
afterAll(app.close);

test('a contract is drafted, approved by the people it asks for, and numbered with the last approval', async () => {
  const id = await write();
  expect(await one(id, author)).toMatchObject({
    stage: 10,
    act_state: 1,
    contract_no: '',
    state_name: '部门负责人审核',
  });
  await approve(id);
  const through = await one(id, author);
  expect(through.contract_no).toMatch(/CG-\d{4}-0001$/);
  expect(through).toMatchObject({ stage: 20, act_state: 4 });
  expect(await house.told(author)).toContain('合同待签订：打印纸采购合同');
});

test('the office can read all tickets but, without a right on contracts, no contract and none of its files', async () => {
  const office = await app.signIn(await app.person({ alias: '党政办', roles: ['staff', 'office_admin'] }));
  const id = await house.running({ name: '金丝雀采购合同' });
  const voucher = await house.upload(finance, '凭证.pdf');
  expect((await house.pay(id, 400, { files: [voucher] })).code).toBe(0);
  expect((await office.ask(contracts.get, { params: { id } })).code).toBe(4004);
  expect((await office.get(contracts.list, { query: { search_value: '金丝雀' } })).total).toBe(0);
  const all = await office.get(tickets.list, { query: { category: 'all', search_value: '金丝雀' } });
  expect(all.value.map((row) => [row.title, row.record_path])).toEqual([['金丝雀采购合同', null]]);
  const detail = (await office.get(tickets.get, { params: { id: all.value[0]!.id } })).value;
  expect([detail.field_list, detail.record_closed]).toEqual([[], true]);
  const bytes = async (who: typeof office) =>
    (await who.fetch(`/api/file/${voucher}/`)).headers.get('content-type')?.includes('pdf');
  expect([await bytes(manager), await bytes(office)]).toEqual([true, false]);
});

test('the home page shows for a waiting contract its workflow and amount', async () => {
  const id = await write({ name: '报告厅座椅采购合同', amount: 12_000 });
  const { value } = await head.get(waiting.list, { query: { per_page: 100 } });
  const row = value.find((one) => one.web_path === `/contract/detail/${id}`);
  expect(row).toMatchObject({ title: '报告厅座椅采购合同', what: expect.stringMatching(/^合同\S* · 12,000\.00 元$/) });
});

test('a contract submitted with required parts missing is refused, and its plan must add up to the amount', async () => {
  const saved = await house.ask(author, { parties: [], our_party: '', plans: [], submit: false });
  expect(saved.code).toBe(0);
  const again = await author.ask(contracts.again, { params: { id: saved.data.id }, body: {} as never });
  expect(again.msg).toBe('我方：请填写；相对方：请至少填写一个相对方');
  const off = { plans: [{ kind: 1, name: '款', plan_date: inDays(1), plan_amount: 999.99 }], submit: true };
  expect((await house.ask(author, off)).msg).toBe('履约计划：计划合计 999.99 元与合同金额 1,000.00 元不等，请核对');
});

test('a character that no font has is reported before a contract is submitted, by its field and party', async () => {
  const rare = '\u{3FFFD}';
  const asked: [more: object, field: string, label: string][] = [
    [{ name: `${rare}采购合同` }, 'name', '合同名称'],
    [{ our_party: `${rare}大学` }, 'our_party', '我方'],
    [{ parties: [{ name: '晨光文具有限公司' }, { name: `${rare}文具店` }] }, 'parties', '相对方第 2 项'],
    [{ content: `<p>由${rare}经办。</p>` }, 'content', '合同文本'],
  ];
  for (const [more, field, label] of asked) {
    const refused = await house.ask(author, { ...more, submit: true });
    expect(refused.code, label).toBe(4000);
    expect(refused.data).toMatchObject({ errors: [{ field, label }] });
    expect(refused.msg).toContain(`${label}：“${rare}”没有可用的字体`);
    expect((await house.ask(author, { ...more, submit: false })).code, 'a draft is kept').toBe(0);
  }
});

test('a copied contract has no number, date, signature, stage or payment', async () => {
  const id = await house.running();
  await house.pay(id, 400);
  const { id: _id, ticket_id: _ticket, version: _version, ...all } = await one(id, author);
  const copy = (await author.get(contracts.create, { body: { ...all, submit: false } as never })).id;
  const made = await one(copy, author);
  expect(made).toMatchObject({ name: all.name, amount: 1000, contract_no: '', stage: 10, sign_date: null, paid: 0 });
  expect([made.performance, made.entries, made.terms, made.signed_file_info]).toEqual([[], [], [], null]);
});

test('updating a contract category keeps the fields that are not sent, and only a category without contracts is deleted', async () => {
  const { id } = await manager.get(contractCategories.add, {
    body: { name: '试行类别', code: 'SXLB', need_legal: true } as never,
  });
  const params = { id: id! };
  const found = async () => (await author.get(contractCategories.list)).find((row) => row.id === id);
  expect((await manager.ask(contractCategories.change, { params, body: { name: '试行类别甲' } as never })).code).toBe(
    0,
  );
  expect(await found()).toMatchObject({ name: '试行类别甲', code: 'SXLB', need_legal: true, count: 0 });
  const drop = (who = manager) => who.ask(contractCategories.remove, { params });
  expect((await drop(author)).code).toBe(4003);
  const draft = (await house.ask(author, { category_id: id })).data as { id: number };
  expect((await drop()).code).toBe(-1);
  expect((await author.ask(contracts.remove, { params: { id: draft.id } })).code).toBe(0);
  expect((await drop()).code).toBe(0);
  expect(await found()).toBeUndefined();
});

test('approvers hear that a contract they approved was refused, restored or voided, with the reason', async () => {
  const id = await approve(await write({ name: '桌椅采购合同' }), '财务审核');
  await decide(finance, id, false, { suggestion: '预算未批' });
  expect(await one(id, author)).toMatchObject({ act_state: 2, stage: 10 });
  const heard = async () => {
    const { rows } = await app.db.execute<{ content: string }>(
      `select m.content from msg m join msg_user u on u.msg_id = m.id where m.event = 'CONTRACT_CHANGED' and m.object_id = ${id} and u.user_id = ${head.userId} order by m.id` as never,
    );
    return rows.map((row) => row.content);
  };
  const sentBack = '您同意过的《桌椅采购合同》被退回。原因：预算未批';
  expect(await heard()).toEqual([sentBack]);
  // And that it goes on, where the return itself is taken back.
  const { ticket_id } = await one(id, author);
  const taken = { params: { id: ticket_id! }, body: { suggestion: '预算已批' } };
  expect((await finance.ask(ticketActions.retreat, taken)).code).toBe(0);
  const goesOn = '您同意过的《桌椅采购合同》恢复审批。原因：预算已批';
  expect(await heard()).toEqual([sentBack, goesOn]);
  await decide(finance, id, false, { suggestion: '预算未批' });
  expect(await heard()).toEqual([sentBack, goesOn, sentBack]);
  expect((await author.ask(contracts.again, { params: { id }, body: {} as never })).code).toBe(0);
  await approve(id);
  expect((await register(manager, id, { type: 'void', reason: '项目取消' })).data.stage).toBe(90);
  expect(await one(id)).toMatchObject({ stage: 90, act_state: 5 });
  const { rows } = await house.sql('select state, reason from contract_number where contract_id = $1', [id]);
  expect(rows).toEqual([{ state: 3, reason: '项目取消' }]);
});

test('the legal opinion stays on the contract, and after the signature no action of its ticket is undone', async () => {
  const id = await write({ amount: 60_000, name: '服务器采购合同' });
  await approve(id, '法务审核');
  if ((await one(id)).state_name === '法务审核') await decide(legal, id, true);
  await sign(await approve(id));
  const { ticket_id, actions } = await one(id);
  expect(actions).not.toContain('revoke');
  const answer = await register(manager, id, { type: 'void', reason: '不要了' });
  expect(answer.msg).toBe('合同“履行中”，现在不能办理作废；请核对合同阶段');
  expect(ticket_id).toBeGreaterThan(0);
});

test('payments on a contract’s page are visible to those who see it in the list, and list counts equal the rows', async () => {
  const id = await house.running({ name: '清洁服务合同' });
  expect((await house.pay(id, 300)).code).toBe(0);
  const page = await one(id, finance);
  expect(page.entries.map((row) => row.amount)).toEqual([300]);
  expect(page).toMatchObject({ paid: 300, unpaid: 700, nodes: 1, nodes_done: 0 });
  expect(await house.listed(finance)).toContain(id);
  expect(await house.listed(outsider)).not.toContain(id);
  const { counts } = await house.ledger();
  for (const [quick, count] of Object.entries(counts))
    expect([quick, (await house.ledger({ quick })).total]).toEqual([quick, count]);
});

test('a contract resubmitted unchanged needs no new approval; one with a visible change does, and the approver is shown it', async () => {
  await keepsFirst(app, 'contract_approval');
  const id = await write({ amount: 60_000, name: '档案柜采购合同' });
  const told = await sentBackTwice({
    ticket: (await one(id)).ticket_id!,
    first: head,
    second: finance,
    again: (more) => author.ask(contracts.again, { params: { id }, body: more as never }),
    change: { parties: [{ name: '远帆家具有限公司' }] },
  });
  expect(told).toEqual([['相对方', expect.stringMatching(/^共 1 项/), expect.stringMatching(/^共 1 项/)]]);
});
