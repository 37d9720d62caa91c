import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { access } from '#modules/platform/access/contract.ts';
import { sealLogs } from './chain/chain.ts';
import { audit } from './contract.ts';
import { foldRefusals } from './refusals.ts';
import { verifyLogs } from './chain/verify.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

test('simultaneous refusals of one person and call are one log row with their count, and the chain verifies', async () => {
  const { databases } = app.services;
  const [nosy, other] = [await app.clerk({}), await app.clerk({})];
  const asked = async () => expect((await nosy.ask(access.roles)).code).toBe(4003);
  await times(300, asked);
  await other.ask(access.roles);
  expect((await nosy.ask(audit.list)).code).toBe(4003);
  const rowsOf = async (userId: number) => {
    const { rows } = await databases.pool.query<{ action: string; title: string; result: number }>(
      'select action, title, result from log where user_id = $1 and result <> 0 order by id',
      [userId],
    );
    return rows;
  };
  expect((await rowsOf(nosy.userId)).map(({ action }) => action)).toEqual([access.roles.summary, audit.list.summary]);
  expect(await rowsOf(other.userId)).toHaveLength(1);
  expect(await databases.write(foldRefusals)).toBe(false);
  expect(await rowsOf(nosy.userId)).toHaveLength(2);

  await databases.pool.query(`update log_refusal set first_at = first_at - interval '11 minutes'`);
  await databases.write(foldRefusals);
  const told = await rowsOf(nosy.userId);
  expect(told).toHaveLength(3);
  expect(told[2]).toMatchObject({ action: access.roles.summary, result: 4003 });
  expect(told[2]!.title).toMatch(/^同样的请求又被拒绝 299 次，\d{4}-\d\d-\d\d [\d:]{8} 至 /);
  expect(await rowsOf(other.userId)).toHaveLength(1);
  // The next refusal begins a new count.
  await asked();
  expect(await rowsOf(nosy.userId)).toHaveLength(4);
  while (await databases.write(sealLogs));
  expect(await databases.snapshot(verifyLogs)).toMatchObject({ unsealed: 0, broken: null });
});
