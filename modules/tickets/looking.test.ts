import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestOffice, type Client, type TestOffice } from '#apps/server/testing.ts';
import { deptPersonTable } from '#modules/people/tables.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { publishTrip } from './testing/trip.ts';

const form = { kind: 'personal', from: '2026-11-23', to: '2026-11-24', days: 2, reason: '开会' };
const [submit, agree] = [2, 3];

let office: TestOffice;
let flow: number;
let staff: Client;
let head: Client;
const names: string[] = [];

beforeAll(async () => {
  office = await openTestOffice();
  const dept = await office.dept('后勤处');
  const clerk = (alias: string) => office.clerk({ 'ticket/new': ['Create'] }, { alias, dept, dataScope: 5 });
  staff = await clerk('张三');
  head = await clerk('李四');
  await office.services.databases.write((tx) =>
    tx.insert(deptPersonTable).values({ deptId: dept, userId: head.userId, part: 'leader' }),
  );
  for (const who of [staff, head]) {
    const { rows } = await office.db.$client.query<{ username: string }>(
      'select username from app_user where id = $1',
      [who.userId],
    );
    names.push(rows[0]!.username);
  }
  flow = await publishTrip(office, 'trip');
}, 60_000);
afterAll(() => office.close());

const begin = async (more: object = {}) =>
  (await staff.get(tickets.start, { body: { workflow_id: flow, transition_id: submit, ...form, ...more } })).id;
const agrees = (id: number, more: object = {}) =>
  head.get(tickets.handle, { params: { id }, body: { transition_id: agree, suggestion: '', ...more } });
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const rowOf = async (who: Client, id: number) =>
  (await who.get(tickets.list, { query: { category: 'relation', ticket_ids: String(id) } as never })).value[0]!;

test('people in the form are named, also in the rows of a table and in what the log changed', async () => {
  const [zhang, li] = names as [string, string];
  const id = await begin({ who: zhang, trips: [{ who: li, place: '省厅' }] });
  const fields = (await detail(staff, id)).field_list;
  const named = (key: string) => fields.find((field) => field.field_key === key)?.field_people;
  expect([named('who'), named('trips')]).toEqual([{ [zhang]: '张三' }, { [li]: '李四' }]);
  await agrees(id, { trips: [{ who: zhang, place: '省厅' }] });
  const { value } = await staff.get(tickets.flowlogs, { params: { id }, query: { ticket_data: true } as never });
  expect(value[0]!.ticket_people).toEqual({ [zhang]: '张三', [li]: '李四' });
  expect(value.at(-1)!.ticket_people).toEqual({ [zhang]: '张三' });
});

test('a list marks what others did since I last opened it, and nothing I never opened or did myself', async () => {
  const id = await begin();
  expect((await rowOf(staff, id)).news).toBe(false);
  expect((await detail(staff, id)).looked_seq).toBeNull();
  const comment = (who: Client) => who.get(ticketActions.comment, { params: { id }, body: { suggestion: '知道了' } });
  await comment(staff);
  expect((await rowOf(staff, id)).news).toBe(false);
  await comment(head);
  expect((await rowOf(staff, id)).news).toBe(true);
  const seen = await detail(staff, id);
  expect([seen.looked_seq, seen.news]).toEqual([1, true]);
  expect([(await rowOf(staff, id)).news, (await detail(staff, id)).looked_seq]).toEqual([false, 3]);
  const { value } = await staff.get(tickets.flowlogs, { params: { id } });
  expect(value.map((log) => log.mine)).toEqual([true, true, false]);
});
