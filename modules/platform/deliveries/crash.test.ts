import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneTemplate, testSecret } from '#apps/server/testing.ts';
import { openBus, type Bus } from '#kernel/server/live/bus.ts';
import { openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { createSecretBox } from '#kernel/server/process/secret-box.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { merged } from '#modules/platform/settings/secrets.ts';
import { createSettings } from '#modules/platform/settings/service.ts';
import { settingTable } from '#kernel/server/db/tables.ts';
import { messageTemplate, textPeople } from '#modules/platform/sms/service.ts';
import { smsLogTable } from '#modules/platform/sms/tables.ts';
import { openProviderServer, type ProviderServer } from '#modules/platform/sms/testing/provider-server.ts';
import { post, type Payload } from './service.ts';
import { deliveryTable, deliveryTryTable } from './tables.ts';
import { openPost, openReceiver, type Answering, type Post, type Receiver } from './testing/receiver.ts';

/** Payloads of each channel, and the number of times the delivering node is killed. */
const [payloads, kills] = process.env['NIGHTLY'] ? [10_000, 200] : [40, 4];
const longest = process.env['NIGHTLY'] ? 3_000_000 : 120_000;
const answerMs = 40;
const channels = ['hook', 'mail', 'sms'] as const;
type Channel = (typeof channels)[number];

let base: Awaited<ReturnType<typeof cloneTemplate>>;
let databases: Databases;
let bus: Bus;
let receiver: Receiver;
let mails: Post;
let provider: ProviderServer;
/** The first delivers, the second waits for its turn. */
const workers: ChildProcess[] = [];
/** Emits the channel of each arriving message, before it is answered. */
const arrivals = new EventEmitter();
/** Resolves when the node killed last is gone with all its connections. */
let gone: Promise<unknown> = Promise.resolve();

/** One arrival of a payload: the receiver's identity of the message, and its key. */
interface Come {
  message: string;
  key: string;
  answered: boolean;
}
const come: Record<Channel, () => Come[]> = {
  hook: () =>
    receiver.letters.map((letter) => ({
      message: letter.body,
      key: String(letter.headers['webhook-id']),
      answered: receiver.answered.has(letter),
    })),
  mail: () => mails.letters.map((mail) => ({ message: mail.id, key: mail.key, answered: mails.answered.has(mail) })),
  sms: () =>
    provider.heard.map((asked) => ({
      message: `${asked.provider} ${asked.signed} ${asked.mobile}`,
      key: asked.key,
      answered: provider.answered.has(asked),
    })),
};

beforeAll(async () => {
  [base, receiver, mails, provider] = await Promise.all([
    cloneTemplate(),
    openReceiver(),
    openPost(),
    openProviderServer(),
    startWorker(),
    startWorker(),
  ]);
  holdUp('hook', receiver);
  holdUp('mail', mails);
  holdUp('sms', provider);
  databases = openDatabases({ url: base.url, onError: () => undefined });
  bus = await openBus(base.url, () => undefined);
  const hand = await prepare();
  begin();
  for (let killed = 0; killed < kills; killed++) {
    const struck = arrivalOf(channels[killed % channels.length]!, 1 + (killed % 5));
    await hand(killed);
    await struck;
    await killInTheMiddle();
  }
  await hand(kills);
  while ((await left()) > 0) await pause(100);
}, longest);
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  for (const server of [receiver, mails, provider]) server.close();
  await bus.close();
  await databases.close();
  await base.drop();
});

/** A reply takes some time, as over a network, and none is sent to a dying node. */
function holdUp(channel: Channel, server: Pick<Answering<unknown>, 'hold'>) {
  server.hold = async () => {
    arrivals.emit(channel);
    await pause(answerMs);
    await gone;
  };
}

const begin = () => workers[0]!.send({ url: base.url, secret: testSecret });

async function startWorker() {
  const file = fileURLToPath(new URL('testing/worker.ts', import.meta.url));
  const worker = spawn(process.execPath, [file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(worker, 'message');
  workers.push(worker);
}

async function arrivalOf(channel: Channel, count: number) {
  for (let seen = 0; seen < count; seen++) await once(arrivals, channel);
}

/** Kills the node while it has not received the reply to a message. */
async function killInTheMiddle() {
  await pause(answerMs / 2);
  const worker = workers.shift()!;
  gone = once(worker, 'exit').then(() => pause(2 * answerMs));
  worker.kill('SIGKILL');
  begin();
  await Promise.all([gone, startWorker()]);
}

/** Settings and people; returns a function that posts one portion for each channel, in one transaction, as real writers do. */
async function prepare() {
  const secretBox = createSecretBox(testSecret);
  const given = {
    mail: { host: '127.0.0.1', port: String(mails.port), from: 'oa@school.example' },
    sms: provider.account('aliyun'),
    // Nothing failed, so the backup is not used.
    sms_backup: provider.account('tencent'),
  };
  const all = Array.from({ length: payloads }, (_, number) => ({
    username: `person${number}`,
    alias: `职员${number}`,
    phone: String(13_800_000_000 + number),
    password: '',
  }));
  const people = await databases.write(async (tx) => {
    await tx.insert(settingTable).values({ key: 'interface', value: merged({}, given, secretBox) });
    await tx.insert(settingTable).values({ key: 'sms_rules', value: { quiet: '00:00-00:00' } });
    return tx.insert(userTable).values(all).returning({ id: userTable.id });
  });
  const services = { settings: createSettings({ fresh: databases.fresh, bus }), secretBox, publicUrl: () => null };
  const from = (portion: number) => Math.floor((payloads / (kills + 1)) * portion);
  return (portion: number) => {
    const to = people.slice(from(portion), from(portion + 1)).map(({ id }) => id);
    const text = { template: messageTemplate, to, params: { title: '有新的待办' }, module: 'tickets', objectId: 1 };
    return databases.write(async (tx) => {
      await textPeople(tx, text, services, new Date());
      await post(
        tx,
        to.flatMap((id): Payload[] => [
          { channel: 'hook', target: receiver.url, title: '回调', body: { payload: { id } }, key: `hook-${id}` },
          {
            channel: 'mail',
            target: `person${id}@school.example`,
            title: '待办',
            body: { text: '请办理' },
            key: `mail-${id}`,
          },
        ]),
      );
    });
  };
}

async function left(): Promise<number> {
  const rows = await databases.fresh.select({ state: deliveryTable.state }).from(deliveryTable);
  return rows.filter((row) => row.state !== 'sent').length;
}

test.each(channels)(
  `${payloads} payloads by %s while their worker is killed ${kills} times: none is lost, every repeat has its first key`,
  async (channel) => {
    const came = Map.groupBy(come[channel](), ({ message }) => message);
    expect(came.size).toBe(payloads);
    const keys = [...came].map(([message, times]) => {
      expect(new Set(times.map(({ key }) => key)).size, message).toBe(1);
      return times[0]!.key;
    });
    const posted = await databases.fresh.select().from(deliveryTable).where(eq(deliveryTable.channel, channel));
    expect(keys.toSorted()).toEqual(posted.map(({ key }) => key).toSorted());

    const tries = await databases.fresh
      .select({ ended_at: deliveryTryTable.ended_at })
      .from(deliveryTryTable)
      .innerJoin(deliveryTable, eq(deliveryTable.id, deliveryTryTable.delivery_id))
      .where(eq(deliveryTable.channel, channel));
    const cut = tries.filter((row) => row.ended_at === null).length;
    const repeats = come[channel]().length - payloads;
    // Each retry has an unfinished try: the log shows what may have arrived twice.
    expect(tries.length).toBe(payloads + cut);
    expect(repeats).toBeLessThanOrEqual(cut);
    expect(cut).toBeGreaterThanOrEqual(Math.floor(kills / channels.length));
    // Their reply had been sent before they came again: the loss was on our side, not on the network.
    const ours = [...came.values()].flatMap((times) =>
      times.slice(1).filter((_, before) => times.slice(0, before + 1).some(({ answered }) => answered)),
    ).length;
    process.stdout.write(`${JSON.stringify({ channel, payloads, kills, repeats, ours, cut })}\n`);
  },
);

test('every text message handed to a provider is recorded, and a killed worker uses up no attempt', async () => {
  const { state, retry } = smsLogTable;
  const count = sql<number>`count(*)::int`;
  const standing = await databases.fresh.select({ state, retry, count }).from(smsLogTable).groupBy(state, retry);
  expect(standing).toEqual([{ state: 1, retry: 0, count: payloads }]);
});
