import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cloneTemplate, testSecret } from '#apps/server/testing.ts';
import { openBus, type Bus } from '#kernel/server/bus.ts';
import { openDatabases, type Databases } from '#kernel/server/db.ts';
import { createSecretBox } from '#kernel/server/secret-box.ts';
import { userTable } from '#modules/people/tables.ts';
import { merged } from '#modules/settings/secrets.ts';
import { createSettings } from '#modules/settings/service.ts';
import { settingTable } from '#modules/settings/tables.ts';
import { messageTemplate, textPeople } from '#modules/sms/service.ts';
import { smsLogTable } from '#modules/sms/tables.ts';
import { openProviderServer, type ProviderServer } from '#modules/sms/testing/provider-server.ts';
import { post } from './service.ts';
import { deliveryTable, deliveryTryTable } from './tables.ts';
import { openPost, openReceiver, type Answering, type Post, type Receiver } from './testing/receiver.ts';

/** Parcels of each channel, and how often the node that brings them is killed. */
const [parcels, kills] = process.env['NIGHTLY'] ? [10_000, 200] : [40, 4];
const patience = { timeout: process.env['NIGHTLY'] ? 3_000_000 : 60_000, interval: 20 };
const answerMs = 40;
const channels = ['hook', 'mail', 'sms'] as const;
type Channel = (typeof channels)[number];

let base: Awaited<ReturnType<typeof cloneTemplate>>;
let databases: Databases;
let bus: Bus;
let receiver: Receiver;
let mails: Post;
let provider: ProviderServer;
/** The first delivers, the others wait for their turn. */
const workers: ChildProcess[] = [];
/** Letters that came and are not answered yet. */
const held = { hook: 0, mail: 0, sms: 0 };
/** Over when the node killed last is gone with all its connections. */
let gone: Promise<unknown> = Promise.resolve();

/** One time a parcel came: what the other house takes for the same message, and the key it came with. */
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
    ...Array.from({ length: Math.min(kills + 1, 6) }, startWorker),
  ]);
  holdUp('hook', receiver);
  holdUp('mail', mails);
  holdUp('sms', provider);
  databases = openDatabases({ url: base.url, onError: () => undefined });
  bus = await openBus(base.url, () => undefined);
  await hand();
  await killInTheMiddle();
  await vi.waitFor(async () => expect(await left()).toBe(0), { ...patience, interval: 200 });
}, patience.timeout + 60_000);
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  for (const server of [receiver, mails, provider]) server.close();
  await bus.close();
  await databases.close();
  await base.drop();
});

/** An answer takes its time, as it does over the wire, and none goes to a dying node. */
function holdUp(channel: Channel, server: Pick<Answering<unknown>, 'hold'>) {
  server.hold = async () => {
    held[channel]++;
    await pause(answerMs);
    held[channel]--;
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

/** Hands over what is to leave, in one transaction, as those do who write it. */
async function hand() {
  const secretBox = createSecretBox(testSecret);
  const given = {
    mail: { host: '127.0.0.1', port: String(mails.port), from: 'oa@school.example' },
    sms: provider.account('aliyun'),
    // Nothing failed: nobody has a reason to go by it.
    sms_backup: provider.account('tencent'),
    sms_rules: { quiet: '00:00-00:00' },
  };
  await databases.write((tx) =>
    tx.insert(settingTable).values({ key: 'interface', value: merged({}, given, secretBox) }),
  );
  const services = { settings: createSettings({ fresh: databases.fresh, bus }), secretBox };
  const all = Array.from({ length: parcels }, (_, number) => number);
  await databases.write(async (tx) => {
    const people = await tx
      .insert(userTable)
      .values(
        all.map((number) => ({
          username: `person${number}`,
          alias: `职员${number}`,
          phone: String(13_800_000_000 + number),
          password: '',
        })),
      )
      .returning({ id: userTable.id });
    const to = people.map(({ id }) => id);
    const params = { title: '有新的待办' };
    await textPeople(
      tx,
      { template: messageTemplate, to, params, module: 'tickets', objectId: 1 },
      services,
      new Date(),
    );
    await post(
      tx,
      all.flatMap((number) => [
        {
          channel: 'hook' as const,
          target: receiver.url,
          title: `包裹 ${number}`,
          body: { payload: { number } },
          key: `hook-${number}`,
        },
        {
          channel: 'mail' as const,
          target: `person${number}@school.example`,
          title: `包裹 ${number}`,
          body: { text: '请办理' },
          key: `mail-${number}`,
        },
      ]),
    );
  });
}

/** Kills the node that delivers whenever its share has come, each time with a letter of every channel not yet answered. */
async function killInTheMiddle() {
  begin();
  for (let killed = 0; killed < kills; killed++) {
    const enough = Math.floor((parcels / (kills + 1)) * (killed + 1));
    await vi.waitFor(
      () => {
        expect(Math.max(...channels.map((channel) => come[channel]().length))).toBeGreaterThanOrEqual(enough);
        expect(Object.values(held)).not.toContain(0);
      },
      { ...patience, interval: 2 },
    );
    const worker = workers.shift()!;
    gone = once(worker, 'exit').then(() => pause(2 * answerMs));
    worker.kill('SIGKILL');
    begin();
    await gone;
    if (kills - killed > workers.length) await startWorker();
  }
}

async function left(): Promise<number> {
  const rows = await databases.fresh.select({ state: deliveryTable.state }).from(deliveryTable);
  return rows.filter((row) => row.state !== 'sent').length;
}

test.each(channels)(
  `${parcels} parcels by %s while their worker is killed ${kills} times: none is lost, every repeat has its first key`,
  async (channel) => {
    const came = Map.groupBy(come[channel](), ({ message }) => message);
    expect(came.size).toBe(parcels);
    const keys = [...came].map(([message, times]) => {
      expect(new Set(times.map(({ key }) => key)).size, message).toBe(1);
      return times[0]!.key;
    });
    const posted = await databases.fresh.select().from(deliveryTable).where(eq(deliveryTable.channel, channel));
    expect(keys.toSorted()).toEqual(posted.map(({ key }) => key).toSorted());

    const tries = await databases.fresh
      .select({ ended: deliveryTryTable.ended })
      .from(deliveryTryTable)
      .innerJoin(deliveryTable, eq(deliveryTable.id, deliveryTryTable.deliveryId))
      .where(eq(deliveryTable.channel, channel));
    const cut = tries.filter((row) => row.ended === null).length;
    const repeats = come[channel]().length - parcels;
    // A try without an end stands for each repeat: the log knows what may have come twice.
    expect(tries.length).toBe(parcels + cut);
    expect(repeats).toBeLessThanOrEqual(cut);
    expect(cut).toBeGreaterThanOrEqual(kills);
    // Their answer had left before they came again: what lay with us, not on the way.
    const ours = [...came.values()].flatMap((times) =>
      times.slice(1).filter((_, before) => times.slice(0, before + 1).some(({ answered }) => answered)),
    ).length;
    process.stdout.write(`${JSON.stringify({ channel, parcels, kills, repeats, ours, cut })}\n`);
  },
);

test('every text message is noted as handed to the provider, and none has used up a try for a killed worker', async () => {
  const { state, retry } = smsLogTable;
  const count = sql<number>`count(*)::int`;
  const standing = await databases.fresh.select({ state, retry, count }).from(smsLogTable).groupBy(state, retry);
  expect(standing).toEqual([{ state: 1, retry: 0, count: parcels }]);
});
