import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { counted, roundTrips } from './counted.ts';

const app = await openTestApp();
afterAll(() => app.close());

test('counting a call’s statements leaves out those of other calls and background work', async () => {
  const other = await app.signIn(await app.person({ alias: '旁人', roles: ['staff'] }));
  const list = () => app.admin.get(tickets.jiaobiao);
  await list();
  const alone = { texts: await counted(app.admin, list), trips: await roundTrips(app.admin, list) };
  expect(alone.texts.length).toBeGreaterThan(0);
  let busy = true;
  let done = 0;
  const noise = Array.from({ length: 4 }, async () => {
    while (busy) {
      await other.get(tickets.jiaobiao);
      await app.services.databases.write((tx) => tx.execute(sql`select pg_notify('nobody', 'hears')`));
      done++;
    }
  });
  const before = done;
  try {
    for (const ends = Date.now() + 6000; Date.now() < ends;) {
      expect(await counted(app.admin, list)).toEqual(alone.texts);
      expect(await roundTrips(app.admin, list)).toBe(alone.trips);
    }
  } finally {
    busy = false;
    await Promise.all(noise);
  }
  expect(done, 'there was something else to hear').toBeGreaterThan(before);
});
