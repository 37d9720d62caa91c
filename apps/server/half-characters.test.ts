import { afterAll, expect, test } from 'vitest';
import { form, repairCast, save, submit } from '#modules/workflow/tickets/testing/repair.ts';
import { publishTrip } from '#modules/workflow/tickets/testing/flow.ts';
import { items } from '#modules/office/supervision/contract/supervise.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { openTestApp } from './testing.ts';

/* Half of a character outside the basic plane, which JSON can write and no text can hold. */
const half = '半\ud83d';
const sentence = '含有不完整的字符，请删去或重新输入';

const app = await openTestApp();
const cast = await repairCast(app);
afterAll(() => app.close());

const refusedAt = (answer: { code: number; data: unknown }) => {
  const { errors } = answer.data as { errors: { field: string; msg: string }[] };
  expect([answer.code, ...errors.map((one) => one.msg)]).toEqual([4000, sentence]);
  return errors[0]!.field;
};

test('half a character is refused with its field in titles, rich text, table rows, people and field names', async () => {
  const trip = await publishTrip(app, 'half');
  const start = (fields: object, workflow_id = cast.repair, transition_id = submit) =>
    cast.staff.ask(tickets.start, { body: { workflow_id, transition_id, ...form, ...fields } as never });
  expect(refusedAt(await start({ title: half }))).toBe('title');
  expect(refusedAt(await start({ description: `<p>${half}</p>` }))).toBe('description');
  expect(refusedAt(await start({ trips: [{ place: '南京' }, { place: half }] }, trip))).toBe('trips.1.place');
  expect(refusedAt(await start({ choose: { 2: [half] } }))).toBe('choose.2.0');
  expect(refusedAt(await start({ [half]: '名' }))).toBe('半\ufffd');
  expect(refusedAt(await start({ suggestion: half }, cast.repair, save))).toBe('suggestion');
});

test('half a character is refused in an action and in a query that holds JSON', async () => {
  const { id } = await cast.begin({ amount: 300 });
  expect(refusedAt(await cast.does(cast.head, id, 3, { suggestion: half }))).toBe('suggestion');
  expect(refusedAt(await cast.act(cast.head, 'comment', id, { suggestion: half }))).toBe('suggestion');
  const fields = JSON.stringify({ category: half });
  expect(refusedAt(await cast.staff.ask(tickets.list, { query: { fields } as never }))).toBe('fields.category');
  expect((await cast.does(cast.head, id, 3)).code).toBe(0);
});

test('the log keeps whole characters when it cuts a long text', async () => {
  const body = {
    title: '长内容事项',
    source: 2,
    content: `${'字'.repeat(1999)}😀，以下略`,
    lead_dept: await app.dept(),
  };
  expect(await app.admin.ask(items.create, { body: body as never })).toMatchObject({ code: 0 });
  const { rows } = await app.services.databases.pool.query<{ diff: string }>(
    `select diff::text from log where title like '%长内容事项%' order by id desc limit 1`,
  );
  expect(rows[0]!.diff).toContain('字字"');
  expect(rows[0]!.diff.isWellFormed()).toBe(true);
});
