import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { verifyTicketLogs } from './store/chain.ts';
import { headAgrees, headRefuses, repairCast } from './testing/repair.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
beforeEach(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
}, 180_000);
afterEach(() => app.close());

const verify = () => app.services.databases.snapshot(verifyTicketLogs);
/** Writes past the trigger, as only the owner of the database can. */
const tamper = (text: string) =>
  app.services.databases.pool.query(
    `begin; alter table ticket_log disable trigger ticket_log_append_only; ${text}; commit`,
  );

test('the log of tickets is a hash chain that shows where a row was changed', async () => {
  const [first, second] = [await cast.begin({ amount: 9000.5 }), await cast.begin()];
  await cast.does(cast.head, first.id, headAgrees);
  await cast.does(cast.head, second.id, headRefuses, { suggestion: '不同意' });
  expect(await verify()).toEqual({ rows: 4, unsealed: 0, broken: null });
  await tamper(`update ticket_log set suggestion = '同意' where ticket_id = ${second.id} and seq = 2`);
  expect((await verify()).broken).toEqual({ ticket_id: second.id, seq: 2 });
  await tamper(`update ticket_log set suggestion = '不同意' where ticket_id = ${second.id} and seq = 2`);
  await tamper(`delete from ticket_log where ticket_id = ${first.id} and seq = 1`);
  expect((await verify()).broken).toEqual({ ticket_id: first.id, seq: 2 });
});

test('a row cut off the end of a ticket’s log is detected, also if the ticket was set back to match', async () => {
  const { id } = await cast.begin();
  await cast.does(cast.head, id, headAgrees);
  await tamper(`delete from ticket_log where ticket_id = ${id} and seq = 2`);
  expect((await verify()).broken).toEqual({ ticket_id: id, seq: 2 });
  await tamper(`update ticket set seq = 1 where id = ${id}`);
  expect((await verify()).broken).toEqual({ ticket_id: id, seq: 1 });
  await tamper(`delete from ticket_log where ticket_id = ${id}`);
  expect((await verify()).broken).toEqual({ ticket_id: id, seq: 1 });
});
