import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter, dayOf, momentOf, weekdayOf } from '#kernel/contract/moment.ts';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { ticketProblems, unlikeTheirLog } from '#modules/workflow/tickets/demo/check.ts';
import { verifyTicketLogs } from '#modules/workflow/tickets/store/chain.ts';
import { addDemoTickets } from '#modules/workflow/tickets/demo/demo.ts';
import { demoPassword, refusePublicDemo } from './demo-accounts.ts';
import { addDemoOrganisation, demoWorkflows } from './demo-organisation.ts';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
// Today, because much of its data is compared with the database's own clock.
const now = new Date();

beforeAll(async () => {
  app = await openTestApp();
  await app.services.databases.write((tx) => addDemoOrganisation(tx, now));
}, 480_000);
afterAll(() => app.close());

async function count(text: string): Promise<number> {
  const { rows } = await app.services.databases.pool.query<{ count: string }>(text);
  return Number(rows[0]?.count);
}

test('the demonstration school has departments in two levels, sixty people and work orders in every stage', async () => {
  expect(await count('select count(*) from dept')).toBe(13);
  expect(await count('select count(*) from dept where parent_id is not null')).toBe(3);
  expect(
    await count('select count(*) from app_user where password <> (select password from app_user where id = 1)'),
  ).toBe(60);
  expect(await count('select count(distinct act_state) from ticket where not is_deleted')).toBeGreaterThanOrEqual(4);
  expect(await count(`select count(*) from ticket where gmt_created > '${now.toISOString()}'`)).toBe(0);
  const late = `greatest(gmt_created, submitted_at, finished_at) > '${now.toISOString()}'`;
  const others = `biz_module in ('leaders', 'meeting_changes', 'activities', 'activity_changes', 'contracts', 'stamps')`;
  expect(await count(`select count(*) from ticket where ${others} and ${late}`)).toBe(0);
});

test('in the demonstration one person holds a role for some days only', async () => {
  expect(await count('select count(*) from user_role where until is not null')).toBe(1);
  expect(await count('select count(*) from user_role where until > current_date')).toBe(1);
});

test('the demonstration has at least twenty workflows with tickets dated within their own weeks', async () => {
  const plain = 'from workflow w where w.module is null and not w.is_deleted';
  const published = `exists (select from workflow_version v where v.workflow_id = w.id and v.status = 'published')`;
  expect(await count(`select count(*) ${plain} and ${published}`)).toBeGreaterThanOrEqual(20);
  const used = 'exists (select from ticket t where t.workflow_id = w.id)';
  expect(await count(`select count(*) ${plain} and ${used}`)).toBeGreaterThanOrEqual(20);
  expect(await count(`select count(*) from ticket where form::text ~ '"200[01]-[0-9][0-9]-[0-9][0-9]'`)).toBe(0);
});

test('the demonstration has documents in every state, two distributed and partly read, and three notices', async () => {
  expect(await count('select count(*) from document')).toBe(21);
  expect(await count('select count(distinct act_state) from document')).toBeGreaterThanOrEqual(4);
  expect(await count(`select count(*) from document where doc_number <> ''`)).toBeGreaterThanOrEqual(5);
  expect(await count('select count(*) from document_dist where read > 0 and read < total')).toBe(2);
  expect(await count('select count(*) from customer')).toBe(12);
  expect(await count('select count(*) from customer_project')).toBe(30);
  expect(await count('select count(*) from document_notice')).toBe(3);
  expect(await count('select count(*) from msg_user where read_time is null')).toBe(0);
});

test('a leader invited to a meeting of the demonstration has one answer, in the meeting and in their schedule', async () => {
  const both = `from leader_schedule s join leader_attend l on l.schedule_id = s.id
    join meet_attendee a on a.meet_id = s.source_id and a.user_id = l.leader_id where s.source_module = 'meetings' and s.cancelled_at is null`;
  expect(await count(`select count(*) ${both}`)).toBeGreaterThan(0);
  expect(await count(`select count(*) ${both} and a.reply <> l.state`)).toBe(0);
});

test('of the demonstration’s contracts one was sealed and waits for its signature', async () => {
  expect(await count('select count(*) from contract where stage = 20 and stamp_application_id is not null')).toBe(1);
  expect(
    await count(`select count(*) from contract c join stamp_application a on a.id = c.stamp_application_id
      where a.source_module = 'contracts' and a.source_id = c.id and a.seal_status = 2`),
  ).toBe(1);
});

test('demonstration tickets satisfy the invariants of the engine, and their logs replay to their states', async () => {
  expect(await ticketProblems(app.db)).toEqual([]);
  expect(await unlikeTheirLog(app.db, 150)).toEqual([]);
  expect(await app.services.databases.snapshot(verifyTicketLogs)).toMatchObject({ unsealed: 0, broken: null });
});

test('large data satisfies the invariants, continues the numbers and leaves keys and indexes unchanged', async () => {
  const parts = `select count(*) from pg_constraint c where c.contype = 'f' and conrelid::regclass::text like 'ticket%'`;
  const indexes = `select count(*) from pg_indexes where tablename like 'ticket%'`;
  const before = [await count(parts), await count(indexes)];
  const added = await app.services.databases.write(async (tx) =>
    addDemoTickets(tx, { tickets: 5000, weeks: 156, now, chance: chanceOf(7), ...(await demoWorkflows(tx)) }),
  );
  expect(added).toBe(5000);
  expect([await count(parts), await count(indexes)]).toEqual(before);
  expect(await ticketProblems(app.db)).toEqual([]);
  const deletedTasks = `select count(*) from ticket_task w join ticket t on t.id = w.ticket_id where t.is_deleted`;
  expect(await count(deletedTasks)).toBeGreaterThan(0);
  expect(await count(`${deletedTasks} and not w.ticket_deleted`)).toBe(0);
  expect(await unlikeTheirLog(app.db, 50)).toEqual([]);
  expect(await app.services.databases.snapshot(verifyTicketLogs)).toMatchObject({ unsealed: 0, broken: null });
}, 300_000);

test('large data made in the first minutes of a week has as many tickets as requested', async () => {
  const today = dayOf(now);
  const monday = momentOf(`${dayAfter(today, 1 - weekdayOf(today))} 00:10:00`);
  const added = await app.services.databases.write(async (tx) =>
    addDemoTickets(tx, { tickets: 400, weeks: 8, now: monday, chance: chanceOf(11), ...(await demoWorkflows(tx)) }),
  );
  expect(added).toBe(400);
  expect(await ticketProblems(app.db)).toEqual([]);
});

test('a public address refuses to start while demonstration accounts exist', async () => {
  const { write, pool } = app.services.databases;
  const start = (host: string, publicUrl?: string) => write((tx) => refusePublicDemo(tx, { host, publicUrl }));
  await expect(start('127.0.0.1')).resolves.toBeUndefined();
  await expect(start('0.0.0.0')).rejects.toThrow('60 个演示账号');
  await expect(start('127.0.0.1', 'https://oa.example.cn')).rejects.toThrow('演示账号');
  await pool.query(`update app_user set is_active = false where username <> 'admin'`);
  await expect(start('0.0.0.0')).resolves.toBeUndefined();
  expect(demoPassword).toBe('Gongdan@2026');
});

/** The next day with this weekday, from tomorrow on. */
function coming(weekday: number): string {
  const week = Array.from({ length: 7 }, (_none, days) => new Date(now.getTime() + (days + 1) * 86_400_000));
  return dayOf(week.find((one) => new Date(dayOf(one)).getUTCDay() === weekday)!);
}
const moments = [
  ['in the first hour of a Monday', `${coming(1)} 00:20`],
  ['at midnight', `${coming(2)} 00:00`],
  ['just before midnight', `${coming(5)} 23:59`],
  ['on a Sunday before breakfast', `${coming(0)} 06:10`],
  ['in the first hour of a year', `${now.getFullYear() + 1}-01-01 00:20`],
] as const;
const told = process.env['NIGHTLY'] ? moments : [];

test.for(told)('the demonstration can be created %s', { timeout: 480_000 }, async ([, at]) => {
  const other = await openTestApp();
  try {
    await other.services.databases.write((tx) => addDemoOrganisation(tx, momentOf(at)));
  } finally {
    await other.close();
  }
});
