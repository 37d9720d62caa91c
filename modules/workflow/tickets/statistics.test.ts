import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { hashOf } from '#modules/workflow/workflows/service.ts';
import { itService } from '#modules/workflow/workflows/engine/gallery/it-service.ts';
import { workflowVersionTable } from '#modules/workflow/workflows/tables.ts';
import { tickets } from './contract.ts';
import { ticketStatistics, type TicketStatistics } from './contract/statistics.ts';

const form = {
  title: '水管漏水',
  category: 'network',
  place: '一号楼 301',
  urgency: 'urgent',
  description: '洗手池',
  amount: 300,
};
const [submit, headAgrees, headRefuses] = [2, 3, 4];
let app: TestOffice;
let repair: number;
let staff: Client;
let head: Client;
let dept: number;

/** The head of department has eight working hours. */
const timed = {
  ...itService.definition,
  states: itService.definition.states.map((state) =>
    state.kind === 'approve' ? { ...state, timeout: { hours: 8, working_time: true, action: 1 as const } } : state,
  ),
};

beforeAll(async () => {
  const school = await openSchool();
  ({ office: app, dept, staff, head } = school);
  repair = await school.flowOf('it_service');
  await app.services.databases.write(async (tx) => {
    await tx.execute(sql`update workflow_version set status = 'retired' where workflow_id = ${repair}`);
    await tx.insert(workflowVersionTable).values({
      workflow_id: repair,
      no: 2,
      status: 'published',
      definition: timed,
      hash: hashOf(timed),
      published_at: new Date().toISOString(),
    });
  });
});
afterAll(() => app.close());

const begin = () =>
  staff.get(tickets.start, { body: { workflow_id: repair, transition_id: submit, ...form } }).then(({ id }) => id);
const does = (who: Client, id: number, transition_id: number) =>
  who.get(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好' } });
const shift = (id: number, opened: string, read: string, decided: string) =>
  app.services.databases.write(async (tx) => {
    await tx.execute(sql`update ticket_task set opened_at = ${opened}, first_read_at = ${read}, decided_at = ${decided},
      due_at = ${decided}::timestamptz - interval '1 minute' where ticket_id = ${id} and assignee_id = ${head.userId}`);
  });

const figuresOf = async (who: Client, query: object = {}) =>
  (await who.get(ticketStatistics.call, { query })).value as TicketStatistics;

test('a task and its ticket are overdue after the state’s working hours, and no longer once it is returned', async () => {
  const id = await begin();
  const { due_at } = (await staff.get(tickets.get, { params: { id } })).value;
  const { rows } = await app.db.execute<{ due: string; hours: number }>(
    sql`select left(due_at::text, 19) as due, extract(epoch from due_at - now()) / 3600 as hours from ticket_task
      where ticket_id = ${id} and status = 'todo'`,
  );
  expect(rows[0]!.due).toBe(due_at);
  expect(Number(rows[0]!.hours)).toBeGreaterThan(8);
  await does(head, id, headRefuses);
  expect((await staff.get(tickets.get, { params: { id } })).value.due_at).toBeNull();
});

describe('ticket statistics', () => {
  test('count waiting and handling time in working hours, returns and late tasks', async () => {
    await app.services.databases.write((tx) =>
      tx.execute(sql`update ticket set submitted_at = null, is_deleted = true`),
    );
    const [first, second, third] = [await begin(), await begin(), await begin()];
    await does(head, first, headAgrees);
    await does(head, second, headRefuses);
    // One over the National Day holiday of 2025, one within a morning.
    await shift(first, '2025-09-30 17:00+08', '2025-10-09 09:30+08', '2025-10-09 11:30+08');
    await shift(second, '2025-10-09 09:00+08', '2025-10-09 10:00+08', '2025-10-09 12:00+08');
    const viewer = await app.clerk({ 'ticket/statistics': ['Retrieve', 'daochu'] });
    const asked = { start: '2025-10-01', end: '2025-10-31' };
    const ask = (more: object = {}) => figuresOf(viewer, { ...asked, ...more });
    const all = await ask();
    const row = all.by_person.find((one) => one.name === '李四')!;
    expect([row.decided, row.wait_hours, row.work_hours, row.returned, row.return_rate, row.overdue, row.open]).toEqual(
      [2, 1.5, 2, 1, 50, 2, 1],
    );
    expect(all.summary).toMatchObject({ decided: 2, open: 2, open_overdue: 0 });
    expect(all.by_state.map((one) => one.name)).toContain('信息化服务 · 部门负责人审批');
    expect(all.by_month).toEqual([expect.objectContaining({ key: '2025-10', decided: 2, started: 0 })]);
    const people = await viewer.get(ticketStatistics.call, { query: { ...asked, dim: 'person' } });
    expect(people.value).toEqual(all.by_person);
    expect((await figuresOf(viewer)).by_month.at(-1)).toMatchObject({ started: 3, finished: 0 });
    expect((await ask({ workflow_id: repair + 1000 })).summary.decided).toBe(0);
    expect((await ask({ dept })).summary.decided).toBe(2);
    expect((await ask({ dept: await app.dept() })).summary.decided).toBe(0);
    const sheet = await viewer.fetch('/api/tickets/statistics/?dim=person&export=xlsx');
    expect(sheet.headers.get('content-type')).toContain('spreadsheet');
    expect(third).toBeGreaterThan(0);
  });

  test('cover only the tickets within the data scope of the viewer’s page', async () => {
    const elsewhere = await app.clerk({ 'ticket/statistics': ['Retrieve'] }, { dataScope: 3, dept: await app.dept() });
    const here = await app.clerk({ 'ticket/statistics': ['Retrieve'] }, { dataScope: 3, dept });
    const started = async (who: Client) => (await figuresOf(who)).summary.started;
    expect([await started(elsewhere), await started(here)]).toEqual([0, 3]);
    expect((await staff.ask(ticketStatistics.call)).code).toBe(4003);
    expect((await (await here.fetch('/api/tickets/statistics/?export=xlsx')).json()) as object).toMatchObject({
      code: 4003,
    });
  });
});
