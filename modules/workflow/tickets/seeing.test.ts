import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { tickets } from './contract.ts';
import { headAgrees, repairCast } from './testing/repair.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
}, 180_000);
afterAll(() => app.close());

describe('a person who is not involved in a ticket', () => {
  test('finds it nowhere, and gets the same answers as for a ticket that does not exist', async () => {
    const { staff, stranger, begin, does } = cast;
    const { id, sn } = await begin({ title: '金丝雀工单' });
    const missing = await stranger.ask(tickets.get, { params: { id: 2_000_000_000 } });
    for (const call of [tickets.get, tickets.transitions, tickets.flowsteps, tickets.flowlogs] as const) {
      const answer = await stranger.ask(call as typeof tickets.get, { params: { id } });
      expect([answer.code, answer.msg, answer.data]).toEqual([4004, missing.msg, missing.data]);
    }
    expect((await does(stranger, id, headAgrees)).code).toBe(4004);
    expect((await stranger.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(4004);
    expect((await stranger.ask(tickets.remove, { params: { id } })).code).toBe(4004);
    for (const query of [{}, { search_value: '金丝雀' }, { sn }, { ticket_ids: String(id) }, { title: '金丝雀' }]) {
      const list = await stranger.get(tickets.list, { query: query as never });
      expect([list.total, list.value]).toEqual([0, []]);
    }
    const counts = await stranger.get(tickets.jiaobiao);
    expect(Object.values(counts.by_category).every((count) => count === 0)).toBe(true);
    expect((await stranger.ask(tickets.list, { query: { category: 'all' } })).code).toBe(4003);
    expect((await (await stranger.fetch('/api/tickets/?export=xlsx')).json()) as object).toMatchObject({ code: 4003 });
    const mine = await staff.get(tickets.list, { query: { search_value: '金丝雀' } });
    expect(mine.value.map((row) => row.id)).toEqual([id]);
  });

  test('sees it on the page of all tickets if it lies within their data scope, and otherwise not', async () => {
    const { begin, detail } = cast;
    const { id } = await begin();
    const wide = await app.clerk({ 'ticket/all': ['Retrieve', 'daochu'] }, { dataScope: 1 });
    const narrow = await app.clerk({ 'ticket/all': ['Retrieve', 'daochu'] }, { dataScope: 3, dept: await app.dept() });
    const has = async (who: Client) =>
      (await who.get(tickets.list, { query: { category: 'all', ticket_ids: String(id) } as never })).total;
    expect([await has(wide), await has(narrow)]).toEqual([1, 0]);
    expect((await narrow.ask(tickets.get, { params: { id } })).code).toBe(4004);
    expect((await detail(wide, id)).actions).toEqual(['comment']);
    const sheet = await wide.fetch('/api/tickets/?category=all&export=xlsx');
    expect(sheet.headers.get('content-type')).toContain('spreadsheet');
  });
});

describe('the fields of a form', () => {
  test('are written only where the state permits, and read only by those who may see them', async () => {
    const { head, begin, does, detail } = cast;
    const { id } = await begin({ amount: 300 });
    const touched = await does(head, id, headAgrees, { amount: 1 });
    expect([touched.code, touched.msg]).toEqual([4000, '预计金额：在当前环节不能修改']);
    const hidden = await does(head, id, headAgrees, { result: '偷写' });
    expect([hidden.code, hidden.msg]).toEqual([4000, 'result：当前环节没有这个字段']);
    const unknown = await does(head, id, headAgrees, { nonsense: 1 });
    expect(unknown.msg).toBe('nonsense：当前环节没有这个字段');
    const rights = (await detail(head, id)).field_list.map((field) => [field.field_key, field.field_attribute]);
    expect(rights).toContainEqual(['amount', 1]);
    const viewer = await app.clerk({ 'ticket/all': ['Retrieve'] });
    const shown = (await detail(viewer, id)).field_list.map((field) => field.field_key);
    expect(shown).toEqual(['title', 'category', 'place', 'urgency', 'result']);
    const logs = await viewer.get(tickets.flowlogs, { params: { id }, query: { ticket_data: true } as never });
    expect(Object.keys(logs.value[0]!.ticket_data!).toSorted()).toEqual(['category', 'place', 'title', 'urgency']);
  });
});
