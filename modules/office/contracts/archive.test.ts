import { createHash } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { keyOf } from '#modules/platform/files/store/content.ts';
import { registerCalls } from './contract/performing/register.ts';
import { contractStatistics } from './contract/statistics.ts';
import { contractTexts } from './contract/texts.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, author, manager, one, running, pay, register, write, approve, upload } = house;
afterAll(app.close);

let serial = 0;
const archive = (id: number) =>
  register(manager, id, { type: 'archive', archive_no: `HT-${(serial += 1)}`, location: '档案室', retention: '30年' });

test(
  'an archived contract is one file of text, scan, approval sheet and vouchers that verifies itself',
  { timeout: 180_000 },
  async () => {
    const id = await running({ name: '归档的合同' });
    expect((await pay(id, 1000, { voucher_no: 'PZ-1' })).code).toBe(0);
    expect((await register(manager, id, { type: 'finish' })).code).toBe(0);
    expect((await archive(id)).msg).toBe('登记成功');
    const file = await eventually(
      async () => (await one(id, author)).packed_file_info ?? expect.fail('it is not packed'),
    );
    const members = unzipSync(new Uint8Array(await (await author.fetch(`/api/file/${file.id}/`)).arrayBuffer()));
    expect(Object.keys(members).toSorted()).toEqual(
      ['metadata.json', '凭证/02-凭证.pdf', '审批单.pdf', '正文/合同文本.pdf', '签订/01-扫描件.pdf'].toSorted(),
    );
    const about = JSON.parse(strFromU8(members['metadata.json']!)) as Record<string, unknown>;
    expect(about).toMatchObject({
      合同: { 合同名称: '归档的合同', 签订日期: inDays(0), 金额: 1000 },
      归档: { 档号: 'HT-1', 存放位置: '档案室' },
      登记记录: [{ 登记: '签订登记' }, { 登记: '履约登记' }, { 登记: '履行完毕' }, { 登记: '归档登记' }],
      履约登记: [{ 金额: 1000, 凭证号: 'PZ-1', 冲销: false }],
    });
    const told = about['文件'] as { 路径: string; 'SHA-256': string }[];
    for (const { 路径: path, 'SHA-256': sha256 } of told)
      expect(createHash('sha256').update(members[path]!).digest('hex')).toBe(sha256);
    const strange = await house.outsider.fetch(`/api/file/${file.id}/`);
    expect(strange.headers.get('content-type')).toContain('json');
  },
);

test('a contract whose signed scan is not what was registered is not archived', async () => {
  const id = await running();
  expect((await register(manager, id, { type: 'finish', reason: '提前结清' })).code).toBe(0);
  const { rows } = await house.sql(
    'select f.sha256 from contract c join file f on f.id = c.signed_file_id where c.id = $1',
    [id],
  );
  await app.services.fileStore.store.remove(keyOf(rows[0].sha256));
  const refused = await archive(id);
  expect(refused.msg).toBe('签署扫描件“扫描件.pdf”与登记时的校验值不一致，不能归档；请联系系统管理员从备份恢复该文件');
  expect(await one(id)).toMatchObject({ stage: 40 });
});

test('a suspended, completed or terminated contract says so with its date to strangers and across its printed pages', async () => {
  const id = await running({ name: '走完各步的合同' });
  const page = async () => {
    const { url } = await author.get(contractTexts.qrcode, { query: { contract_id: id } });
    return (await fetch(new URL(new URL(url).pathname, app.url))).text();
  };
  const mark = async () => (await author.get(contractTexts.html, { params: { id } })).watermark;
  const expectEnded = async (what: string, day: string) => {
    const said = await page();
    for (const word of [what, `${what}日期`, day]) expect(said).toContain(word);
    expect(said).not.toContain('现行有效');
    expect(await mark()).toBe(what);
  };
  const file = await upload(manager);
  expect((await register(manager, id, { type: 'suspend', reason: '停工', file })).msg).toBe('登记成功');
  await expectEnded('中止', inDays(0));
  const again = { type: 'resume', reason: '复工', file: await upload(manager), shift_plans: false };
  expect((await register(manager, id, again)).msg).toBe('登记成功');
  expect(await page()).toContain('现行有效');
  expect(await mark()).toBe('');
  // Makes the changes that the nightly job and a supplement would make, without waiting for the days.
  const move = (from: number, to: number, type: string) =>
    house.sql(
      `with made as (insert into contract_event (contract_id, type, from_stage, to_stage) values (${id}, '${type}', ${from}, ${to}))
        update contract set stage = ${to} where id = ${id}`,
    );
  await move(30, 70, 'expire');
  await expectEnded('到期', inDays(300));
  await move(70, 30, 'renew');
  const end = { type: 'terminate', reason: '供方破产', date: inDays(0), settlement: [], file: await upload(manager) };
  expect((await register(manager, id, end)).msg).toBe('登记成功');
  await expectEnded('解除/终止', inDays(0));
});

test('a void or terminated contract is shown as such in the archive, to strangers, on paper and in the figures', async () => {
  const said = async (id: number) => {
    const { url } = await author.get(contractTexts.qrcode, { query: { contract_id: id } });
    return (await fetch(new URL(new URL(url).pathname, app.url))).text();
  };
  const spent = async () => {
    const { value } = await manager.get(contractStatistics.call, { query: { start: inDays(-1), end: inDays(1) } });
    return (value as Exclude<typeof value, unknown[]>).summary.amount_out;
  };
  const before = await spent();
  const lost = await approve(await write({ name: '不签的合同' }));
  await register(manager, lost, { type: 'void', reason: '不签了' });
  expect((await archive(lost)).msg).toBe('登记成功');
  expect((await author.get(contractTexts.html, { params: { id: lost } })).watermark).toBe('作废');
  expect(await said(lost)).toContain('已归档（作废）');
  expect(await said(lost)).not.toContain('现行有效');
  expect(await spent()).toBe(before);
  const ended = await running({ name: '解除的合同' });
  expect(await said(ended)).toContain('现行有效');
  const file = await upload(manager);
  await register(manager, ended, { type: 'terminate', reason: '供方破产', date: inDays(0), settlement: [], file });
  expect(await said(ended)).not.toContain('现行有效');
  expect((await archive(ended)).msg).toBe('登记成功');
  expect(await said(ended)).toContain('已归档（解除/终止）');
});

test('a contract whose settlement is unpaid cannot be archived', async () => {
  const id = await running({ name: '还欠结算的合同' });
  const settlement = [{ direction: 2, amount: 80, until: inDays(10) }];
  const file = await upload(manager);
  const end = { type: 'terminate', reason: '供方破产', date: inDays(0), settlement, file };
  expect((await register(manager, id, end)).code).toBe(0);
  expect((await archive(id)).msg).toBe(
    '还有 1 笔解除结算没有付清，归档后不能再登记；请先登记结算款项的收付，免除的请在说明中写明原因',
  );
  const row = (await one(id)).performance.find((each) => each.settlement)!;
  expect((await pay(id, 80, { performance_id: row.id })).code).toBe(0);
  expect((await archive(id)).msg).toBe('登记成功');
});

test('a settlement waived with a reason lets its contract be archived, is owed no more, and is shown in its history', async () => {
  const id = await running({ name: '免除结算的合同' });
  const settlement = [
    { direction: 1, amount: 80, until: inDays(10) },
    { direction: 1, amount: 20, until: inDays(20) },
  ];
  const file = await upload(manager);
  const end = { type: 'terminate', reason: '双方协商', date: inDays(0), settlement, file };
  expect((await register(manager, id, end)).code).toBe(0);
  const row = (await one(id)).performance.find((each) => each.plan_amount === 80)!;
  expect((await pay(id, 30, { performance_id: row.id })).code).toBe(0);
  expect(await one(id)).toMatchObject({ unpaid: 70 });
  const boxed = { type: 'archive', archive_no: `D-${id}`, location: '柜', retention: '30年' };
  expect((await register(manager, id, { ...boxed, reason: '供方书面放弃余款' })).msg).toBe('登记成功');
  expect(await one(id)).toMatchObject({ stage: 80, unpaid: 0, paid: 30 });
  const [story] = await manager.get(registerCalls.registrations, { params: { id } });
  expect(story!.reason).toBe('供方书面放弃余款');
  expect(story!.changes.find((each) => each.label === '免除结算')!.after).toBe(
    `解除结算（${inDays(10)} 前，50.00 元）；解除结算（${inDays(20)} 前，20.00 元）`,
  );
});
