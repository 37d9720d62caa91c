import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { organisationFindings } from '#modules/workflow/workflows/definition/resolve-check.ts';
import { Definition, type Children } from '#modules/workflow/workflows/engine/definition.ts';
import { ticketActions as actions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';

let school: School;
let app: TestOffice;
let [staff, one, two, admin]: Client[] = [];
let child = 0;
let serial = 0;

const number = (prefix: string) => ({ number_rule: { prefix, digits: 4, period: 'day' as const } });
const agree = (id: number, source: number, destination: number) => ({
  id,
  key: `t${id}`,
  name: '同意',
  source,
  destination,
  attribute: 1 as const,
});
const end = (id: number) => ({ id, key: 'end', name: '结束', kind: 'end' as const, order: id });
const person = (user: Client) => [{ type: 1 as const, user: user.userId }];

beforeAll(async () => {
  school = await openSchool();
  app = school.office;
  ({ staff } = school);
  [one, two] = [await school.hire('钱一'), await school.hire('吴二')];
  ({ admin } = app);
  child = await addFlow(app, 'quote', {
    name: '询价',
    fields: [
      { id: 1, key: 'what', name: '物品', type: fieldType.string },
      { id: 2, key: 'reason', name: '事由', type: fieldType.string },
      { id: 3, key: 'price', name: '报价', type: fieldType.money },
      { id: 4, key: 'who', name: '经办人', type: fieldType.user },
    ],
    settings: { title_template: '询价：{what}', display_form: ['what'], ...number('XJ') },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { what: 3, reason: 3, who: 3 } },
      {
        id: 2,
        key: 'ask',
        name: '询价',
        kind: 'handle',
        order: 2,
        access: { what: 1, reason: 1, price: 3 },
        participants: person(one!),
      },
      end(3),
    ],
    transitions: [agree(1, 1, 2), agree(2, 2, 3), { ...agree(3, 2, 3), name: '询不到', attribute: 2 }],
  });
});
afterAll(() => app.close());

/** A purchase whose second state begins tickets below itself, then asks the second person. */
async function purchase(children: Omit<z.input<typeof Children>, 'workflow'>) {
  const no = ++serial;
  const flow = await addFlow(app, `purchase${no}`, {
    name: `采购${no}`,
    fields: [
      {
        id: 1,
        key: 'items',
        name: '明细',
        type: fieldType.table,
        columns: [
          { key: 'what', name: '物品', type: fieldType.string },
          { key: 'price', name: '价格', type: fieldType.money },
        ],
      },
      { id: 2, key: 'people', name: '协办人', type: fieldType.users },
      { id: 3, key: 'reason', name: '事由', type: fieldType.string },
      { id: 4, key: 'enough', name: '几家', type: fieldType.int },
    ],
    settings: { title_template: '{workflow}', ...number(`CG${'ABCDEFGHIJ'[no]}`) },
    states: [
      {
        id: 1,
        key: 'start',
        name: '填写',
        kind: 'start',
        order: 1,
        access: { items: 3, people: 3, reason: 3, enough: 3 },
      },
      {
        id: 2,
        key: 'below',
        name: '分头询价',
        kind: 'subticket',
        order: 2,
        access: { items: 3 },
        participants: person(two!),
        children: { workflow: child, ...children },
      },
      {
        id: 3,
        key: 'after',
        name: '汇总',
        kind: 'approve',
        order: 3,
        access: { items: 1 },
        participants: person(two!),
      },
      end(4),
    ],
    transitions: [agree(1, 1, 2), agree(2, 2, 3), agree(3, 3, 4)],
  });
  return async (form: object) =>
    (await staff!.get(tickets.start, { body: { workflow_id: flow, transition_id: 1, ...form } })).id;
}
const rows = { each: 'items', values: { what: 'row.what', reason: 'form.reason' }, back: { price: 'price' } };
const below = async (id: number) => {
  const { pool } = app.services.databases;
  const found = await pool.query<{ id: number; title: string; parent_item: string; creator_id: number; form: unknown }>(
    'select id, title, parent_item, creator_id, form from ticket where parent_ticket_id = $1 order by id',
    [id],
  );
  return found.rows;
};
const does = async (who: Client, id: number, transition_id: number, more: object = {}) =>
  expect(
    (await who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...more } })).code,
  ).toBe(0);
const detail = async (id: number) => (await admin!.get(tickets.get, { params: { id } })).value;
const at = async (id: number) => (await detail(id)).state.state_name;

describe('a state that starts child tickets by itself', () => {
  test('starts one for each row with the row’s values, and writes their results back into the row', async () => {
    const begin = await purchase(rows);
    const id = await begin({ reason: '开学', items: [{ what: '桌子' }, { what: '椅子' }] });
    const children = await below(id);
    expect(children.map(({ title, parent_item, creator_id, form }) => [title, parent_item, creator_id, form])).toEqual([
      ['询价：桌子', '1', staff!.userId, { what: '桌子', reason: '开学' }],
      ['询价：椅子', '2', staff!.userId, { what: '椅子', reason: '开学' }],
    ]);
    await does(one!, children[1]!.id, 2, { price: 88 });
    expect(await at(id)).toBe('分头询价');
    await does(one!, children[0]!.id, 2, { price: 250.5 });
    expect(await at(id)).toBe('汇总');
    const { rows: kept } = await app.services.databases.pool.query('select form from ticket where id = $1', [id]);
    expect(kept[0]).toMatchObject({
      form: {
        items: [
          { what: '桌子', price: 250.5 },
          { what: '椅子', price: 88 },
        ],
      },
    });
  });

  test('starts one for each person in a field, and moves on by itself when there is nothing to start', async () => {
    const begin = await purchase({ each: 'people', values: { who: 'person', what: 'form.reason' } });
    const id = await begin({ reason: '讲座', people: [one!.username, two!.username] });
    expect((await below(id)).map(({ parent_item, form }) => [parent_item, form])).toEqual([
      [one!.username, { who: one!.username, what: '讲座' }],
      [two!.username, { who: two!.username, what: '讲座' }],
    ]);
    expect(await at(await begin({ reason: '没有人' }))).toBe('汇总');
  });

  test('moves on once the required number of children is finished, and children that finish later do not move it again', async () => {
    for (const [wanted, form] of [
      [1, {}],
      ['enough', { enough: 1 }],
    ] as const) {
      const begin = await purchase({ ...rows, enough: wanted });
      const id = await begin({ items: [{ what: '甲' }, { what: '乙' }], ...form });
      const [first, second] = await below(id);
      await does(one!, second!.id, 2, { price: 5 });
      expect(await at(id)).toBe('汇总');
      await does(one!, first!.id, 2, { price: 6 });
      expect(await at(id)).toBe('汇总');
    }
  });

  test('writes nothing back from a child that was refused', async () => {
    const begin = await purchase(rows);
    const id = await begin({ items: [{ what: '甲' }] });
    const [only] = await below(id);
    await does(one!, only!.id, 3);
    expect(await at(id)).toBe('汇总');
    const { rows: kept } = await app.services.databases.pool.query('select form from ticket where id = $1', [id]);
    expect(kept[0]).toMatchObject({ form: { items: [{ what: '甲' }] } });
  });

  test('gives its administrators a task with the reason when a child cannot be started, and starts all once that is repaired', async () => {
    const begin = await purchase(rows);
    const { pool } = app.services.databases;
    await pool.query('update workflow set status = 0 where id = $1', [child]);
    const id = await begin({ items: [{ what: '甲' }, { what: '乙' }] });
    expect(await below(id)).toEqual([]);
    const { rows: stalled } = await pool.query(
      `select reason from ticket_task where ticket_id = $1 and origin = 'stall' and status = 'todo'`,
      [id],
    );
    expect(stalled[0]).toMatchObject({ reason: expect.stringContaining('没有发起下级工单') });
    await pool.query('update workflow set status = 1 where id = $1', [child]);
    const again = await admin!.ask(actions.state, { params: { id }, body: { state_id: 2, suggestion: '再发起' } });
    expect(again.code).toBe(0);
    expect((await below(id)).length).toBe(2);
  });

  test('cannot be published when it starts its own workflow, and stops after five levels if two do so at once', async () => {
    const circle = (name: string, workflow: number) =>
      Definition.parse({
        name,
        fields: [{ id: 1, key: 'people', name: '协办人', type: fieldType.users }],
        settings: { title_template: name, ...number(name) },
        states: [
          { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { people: 3 } },
          {
            id: 2,
            key: 'below',
            name: '分头办',
            kind: 'subticket',
            order: 2,
            participants: person(two!),
            children: { workflow, each: 'people', values: { people: 'form.people' } },
          },
          end(3),
        ],
        transitions: [agree(1, 1, 2), agree(2, 2, 3)],
      });
    const { databases } = app.services;
    const { rows: flows } = await databases.pool.query<{ last: number }>('select max(id) as last from workflow');
    const second = flows[0]!.last + 2;
    const back = circle('YQA', second);
    const first = await addFlow(app, 'circle', back);
    expect(await addFlow(app, 'circleback', circle('YQB', first))).toBe(second);
    const { problems } = await databases.write((tx) => organisationFindings(tx, first, back));
    expect(problems.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('又会自动发起本流程'));
    const form = { workflow_id: first, transition_id: 1, people: [one!.username] };
    let at: number | undefined = (await staff!.get(tickets.start, { body: form })).id;
    const chain: number[] = [];
    for (; at !== undefined; at = (await below(at))[0]?.id) chain.push(at);
    expect(chain).toHaveLength(6);
    const { rows: stalled } = await databases.pool.query<{ reason: string }>(
      `select reason from ticket_task where ticket_id = $1 and origin = 'stall' and status = 'todo'`,
      [chain.at(-1)],
    );
    expect(stalled[0]?.reason).toContain('不能再往下自动发起');
  });
});
