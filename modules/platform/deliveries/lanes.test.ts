import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { cloneTemplate } from '#apps/server/testing.ts';
import { openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { startJobs } from '#kernel/server/jobs/jobs.ts';
import { channelNames, type Channel } from './contract.ts';
import { deliverTask } from './deliver.ts';
import { post, type ChannelAdapters, type Payload } from './service.ts';
import { deliveryTable } from './tables.ts';

let base: Awaited<ReturnType<typeof cloneTemplate>>;
let databases: Databases;
beforeEach(async () => {
  base = await cloneTemplate();
  databases = openDatabases({ url: base.url, onError: () => undefined });
});
afterEach(async () => {
  await databases.close();
  await base.drop();
});

const payloads = (channel: Channel, count: number, more: Partial<Payload> = {}): Payload[] =>
  Array.from({ length: count }, (_, n) => ({
    channel,
    target: 'x',
    title: '通知',
    body: {},
    key: `${channel}:${n}${more.urgent ? ':urgent' : ''}`,
    ...more,
  }));
/** A node whose adapters all do this. */
function node(send: (channel: Channel, key: string) => Promise<void>) {
  const way = (channel: Channel) => ({ send: ({ key }: { key: string }) => send(channel, key).then(() => ({})) });
  const adapters = Object.fromEntries(
    channelNames.map((channel) => [channel, way(channel)]),
  ) as unknown as ChannelAdapters;
  const tasks = [deliverTask({ databases, adapters })] as Parameters<typeof startJobs>[0]['tasks'];
  return startJobs({ url: base.url, tasks, onError: () => undefined });
}

test('channels whose receiver hangs hold up no other channel', async () => {
  let letGo = () => undefined as void;
  const hanging = new Promise<void>((resolve) => (letGo = resolve));
  const hung: string[] = [];
  const jobs = await node(async (channel, key) => {
    if (channel !== 'mail' && channel !== 'hook') return;
    hung.push(key);
    await hanging;
  });
  try {
    await databases.write((tx) => post(tx, [...payloads('mail', 20), ...payloads('hook', 20)]));
    await eventually(() => expect(hung).toHaveLength(4));
    await databases.write((tx) => post(tx, payloads('sms', 3)));
    const texts = () => databases.fresh.select().from(deliveryTable).where(eq(deliveryTable.channel, 'sms'));
    const states = async () => (await texts()).map((row) => row.state);
    await eventually(async () => expect(await states()).toEqual(['sent', 'sent', 'sent']));
    expect(hung).toHaveLength(4);
  } finally {
    letGo();
    await jobs.stop();
  }
}, 180_000);

test('an urgent delivery goes before a batch that was queued earlier', async () => {
  await databases.write((tx) => post(tx, payloads('sms', 30)));
  await databases.write((tx) => post(tx, payloads('sms', 1, { urgent: true })));
  const order: string[] = [];
  const { promise: bothBegun, resolve: begin } = Promise.withResolvers<void>();
  // Each of two deliveries waits for the other, so that neither channel finishes several before the other has begun.
  const jobs = await node(async (_channel, key) => {
    order.push(key);
    if (order.length === 2) begin();
    await bothBegun;
  });
  try {
    await eventually(() => expect(order).toHaveLength(31));
    expect(order.indexOf('sms:0:urgent')).toBeLessThan(2);
  } finally {
    await jobs.stop();
  }
}, 180_000);
