import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { castOf, type School } from '#apps/server/testing/school.ts';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import { openReceiver, type Receiver } from '#modules/platform/deliveries/testing/receiver.ts';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { customNotices, noticeTypes } from '#modules/workflow/workflows/contract/notices.ts';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import type { Detail } from './contract/shapes.ts';
import { addFlow } from './testing/flow.ts';
import { buttonsOf, openHouse, type House } from './testing/card-house.ts';

// A column that a state hides is never shown, in any way, to those who handle that state or only view the ticket.

const secret = 77.77;
let school: School;
let receiver: Receiver;
let house: House;
let workflow_id: number;

const field = (key: string) => ({ op: 'field' as const, field: key });
/**
 * The applicant fills in goods and amount; the buyer the cost and the supplier, which the head must not see; the accounting system is called without
 * them.
 */
const purchase = (people: { buyer: number; head: number }, ways: { hook: number; card: number }): DefinitionInput => ({
  name: '采购',
  fields: [
    {
      id: 1,
      key: 'rows',
      name: '明细',
      type: fieldType.table,
      columns: [
        { key: 'what', name: '物品', type: fieldType.string, required: true },
        { key: 'price', name: '报价', type: fieldType.money },
        { key: 'cost', name: '成本', type: fieldType.money },
        { key: 'from', name: '供应商', type: fieldType.user },
        { key: 'bill', name: '底单', type: fieldType.file },
        {
          key: 'gain',
          name: '差额',
          type: fieldType.money,
          formula: { op: 'sub', of: [field('price'), field('cost')] },
        },
      ],
    },
    {
      id: 2,
      key: 'total',
      name: '报价合计',
      type: fieldType.money,
      formula: { op: 'sum', table: 'rows', column: 'price' },
    },
    {
      id: 3,
      key: 'costs',
      name: '成本合计',
      type: fieldType.money,
      formula: { op: 'sum', table: 'rows', column: 'cost' },
    },
  ],
  settings: {
    title_template: '采购 {total}',
    number_rule: { prefix: 'CG', digits: 4, period: 'day' },
    display_form: ['rows', 'total'],
    notices: [ways.card],
  },
  states: [
    {
      id: 1,
      key: 'start',
      name: '填写',
      kind: 'start',
      order: 1,
      access: { rows: 2, total: 1, costs: 4 },
      columns: { rows: { cost: 4, from: 4, bill: 4, gain: 4 } },
    },
    {
      id: 2,
      key: 'buyer',
      name: '询价',
      kind: 'handle',
      order: 2,
      participants: [{ type: 1, user: people.buyer }],
      access: { rows: 3, total: 1, costs: 1 },
      columns: { rows: { what: 1, price: 1, cost: 2 } },
      actions: ['return'],
    },
    {
      id: 3,
      key: 'ledger',
      name: '记账',
      kind: 'hook',
      order: 3,
      participants: [{ type: 10, hook: ways.hook }],
      access: { rows: 1, total: 1, costs: 4 },
      columns: { rows: { cost: 4, from: 4, bill: 4, gain: 4 } },
    },
    {
      id: 4,
      key: 'head',
      name: '审批',
      kind: 'approve',
      order: 4,
      participants: [{ type: 1, user: people.head }],
      access: { rows: 3, total: 1, costs: 4 },
      columns: { rows: { cost: 4, from: 4, bill: 4, gain: 4, price: 1 } },
      actions: ['return'],
    },
    { id: 5, key: 'end', name: '结束', kind: 'end', order: 5 },
  ],
  transitions: [
    { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
    { id: 2, key: 't2', name: '报价', source: 2, destination: 3, attribute: 1 },
    { id: 3, key: 't3', name: '继续', source: 3, destination: 4, attribute: 1 },
    { id: 4, key: 't4', name: '同意', source: 4, destination: 5, attribute: 1 },
  ],
});

beforeAll(async () => {
  [receiver, house] = await Promise.all([openReceiver(), openHouse()]);
  school = await castOf(await openTestApp({ outgoingAllow: ['127.0.0.1'] }));
  const add = async (body: object) => (await school.office.admin.get(customNotices.add, { body: body as never })).id!;
  const hook = await add({
    name: '台账',
    type_id: noticeTypes.hook,
    hook_url: `${receiver.url}hook`,
    hook_token: 'shared',
  });
  const app = { appkey: 'cli_1', appsecret: 'S1', card_decides: 2 };
  const card = await add({ name: '审批助手', type_id: noticeTypes.feishu_app, hook_url: house.url, ...app });
  const people = { buyer: school.worker.userId, head: school.head.userId };
  workflow_id = await addFlow(school.office, 'columns', purchase(people, { hook, card }));
}, 180_000);
beforeEach(() => {
  receiver.letters.length = 0;
  house.asked.length = 0;
});
afterAll(async () => {
  await school.office.close();
  receiver.close();
  house.close();
});

const start = (rows: object[]) =>
  school.staff.ask(tickets.start, { body: { workflow_id, transition_id: 1, rows } as never });
const handle = (who: Client, id: number, transition_id: number, more: object = {}) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...more } as never });
const seenBy = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const rowsOf = async (who: Client, id: number) => {
  const item = (await seenBy(who, id)).field_list.find(({ field_key }) => field_key === 'rows')!;
  return {
    columns: item.columns.map(({ field_key, field_attribute }) => [field_key, field_attribute]),
    rows: item.field_value,
  };
};
const asked = [
  { what: '打印机', price: 900 },
  { what: '硒鼓', price: 100 },
];
/** A ticket that waits for the head, with the buyer's fields filled in. */
async function priced() {
  const { data, code, msg } = await start(asked);
  expect(code, msg).toBe(0);
  const id = data.ticket_id;
  const body = new FormData();
  body.set('module', 'tickets');
  body.set('file', new Blob(['底单']), '底单.txt');
  const sent = await school.worker.fetch('/api/file/upload/', { method: 'POST', body });
  const file = ((await sent.json()) as { data: FileCard }).data;
  const rows = [
    { _row: 1, ...asked[0], cost: secret, from: school.leader.username, bill: [file.id] },
    { _row: 2, ...asked[1], cost: 20 },
  ];
  const done = await handle(school.worker, id, 2, { rows });
  expect(done.code, done.msg).toBe(0);
  return { id, file };
}
const open = [
  ['what', 2],
  ['price', 1],
];

test('the creator is neither asked for a hidden column nor told of it, and cannot guess its values by trial', async () => {
  const { field_list } = await school.staff.get(workflows.initState, { params: { id: workflow_id } });
  const item = field_list.find(({ field_key }) => field_key === 'rows')!;
  expect(item.columns.map(({ field_key }) => field_key)).toEqual(['what', 'price']);
  const says = async (more: object) => (await start([{ ...asked[0], ...more }])).msg;
  expect(await says({ cost: 5 })).toBe('明细：第 1 行有未知的列“cost”');
  expect(await says({ nothing: 5 })).toBe('明细：第 1 行有未知的列“nothing”');
});

test('a column may be read-only or required where its table is writable, and a required cell left out is demanded', async () => {
  const { data } = await start(asked);
  const id = data.ticket_id;
  expect(await rowsOf(school.worker, id)).toEqual({
    columns: [
      ['what', 1],
      ['price', 1],
      ['cost', 2],
      ['from', 3],
      ['bill', 3],
      ['gain', 1],
    ],
    rows: asked.map((row, at) => ({ ...row, _row: at + 1 })),
  });
  expect((await handle(school.worker, id, 2)).msg).toBe('明细：请填写第 1 行“成本”');
  const dearer = { _row: 1, what: '打印机', price: 901, cost: 5 };
  expect((await handle(school.worker, id, 2, { rows: [dearer] })).msg).toBe('明细：第 1 行“报价”在当前环节不能修改');
  expect((await handle(school.worker, id, 2, { rows: [{ _row: 0, what: '耗材', cost: 5 }] })).msg).toBe(
    '明细：第 1 行“物品”在当前环节不能修改',
  );
});

test('rows that are moved, removed and added keep the cells that their writer does not see', async () => {
  const { id } = await priced();
  expect(await rowsOf(school.head, id)).toMatchObject({
    columns: open,
    rows: [
      { _row: 1, ...asked[0] },
      { _row: 2, ...asked[1] },
    ],
  });
  const twice = [
    { _row: 2, what: '硒鼓', price: 100 },
    { _row: 2, what: '硒鼓', price: 100 },
  ];
  expect((await handle(school.head, id, 4, { rows: twice })).msg).toContain('第 2 行对应的原有行不正确');
  const rows = [
    { _row: 2, what: '硒鼓（黑）', price: 100 },
    { _row: 0, what: '纸' },
    { _row: 1, ...asked[0] },
  ];
  expect((await handle(school.head, id, 4, { rows })).code).toBe(0);
  expect((await rowsOf(school.worker, id)).rows).toMatchObject([
    { what: '硒鼓（黑）', cost: 20, gain: 80 },
    { what: '纸' },
    { what: '打印机', cost: secret, gain: 900 - secret },
  ]);
});

test('a table sent back unchanged counts as unchanged, whatever the order of its cells', async () => {
  const { id } = await priced();
  const rows = asked.map((row, at) => ({ price: row.price, _row: at + 1, what: row.what }));
  await handle(school.head, id, 4, { rows });
  const { value } = await school.worker.get(tickets.flowlogs, { params: { id }, query: { desc: true } });
  const { rows: log } = await school.office.services.databases.pool.query<{ events: { type: string }[] }>(
    `select events from ticket_log where ticket_id = $1 and seq = $2`,
    [id, value[0]!.seq],
  );
  expect(log[0]!.events.filter(({ type }) => type === 'field_changed')).toEqual([]);
});

describe('a hidden column is not revealed', () => {
  /** Checks that some text and a file contain nothing that the head must not see. */
  function silent(said: string, file: FileCard): void {
    for (const word of [String(secret), '822.23', '成本', '供应商', '差额', '底单', `"${school.leader.username}"`])
      expect(said).not.toContain(word);
    expect(said).not.toContain(`/api/file/${file.id}/`);
  }

  test('by the ticket’s page, its log, a conflict message, a copied ticket or a list', async () => {
    const { id, file } = await priced();
    for (const who of [school.head, school.staff]) {
      const params = { id };
      silent(JSON.stringify((await seenBy(who, id)).field_list), file);
      const log = await who.get(tickets.flowlogs, { params, query: { ticket_data: true } as never });
      silent(JSON.stringify(log.value.map(({ ticket_data, ticket_people }) => [ticket_data, ticket_people])), file);
    }
    const copy = await school.staff.get(tickets.copy, { params: { id } });
    expect(copy.values).toEqual({ rows: asked });
    const clerk = await school.office.clerk({ 'ticket/all': ['daochu', 'Retrieve'] });
    const query = `category=all&workflow_ids=${workflow_id}&ticket_ids=${id}&export=xlsx&rows_of=rows`;
    const response = await clerk.fetch(`/api/tickets/?${query}`);
    const sheet = JSON.stringify(await readSheet(Buffer.from(await response.arrayBuffer())));
    expect(sheet).toContain('明细：物品');
    silent(sheet, file);
    silent(JSON.stringify((await seenBy(clerk, id)).field_list), file);
    const found = await clerk.get(tickets.list, { query: { category: 'all', search_value: String(secret) } });
    expect(found.value).toEqual([]);
  });

  test('by the summary of changes: only changes in visible columns count and are shown', async () => {
    const { id, file } = await priced();
    const { seen_hash } = await seenBy(school.head, id);
    const change = (rows: object[]) =>
      school.office.services.databases.pool.query('update ticket set form = form || $2 where id = $1', [id, { rows }]);
    const [first, second] = (await rowsOf(school.worker, id)).rows as [object, object];
    await change([{ ...first, cost: 1 }, second]);
    expect((await seenBy(school.head, id)).seen_hash).toBe(seen_hash);
    await change([{ ...first, what: '扫描仪' }, second]);
    const late = await handle(school.head, id, 4, { seen_hash });
    expect(late.code).not.toBe(0);
    const { changes, current } = late.data as unknown as { changes: object[]; current: Detail };
    expect(changes).toMatchObject([{ field_key: 'rows', before: '', after: '' }]);
    silent(JSON.stringify(current.field_list), file);
  });

  test('by a call to another system or by a card', async () => {
    const { id, file } = await priced();
    const letter = await eventually(() => {
      const found = receiver.letters.find(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id === id);
      if (!found) throw new Error('not called');
      return found.body;
    });
    const { form } = (JSON.parse(letter) as { data: { form: object } }).data;
    expect(form).toEqual({ rows: asked, total: 1000 });
    const card = await eventually(() => {
      const found = house.cards().find(({ body }) => body['receive_id'] === school.head.username);
      if (!found) throw new Error('no card');
      return found;
    });
    silent(JSON.stringify(card.body), file);
    const [url] = Object.values(buttonsOf(card));
    const page = await school.office.stranger.fetch(url!.slice(school.office.url.length));
    const text = await page.text();
    expect(text).toContain('打印机');
    silent(text, file);
  });

  test('by its files: a person who does not see the column cannot open them', async () => {
    const { id, file } = await priced();
    const opened = async (who: Client) => {
      const text = await (await who.fetch(`/api/file/${file.id}/`)).text();
      return text === '底单' || (JSON.parse(text) as { code: number }).code;
    };
    const item = (await seenBy(school.worker, id)).field_list.find(({ field_key }) => field_key === 'rows')!;
    expect(item.field_files.map((one) => one.id)).toEqual([file.id]);
    expect([await opened(school.worker), await opened(school.head), await opened(school.staff)]).toEqual([
      true,
      4004,
      4004,
    ]);
  });

  test('by a return: a change in a hidden column counts as no difference for those who do not see it', async () => {
    const { id, file } = await priced();
    const back = await school.head.ask(ticketActions.giveBack, {
      params: { id },
      body: { state_id: 2, suggestion: '再问问' },
    });
    expect(back.code, back.msg).toBe(0);
    const rows = ((await rowsOf(school.worker, id)).rows as object[]).map((row) => ({
      ...row,
      gain: undefined,
      cost: 30,
    }));
    const again = await handle(school.worker, id, 2, { rows });
    expect(again.code, again.msg).toBe(0);
    const { since_decided } = await seenBy(school.head, id);
    expect(since_decided?.was ?? {}).toEqual({});
    silent(JSON.stringify(since_decided), file);
  });
});
