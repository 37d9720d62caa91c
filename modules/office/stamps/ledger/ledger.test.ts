import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { custodyKind } from '../contract/seal-codes.ts';
import { ledgerCalls, type Use } from '../contract/ledger.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { sealCalls } from '../contract/seals.ts';
import { oversightCalls, stampRules } from '../contract/oversight.ts';
import { findAlerts } from '../oversight/alerts.ts';
import { registerOf } from './list.ts';
import { openSealHouse } from '../testing/seals.ts';
import { sealing, sha256 } from '../testing/sealings.ts';

let house: Awaited<ReturnType<typeof openSealHouse>>;
beforeAll(async () => {
  house = await openSealHouse();
});
afterAll(() => house.app.close());
const uses = async (stamp: number, who = house.auditor) =>
  (await who.client.get(ledgerCalls.ledger, { query: { stamp } })).value as Use[];
const correct = (id: number, body: object, who = house.keeper) =>
  who.client.ask(ledgerCalls.correct, { params: { id }, body: { remark: '数错了', ...body } as never });

test('the seal ledger cannot be edited by any call or update, and a correction stands beside the corrected row', async () => {
  const stamp = await house.register();
  await sealing(house, stamp);
  const [use] = await uses(stamp);
  for (const statement of [
    'update stamp_use set real_copies = 1',
    'delete from stamp_use',
    'truncate stamp_use cascade',
  ])
    await expect(house.run(statement)).rejects.toThrow('append-only');
  expect(await correct(use!.id, { real_copies: 2 }, house.auditor)).toMatchObject({ code: 4003 });
  expect(await correct(use!.id, { real_copies: 2 }, house.other)).toMatchObject({ code: 4003 });
  expect((await correct(use!.id, { real_copies: 6 })).msg).toMatch('份数 6 超过批准的 5 份');
  expect((await correct(use!.id, {})).msg).toMatch('没有要更正的内容');
  const both = await Promise.all([correct(use!.id, { real_copies: 2 }), correct(use!.id, { real_copies: 4 })]);
  expect(both.map((one) => one.code).toSorted()).toEqual([0, 4010]);
  const after = await uses(stamp);
  expect(after).toMatchObject([{ real_copies: 3, correction: { remark: '数错了', by: '张保管' }, pictures: [{}] }]);
});

test('the ledger is searched by its seals, by their names and numbers', async () => {
  const stamp = await house.register({ name: '白杨分校教务章', stamp_no: 'BY2099' });
  await sealing(house, stamp);
  for (const search_value of ['白杨分校', '白杨 教务章', 'BY2099']) {
    const { value } = await house.auditor.client.get(ledgerCalls.ledger, { query: { search_value } });
    expect(
      value.map((row) => row.stamp_id),
      search_value,
    ).toEqual([stamp]);
  }
});

test('a corrected sealing is shown as corrected on the seal’s card and to people who verify the paper', async () => {
  const stamp = await house.register();
  const { code } = await sealing(house, stamp);
  const [use] = await uses(stamp);
  expect((await correct(use!.id, { real_copies: 2 })).code).toBe(0);
  const { months } = await house.office.client.get(sealCalls.stamp, { params: { id: stamp } });
  expect(months).toMatchObject([{ count: 1, copies: 2 }]);
  const page = await (await fetch(`${house.app.url}/api/verify/${code}/`)).text();
  expect(page).toContain('用印 2 份');
  expect(page).not.toContain('用印 3 份');
});

test('a sealing older than one working day cannot be corrected', async () => {
  const stamp = await house.register();
  await sealing(house, stamp, { at: '2026-03-02 10:00:00' });
  const [use] = await uses(stamp);
  expect((await correct(use!.id, { real_copies: 2 })).msg).toMatch('已于 2026-03-03 截止');
});

test('a lost seal is blocked at once on every node, and verifying later papers says so', async () => {
  const stamp = await house.register();
  const { code } = await sealing(house, stamp, { kind: 4, title: '在职证明' });
  const elsewhere = await house.app.secondNode();
  const page = async (url: string) => (await fetch(`${url}/api/verify/${code}/`)).text();
  expect(await page(elsewhere.url)).not.toContain('挂失');
  expect(await house.propose(house.keeper.client, stamp, { kind: custodyKind.lost })).toMatchObject({ code: 0 });
  for (const url of [house.app.url, elsewhere.url]) {
    expect(await page(url)).toContain('挂失，此后加盖的无效');
    expect(await page(url)).not.toContain('现行有效');
  }
  const files = [await house.picture(house.keeper.client)];
  const hand = { kind: custodyKind.handOver, to: house.other.username, files };
  expect((await house.propose(house.keeper.client.at(elsewhere.url), stamp, hand)).msg).toMatch('现在是“遗失”');
  await elsewhere.close();
});

test('the verification page shows seal, date, copies and state, compares a scan, and names the file only if public', async () => {
  const stamp = await house.register();
  const day = '2026-03-02';
  const told = { at: `${day} 10:00:00`, copies: 5, sealed: 2 };
  const [proof, contract] = [
    await sealing(house, stamp, { ...told, kind: 4, title: '在职证明', text: '证明正文' }),
    await sealing(house, stamp, { ...told, kind: 2, title: '采购合同' }),
  ];
  const page = async (code: string, sent?: string) => {
    const form = new FormData();
    form.set('file', new Blob([sent ?? '']), '收到的.pdf');
    const asked = sent === undefined ? {} : { method: 'POST', body: form };
    return (await fetch(`${house.app.url}/api/verify/${code}/`, asked)).text();
  };
  const open = await page(proof.code);
  for (const said of ['在职证明', `${day} 用印 2 份`, '批准份数', '5 份', '已用印', '行政公章'])
    expect(open).toContain(said);
  const shut = await page(contract.code);
  expect(shut).toContain('本系统登记的用印文件');
  expect(shut).not.toContain('采购合同');
  expect(await page(proof.code, '证明正文')).toContain('与原件一致');
  expect(await page(proof.code, '改过的正文')).toContain('与原件不一致');
  expect(sha256('证明正文')).toHaveLength(64);
});

test('location data is removed from every picture, and only readers of the ledger see one', async () => {
  const stamp = await house.register();
  const gps = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#c00' } })
    .withExif({ IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
    .jpeg()
    .toBuffer();
  const file = await house.picture(house.keeper.client, gps, 'jpg');
  const code = `YZ:${stamp}:`;
  const body = { kind: custodyKind.inventory, files: [file], code };
  expect(await house.propose(house.keeper.client, stamp, body)).toMatchObject({ code: 0 });
  const seen = (who: typeof house.keeper) => who.client.fetch(`/api/file/${file}/preview/`);
  const kept = Buffer.from(await (await seen(house.auditor)).arrayBuffer());
  expect((await sharp(kept).metadata()).exif).toBeUndefined();
  expect(await (await seen(house.clerk)).json()).toMatchObject({ code: 4004 });
});

test('a code leads its keeper to the application, strangers to public information, and may be scanned thirty times a minute', async () => {
  const stamp = await house.register();
  const { id, code } = await sealing(house, stamp, { sealed: 0 });
  const scan = (who: typeof house.keeper, text: string) => who.client.ask(ledgerCalls.scan, { query: { code: text } });
  const kept = (await scan(house.keeper, `http://x/api/verify/${code}/`)).data;
  expect(kept).toMatchObject({ kind: 'application', id, actions: ['seal', 'refuse'] });
  expect((await scan(house.other, code)).data).toMatchObject({ kind: 'other', title: null, valid: false });
  expect((await scan(house.keeper, `YZ:${stamp}:YZ`)).data).toMatchObject({ kind: 'stamp', actions: ['inventory'] });
  expect((await scan(house.clerk, `YZ:${stamp}:YZ`)).data).toEqual({ kind: 'unknown' });
  expect((await scan(house.other, '\u0001')).msg).toBe('扫到的内容：不能包含控制字符');
  const asked = await Promise.all(Array.from({ length: 32 }, () => scan(house.witness, 'nothing')));
  expect(asked.filter((one) => one.code === 4029).length).toBe(2);
});

test('the monthly book has every sealing of its month in order', async () => {
  const stamp = await house.register();
  for (const at of ['2026-04-30 23:59:59', '2026-05-31 23:00:00', '2026-05-01 00:00:00'])
    await sealing(house, stamp, { at });
  const book = (month: string, who = house.auditor) =>
    who.client.ask(ledgerCalls.register, { query: { month, stamp } });
  expect((await book('2026-05')).data.value.map((one) => one.sealed_at)).toEqual([
    '2026-05-01 00:00:00',
    '2026-05-31 23:00:00',
  ]);
  expect((await book('2026-06')).msg).toMatch('2026-06 没有用印记录');
  expect((await book('2026-05', house.clerk)).code).toBe(4003);
  const viewer = viewerOf(
    (await house.app.services.databases.write((tx) => personWithRights(tx, house.auditor.id)))!,
    0,
  );
  const short = await house.app.services.databases.write((tx) =>
    registerOf(tx, viewer, { month: '2026-05', stamp }, 1),
  );
  expect([short.value.length, short.total]).toEqual([1, 2]);
});

test('unusual events are found once, told to the auditors, and handled once', async () => {
  const [stamp, another] = [await house.register(), await house.register()];
  const { databases, settings } = house.app.services;
  const rule = await settings.of(stampRules);
  const find = () => databases.write((tx) => findAlerts(tx, rule));
  await find();
  for (let nth = 0; nth < rule.alert_receiver_times; nth += 1)
    await sealing(house, another, { receiver: '频繁公司', title: `协议${nth}`, text: `正文${nth}` });
  await sealing(house, stamp, { after_hours: true, title: '夜里盖的', text: '夜里' });
  await sealing(house, stamp, { title: '同一份', text: '重复' });
  await sealing(house, stamp, { title: '同一份', text: '重复' });
  const found = await find();
  expect(await find()).toBe(0);
  const { value } = await house.auditor.client.get(oversightCalls.alerts, { query: { handled: false, per_page: 100 } });
  const ours = value.filter((one) => [stamp, another].includes(one.stamp_id!));
  expect(ours.map((one) => one.kind).toSorted((a, b) => a - b)).toEqual([1, 3, 5]);
  expect(found).toBe(3);
  const handle = (who = house.auditor) =>
    who.client.ask(oversightCalls.handleAlert, { params: { id: ours[0]!.id }, body: { result: 1, note: '已核实' } });
  expect((await handle(house.keeper)).code).toBe(4003);
  expect((await handle()).code).toBe(0);
  expect((await handle()).msg).toContain('已由郑审计处理');
});
