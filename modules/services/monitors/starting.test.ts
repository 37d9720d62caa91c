import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { startMonitoring } from './probing/start.ts';
import { dueTable } from './tables.ts';
import { openWatching } from './testing/watching.ts';

const { app, project, asks, close } = await openWatching();
const { db, databaseUrl: url } = app;
afterAll(close);

test('a system without monitors starts no monitoring thread, and its first monitor starts one', async () => {
  const monitoring = await startMonitoring(app.services, { url, places: 20, allow: ['127.0.0.0/8'], claimMs: 30 });
  await new Promise((go) => setTimeout(go, 1500));
  expect((await db.execute(sql`select from monitor_node`)).rows).toEqual([]);
  const one = await project();
  await app.services.databases.write((tx) =>
    tx
      .update(dueTable)
      .set({ next_at: sql`now()` as never })
      .where(eq(dueTable.project_id, one.id)),
  );
  await eventually(async () => expect(asks.get(one.path)).toBeGreaterThan(0));
  await monitoring.stop();
});
