import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestOffice, type TestOffice } from '#apps/server/testing.ts';
import { verifyTicketLogs } from './chain.ts';
import { headAgrees, headRefuses, repairCast } from './testing/repair.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await openTestOffice();
}, 60_000);
afterAll(() => office.close());

test('the log of tickets is a chain that tells where somebody has changed it', async () => {
  const cast = await repairCast(office);
  const [first, second] = [await cast.begin({ amount: 9000.5 }), await cast.begin()];
  await cast.does(cast.head, first.id, headAgrees);
  await cast.does(cast.head, second.id, headRefuses, { suggestion: '不同意' });
  const { databases } = office.services;
  const verify = () => databases.snapshot(verifyTicketLogs);
  expect(await verify()).toEqual({ rows: 4, unsealed: 0, broken: null });
  const owner = databases.pool;
  await owner.query('alter table ticket_log disable trigger ticket_log_append_only');
  await owner.query(`update ticket_log set suggestion = '同意' where ticket_id = ${second.id} and seq = 2`);
  expect((await verify()).broken).toEqual({ ticket_id: second.id, seq: 2 });
  await owner.query(`update ticket_log set suggestion = '不同意' where ticket_id = ${second.id} and seq = 2`);
  await owner.query(`delete from ticket_log where ticket_id = ${first.id} and seq = 1`);
  expect((await verify()).broken).toEqual({ ticket_id: first.id, seq: 2 });
});
