import { sql as written } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { alike, plainly } from '#kernel/contract/words/plainly.ts';
import { plainSql } from '#kernel/server/db/columns.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { contracts } from './contract/contracts.ts';
import { contractNumbers } from './contract/numbers.ts';
import { contractParties, hasCheckDigit } from './contract/parties.ts';
import { contractRuleCalls } from './contract/rules.ts';
import { contractStatistics } from './contract/statistics.ts';
import { openContracts, inDays } from './testing/house.ts';

const house = await openContracts();
const { app, author, finance, manager, outsider, legal, write, one, approve, running, register, sql } = house;
afterAll(app.close);

const code = '91350100M000100Y43';
const partyOf = async (words: string) =>
  (await author.get(contractParties.partyOptions, { query: { search_value: words } }))[0]!;
const detail = async (id: number, who = manager, query: object = {}) =>
  (await who.get(contractParties.party, { params: { id }, query })).value;
const save = (id: number, body: object, who = manager) =>
  who.ask(contractParties.saveParty, { params: { id }, body: body as never });

test('a credit code is checked by its check digit according to the standard', async () => {
  expect(hasCheckDigit(code)).toBe(true);
  for (const wrong of ['91350100M000100Y44', '91350100M000100Y4', '91350100I000100Y43', ''])
    expect([wrong, hasCheckDigit(wrong)]).toEqual([wrong, false]);
  const refused = await house.ask(author, { parties: [{ name: '甲', credit_code: '91350100M000100Y44' }] });
  expect([refused.code, refused.msg]).toEqual([4000, expect.stringContaining('末位为校验码')]);
});

test('a company is one party however its name is typed, and one code cannot belong to two companies', async () => {
  const [first, second] = await Promise.all([
    write({ parties: [{ name: 'ＡＢＣ 科技（北京）有限公司', credit_code: code }] }),
    write({ parties: [{ name: 'abc科技(北京)有限公司', credit_code: code }] }),
  ]);
  const { rows } = await sql('select count(distinct party_id)::int n from contract_side where contract_id = any($1)', [
    [first, second],
  ]);
  expect(rows).toEqual([{ n: 1 }]);
  expect((await partyOf('ABC')).credit_code).toBe(code);
  const other = await house.ask(author, { parties: [{ name: '另一家公司', credit_code: code }] });
  expect(other.msg).toContain(`统一社会信用代码 ${code} 属于相对方`);
});

test('a contract with a banned party cannot be submitted until the ban ends; a suspended party only causes a warning', async () => {
  const side = { parties: [{ name: '失信公司' }] };
  const draft = (await house.ask(author, { ...side, submit: false })).data.id;
  const { id } = await partyOf('失信');
  expect((await save(id, { standing: 2 })).msg).toBe('暂停或禁止相对方须填写原因');
  expect((await save(id, { standing: 2 }, author)).code).toBe(4003);
  await save(id, { standing: 2, standing_reason: '拒不供货', standing_until: inDays(30) });
  const refused = await author.ask(contracts.again, { params: { id: draft }, body: {} as never });
  expect(refused.msg).toBe(`相对方“失信公司”已被禁止签约（至 ${inDays(30)}），请更换相对方，或向合同管理员了解原因`);
  await sql('update contract_party set standing_until = $1 where id = $2', [inDays(-1), id]);
  expect((await partyOf('失信')).standing).toBe(0);
  expect((await author.ask(contracts.again, { params: { id: draft }, body: {} as never })).code).toBe(0);
  await save(id, { standing: 1, standing_reason: '整改中', standing_until: null });
  expect((await house.ask(author, { ...side, submit: true })).code).toBe(0);
});

test('parties known only from others’ drafts, and the reason of a ban, are shown only to those who keep the register', async () => {
  const offered = async (who: typeof author) =>
    (await who.get(contractParties.partyOptions, { query: { search_value: '金丝雀' } })).map((row) => [
      row.name,
      row.standing,
      row.standing_reason,
    ]);
  const draft = (await house.ask(author, { parties: [{ name: '金丝雀公司' }], submit: false })).data.id;
  expect([await offered(author), await offered(outsider)]).toEqual([[['金丝雀公司', 0, '']], []]);
  await write({ parties: [{ name: '金丝雀公司' }] });
  const { id } = await partyOf('金丝雀');
  await save(id, { standing: 2, standing_reason: '举报查实' });
  for (const who of [author, outsider]) expect(await offered(who)).toEqual([['金丝雀公司', 2, '']]);
  expect(await offered(manager)).toEqual([['金丝雀公司', 2, '举报查实']]);
  const refused = await author.ask(contracts.again, { params: { id: draft }, body: {} as never });
  expect(JSON.stringify(refused)).not.toContain('举报');
});

test('a ban that would already be over is refused, and an expired one does not prevent other changes', async () => {
  await house.ask(author, { parties: [{ name: '过期公司' }], submit: false });
  const { id } = await partyOf('过期');
  const over = { standing: 2, standing_reason: '失信', standing_until: inDays(-1) };
  const words = `暂停或禁止的截止日期 ${inDays(-1)} 已过，这样不起作用；请改为今天或以后的日期，或不填截止日期`;
  expect(await save(id, over)).toMatchObject({ code: -1, msg: words });
  expect((await save(id, { ...over, standing_until: inDays(0) })).code).toBe(0);
  await sql('update contract_party set standing = 1, standing_until = $1 where id = $2', [inDays(-1), id]);
  expect((await save(id, { contact_name: '张三' })).code).toBe(0);
  expect(await save(id, { standing: 2 })).toMatchObject({ code: -1, msg: words });
  expect((await save(id, { standing: 2, standing_until: null })).code).toBe(0);
  expect((await partyOf('过期')).standing).toBe(2);
});

test('a banned party is recognised in names with invisible characters, and an invisible name is refused', async () => {
  const { id: draft } = (await house.ask(author, { parties: [{ name: '禁签公司' }], submit: false })).data;
  const { id } = await partyOf('禁签');
  await save(id, { standing: 2, standing_reason: '失信' });
  for (const name of ['禁签\u200b公司', '禁\u2060签公 司', '\ufeff禁签公司'])
    expect((await house.ask(author, { parties: [{ name }], submit: true })).msg).toContain('已被禁止签约');
  expect((await house.ask(author, { parties: [{ name: '\u200b' }], submit: false })).code).toBe(4000);
  expect((await house.ask(author, { name: '\u200b', submit: false })).code).toBe(4000);
  expect((await author.ask(contracts.again, { params: { id: draft }, body: {} as never })).code).not.toBe(0);
});

test('bank accounts are shown only on request, and each request is logged', async () => {
  const bank = { bank_name: '工商银行', bank_account: '6222000011112222' };
  const contract = await write({ parties: [{ name: '有账号公司', ...bank }] });
  const known = await partyOf('有账号');
  expect((await detail(known.id, legal, { bank: true })).bank_account).toBe('');
  await approve(contract);
  for (const answer of [known, await one(contract, author), await detail(known.id)])
    expect(JSON.stringify(answer)).not.toContain('6222');
  expect((await author.ask(contractParties.party, { params: { id: known.id }, query: { bank: true } })).code).toBe(
    4003,
  );
  expect((await detail(known.id, legal, { bank: true })).bank_account).toBe(bank.bank_account);
  const { rows } = await sql("select username, action from log where action = '查看银行账号'");
  expect(rows).toHaveLength(2);
  expect(JSON.stringify((await sql("select diff from log where object_type = '合同相对方'")).rows)).not.toContain(
    '6222',
  );
  const again = { parties: [{ name: '有账号公司' }], submit: false };
  const draft = (await house.ask(author, { parties: [{ name: '有账号公司', ...bank }], submit: false })).data.id;
  await author.ask(contracts.update, { params: { id: draft }, body: again as never });
  expect((await sql('select bank_account from contract_side where contract_id = $1', [draft])).rows).toEqual([
    { bank_account: bank.bank_account },
  ]);
});

test('merging a party into another moves its contracts and its ban', async () => {
  const [a, b] = [await write({ parties: [{ name: '旧名公司' }] }), await write({ parties: [{ name: '新名公司' }] })];
  const [old, now] = [await partyOf('旧名'), await partyOf('新名')];
  await save(old.id, { standing: 2, standing_reason: '违约' });
  expect((await save(old.id, { merge_into: old.id })).msg).toContain('并入的相对方不存在');
  expect((await save(old.id, { merge_into: now.id })).code).toBe(0);
  expect((await detail(now.id)).of.map((row) => row.id).toSorted((x, y) => x - y)).toEqual([a, b]);
  expect((await detail(now.id)).standing).toBe(2);
  expect((await detail(old.id)).id).toBe(now.id);
  expect((await one(a)).party_names).toEqual(['旧名公司']);
});

test('the contracts shown for a party are only those that the viewer sees', async () => {
  const id = await running({ parties: [{ name: '供货公司' }], amount: 500 });
  await house.pay(id, 200);
  const { id: party } = await partyOf('供货');
  expect(await detail(party)).toMatchObject({ contracts: 1, amount_out: 500, open: 300, late_ours: 0 });
  await sql('update contract_performance set plan_date = current_date - 3 where contract_id = $1', [id]);
  expect((await detail(party)).late_ours).toBe(1);
  const reader = await app.clerk({ 'contract/party': ['Retrieve', 'daochu'] }, { dept: house.dept, dataScope: 5 });
  expect(await detail(party, reader)).toMatchObject({ contracts: 0, amount_out: 0, open: 0, of: [] });
  await save(party, { name: '=cmd|供货公司' });
  const sheet = await reader.fetch('/api/contract/party/?export=xlsx&search_value=供货');
  expect(JSON.stringify(await readSheet(Buffer.from(await sheet.arrayBuffer())))).toContain('=cmd|供货公司');
});

test('the number book shows issued, void and missing numbers, and names only contracts that the viewer sees', async () => {
  const [first, second] = [
    await approve(await write({ name: '甲合同' })),
    await approve(await write({ name: '乙合同' })),
  ];
  await register(manager, second, { type: 'void', reason: '重复' });
  const year = new Date().getFullYear();
  const asked = { query: { category_id: house.category, year, per_page: 100 } };
  const book = await manager.get(contractNumbers.numberBook, asked);
  expect(book.value.find((row) => row.contract_id === second)).toMatchObject({ state: 3, reason: '重复' });
  expect(book.value.find((row) => row.contract_id === first)).toMatchObject({ state: 1, contract_name: '甲合同' });
  expect(book.gaps).toEqual([]);
  const reader = await app.clerk({ 'contract/category': ['Retrieve'] }, { dept: house.dept, dataScope: 5 });
  const seen = await reader.get(contractNumbers.numberBook, asked);
  expect(new Set(seen.value.map((row) => row.contract_name))).toEqual(new Set(['']));
  expect(seen.total).toBe(book.total);
  expect((await outsider.ask(contractNumbers.numberBook, asked)).code).toBe(4003);
});

test('contract figures equal the list, show payments due by month, and are empty for people without access', async () => {
  const id = await running({ amount: 800, parties: [{ name: '统计公司' }] });
  await house.pay(id, 300);
  const asked = { query: {} };
  const { value } = await manager.get(contractStatistics.call, asked);
  const page = value as Exclude<typeof value, unknown[]>;
  const { value: rows } = await house.ledger();
  const through = rows.filter((row) => row.contract_no !== '' && row.stage !== 90);
  const sum = (key: 'amount' | 'paid') => through.reduce((total, row) => total + row[key], 0);
  expect(page.summary).toMatchObject({ count: through.length, amount_out: sum('amount'), paid: sum('paid') });
  expect(page.by_party.find((row) => row.name === '统计公司')).toMatchObject({ count: 1, amount_out: 800 });
  expect(page.by_forecast.reduce((total, row) => total + row.out, 0)).toBeGreaterThanOrEqual(500);
  const reader = await app.clerk({ 'contract/statistics': ['Retrieve'] }, { dept: house.dept, dataScope: 5 });
  const none = (await reader.get(contractStatistics.call, asked)).value as typeof page;
  expect([none.summary.count, none.summary.amount_out, none.by_forecast]).toEqual([0, 0, []]);
});

test('the rules of contracts are read by everybody and changed by who looks after the categories', async () => {
  const { value, version } = await author.get(contractRuleCalls.rule);
  expect(value).toMatchObject({ need_stamp: false, soon_days: 7, split_months: 12 });
  const body = { soon_days: 10, version };
  expect((await finance.ask(contractRuleCalls.saveRule, { body })).code).toBe(4003);
  expect((await manager.ask(contractRuleCalls.saveRule, { body })).code).toBe(0);
  expect((await author.get(contractRuleCalls.rule)).value.soon_days).toBe(10);
});

test('the database compares party names as the program does, also with radicals and brackets of any shape', async () => {
  const name = `⻓⻋⽤⼾〔${Date.now()}〕［ＡＢ］\u200b公司`;
  await sql('insert into contract_party (name) values ($1)', [name]);
  const { rows } = await sql('select plain_name from contract_party where name = $1', [name]);
  expect(rows[0].plain_name).toBe(plainly(name));
  // Checks the whole table of look-alike characters, which the database has in a copy of the program's.
  const [all] = (await app.db.execute(written`select ${plainSql(written`${alike.from}::text`)} plain`)).rows;
  expect(all!['plain']).toBe(plainly(alike.from));
  expect([...alike.from].length).toBe([...alike.to].length);
});
