import { afterAll, expect, test } from 'vitest';
import { remindOfContracts } from './jobs/reminders.ts';
import { turnTerms } from './jobs/terms.ts';
import { inDays, openContracts } from './testing/house.ts';

const house = await openContracts();
const { app, running, one, told, author, manager } = house;
afterAll(app.close);

const day = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * day);
const { write } = app.services.databases;
const turn = (days: number) => write((tx) => turnTerms(tx, at(days)));
const remind = (days: number) => write((tx) => remindOfContracts(tx, at(days)));
const ended = (more: object = {}) =>
  running({
    start_date: inDays(-100),
    end_date: inDays(10),
    plans: [{ kind: 1, name: '款', plan_date: inDays(200), plan_amount: 1000 }],
    ...more,
  });

test('a tacitly renewed contract is not among the expired in list, filter, badge, picker and export', async () => {
  const tacit = await ended({ renewal: 1, renewal_months: 12, name: '顺延合同' });
  const plain = await ended({ name: '到期合同' });
  expect((await house.ledger({ quick: 'expiring' })).value.map((row) => row.id)).toEqual([plain]);
  expect((await house.ledger()).counts.expiring).toBe(1);
  await Promise.all([turn(13), turn(13)]);
  await turn(13);
  expect(await one(plain)).toMatchObject({ stage: 70, term_end: inDays(10) });
  const renewed = await one(tacit);
  expect(renewed).toMatchObject({ stage: 30, term_no: 2 });
  expect(renewed.terms[1]!.start_date).toBe(inDays(11));
  const events = await house.sql(
    'select type from contract_event where contract_id = any($1) and by is null order by type',
    [[tacit, plain]],
  );
  expect(events.rows.map((row) => row.type)).toEqual(['expire', 'renew']);
  expect((await house.ledger({ stage: 70 })).value.map((row) => row.id)).toEqual([plain]);
}, 180_000);

test('a supplement past its end date gets no renewal term, and does not block the renewal of later contracts', async () => {
  const above = await ended({ name: '主合同', end_date: inDays(40) });
  const change = { nature: 3, parent_id: above, name: '过期的补充协议', plans: [], end_date: inDays(10) };
  const supplement = await house.sign(await house.approve(await house.write(change)));
  const behind = await ended({ name: '排在后面的合同' });
  await turn(13);
  expect([(await one(supplement)).stage, (await one(supplement)).terms]).toEqual([30, []]);
  expect((await one(behind)).stage).toBe(70);
}, 180_000);

test('a moved end date is announced again, an unmoved one once, and days of downtime are made up for', async () => {
  const id = await ended({ name: '维保合同', end_date: inDays(40) });
  const heard = async () =>
    (await told(author)).filter((title) => title.includes('维保合同') && title.includes('到期')).length;
  await remind(0);
  expect(await heard()).toBe(0);
  // The reminders 30 and 15 days before were missed.
  await Promise.all([remind(27), remind(27)]);
  await remind(27);
  expect(await heard()).toBe(1);
  const change = { nature: 3, parent_id: id, name: '延期', plans: [], end_date: inDays(60) };
  const supplement = await house.sign(await house.approve(await house.write(change)));
  const said = await house.register(manager, id, { type: 'change', supplement_id: supplement, reason: '延期' });
  expect(said.code).toBe(0);
  await remind(31);
  expect(await heard()).toBe(2);
}, 180_000);

test('a late node is reported to its handler, then to the head, then to the leader, each once', async () => {
  await running({ name: '逾期合同', plans: [{ kind: 1, name: '款', plan_date: inDays(0), plan_amount: 1000 }] });
  const heard = async (who: typeof author) =>
    (await told(who)).filter((title) => title === '合同节点逾期：逾期合同').length;
  await remind(1);
  expect([await heard(author), await heard(house.head)]).toEqual([1, 0]);
  await remind(8);
  await remind(8);
  expect([await heard(author), await heard(house.head), await heard(house.leader)]).toEqual([1, 1, 0]);
  await remind(16);
  expect(await heard(house.leader)).toBe(1);
  const kept = await house.sql(
    `select distinct event from msg_reminder where event like 'CONTRACT_OVERDUE%' order by 1`,
    [],
  );
  expect(kept.rows.map((row) => row.event)).toEqual(['CONTRACT_OVERDUE', 'CONTRACT_OVERDUE_1', 'CONTRACT_OVERDUE_2']);
}, 180_000);

test('contract terms are renewed in batches until none is left', async () => {
  const ids = [await ended({ name: '甲' }), await ended({ name: '乙' }), await ended({ name: '丙' })];
  const portions: (number | null)[] = [];
  for (let from: number | null = 0; from !== null; portions.push(from)) {
    const behind: number = from;
    from = await write((tx) => turnTerms(tx, at(13), behind, 1));
  }
  expect(portions.filter((one) => ids.includes(one!))).toEqual(ids);
  expect(portions.at(-1)).toBeNull();
  for (const id of ids) expect((await one(id)).stage).toBe(70);
}, 180_000);
