import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { cloneTemplate } from '#apps/server/testing.ts';
import { openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { channelNames } from './contract.ts';
import { deliverTask } from './deliver.ts';
import { post, type ChannelAdapter, type ChannelAdapters } from './service.ts';
import { deliveryTable, deliveryTryTable } from './tables.ts';
import { openLine, type Line } from '#kernel/server/testing/line.ts';

// A node whose database connection is cut at the worst moment: the receiver has just accepted the payload.
let base: Awaited<ReturnType<typeof cloneTemplate>>;
let sure: Databases;
let line: Line;
let databases: Databases;

const opened = (url: string) => openDatabases({ url, onError: () => undefined });
beforeAll(async () => {
  base = await cloneTemplate();
  sure = opened(base.url);
});
beforeEach(async () => {
  line = await openLine(base.url);
  databases = opened(line.url);
});
afterEach(async () => {
  await databases.close();
  line.close();
});
afterAll(async () => {
  await sure.close();
  await base.drop();
});

/** Delivers a payload through an adapter that does this; returns its id and, with the job, the number of times it was sent. */
async function bring(key: string, taken: () => Promise<unknown>) {
  let times = 0;
  const adapter: ChannelAdapter = {
    async send() {
      times++;
      await taken();
      return { answer: '200' };
    },
  };
  const adapters = Object.fromEntries(channelNames.map((channel) => [channel, adapter])) as ChannelAdapters;
  const payload = { channel: 'hook' as const, target: 'https://example.com/', title: '通知', body: {}, key };
  const [id] = (await sure.write((tx) => post(tx, [payload]))) as [number];
  const done = deliverTask({ databases, adapters })
    .run({ id }, { attempt: 1, now: new Date() })
    .then(() => times);
  return { id, done };
}
async function noted(id: number) {
  const [row] = await sure.fresh.select().from(deliveryTable).where(eq(deliveryTable.id, id));
  const tries = await sure.fresh.select().from(deliveryTryTable).where(eq(deliveryTryTable.delivery_id, id));
  return { state: row!.state, answer: row!.answer, tries: tries.map((one) => one.done) };
}
const whole = { state: 'sent', answer: '200', tries: [true] };

test('a delivery accepted while the database was away is recorded afterwards and not sent again', async () => {
  const { id, done } = await bring('away', async () => {
    line.cut();
    setTimeout(line.mend, 700);
  });
  expect(await done).toBe(1);
  expect(await noted(id)).toEqual(whole);
});

test(
  'an accepted delivery is recorded by one statement that nobody has to wait for',
  { timeout: 180_000 },
  async () => {
    const holder = await sure.pool.connect();
    try {
      const { id, done } = await bring('alone', async () => {
        await holder.query("begin; select from delivery where key = 'alone' for update");
      });
      const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => expect((await sure.pool.query(waits)).rowCount).toBe(1));
      line.cut();
      await holder.query('rollback');
      await eventually(async () => expect(await noted(id)).toEqual(whole));
      line.mend();
      expect(await done).toBe(1);
    } finally {
      holder.release();
    }
  },
);
