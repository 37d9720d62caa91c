import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { Client } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { openReceiver, type Letter } from '#modules/platform/deliveries/testing/receiver.ts';
import { messages } from './contract.ts';
import { devicesPushed } from './contract/push.ts';
import { ticketNews } from '#modules/workflow/tickets/notify/kinds.ts';
import { announce } from './service.ts';
import { openOutside } from './testing/outside.ts';

const { app, someone, rows, close } = await openOutside();
const service = await openReceiver();
service.answer = { status: 201, body: '' };
afterAll(async () => {
  await close();
  service.close();
});

/** Simulates a browser's subscription at our own push service. */
function device() {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16);
  const endpoint = `${service.url}push/${randomBytes(9).toString('base64url')}`;
  const body = { endpoint, p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') };
  /** Decrypts a push message for this device, by RFC 8291 as browsers do. */
  const read = ({ bytes }: Letter): unknown => {
    const [salt, size] = [bytes.subarray(0, 16), bytes[20]!];
    const theirs = bytes.subarray(21, 21 + size);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), theirs]);
    const key = Buffer.from(hkdfSync('sha256', own.computeSecret(theirs), auth, info, 32));
    const part = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${name}\0`, length));
    const open = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12));
    open.setAuthTag(bytes.subarray(-16));
    const text = Buffer.concat([open.update(bytes.subarray(21 + size, -16)), open.final()]);
    return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString());
  };
  const got = () => service.letters.filter(({ path }) => endpoint.endsWith(path));
  return { body, read, got };
}

let record = 0;
const urge = (who: Client, title = '有人催办') =>
  app.services.databases.write((tx) =>
    announce(tx, ticketNews.URGE, { id: ++record }, { title, content: '内情', page: '/ticket/duty', by: null }, [
      who.userId,
    ]),
  );
const arrives = (of: ReturnType<typeof device>, count: number) =>
  eventually(() => expect(of.got()).toHaveLength(count));
const idle = (who: Client) =>
  eventually(async () =>
    expect(
      await rows(
        `select key from graphile_worker.jobs where key like 'outside:%:' || $1::int
            union all select key from delivery where user_id = $1 and state in ('waiting', 'retrying')`,
        who.userId,
      ),
    ).toEqual([]),
  );

test('a message is pushed to each device that allowed it, encrypted for that device and signed by this server', async () => {
  const who = await someone();
  const { key } = await who.get(messages.push);
  const [phone, pad] = [device(), device()];
  for (const { body } of [phone, pad]) await who.get(messages.subscribe, { body });
  await urge(who);
  await Promise.all([arrives(phone, 2), arrives(pad, 2)]);
  const said = phone.got().map(phone.read);
  expect(said).toMatchObject([
    { title: '本设备已开启推送', path: '/msg' },
    { title: '有人催办', path: '/ticket/duty' },
  ]);
  expect(() => pad.read(phone.got()[1]!)).toThrow(/authenticate/);
  const { authorization = '' } = phone.got()[1]!.headers;
  const [, token, known] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization)!;
  expect(known).toBe(key);
  const [head, claims, signature] = token!.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature!, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({ aud: new URL(service.url).origin });
  const [kept] = await rows<{ auth: string; private: string }>(
    `select auth, (select value->>'private' from setting where key = 'push') private from push_device where user_id = $1`,
    who.userId,
  );
  expect(kept!.auth).not.toBe(phone.body.auth);
  expect(kept!.private.length).toBeGreaterThan(60);
});

test('nothing is queued for a person without a device or with push switched off', async () => {
  const [bare, silent] = [await someone(), await someone()];
  const phone = device();
  await silent.get(messages.subscribe, { body: phone.body });
  await silent.get(messages.keepPreference, { body: { events: { URGE: [] } } });
  for (const who of [bare, silent]) await urge(who);
  await Promise.all([bare, silent].map(idle));
  expect(phone.got().map(phone.read)).toMatchObject([{ title: '本设备已开启推送' }]);
});

test('a device gets no more pushes after its session ended, a password change, a new owner, or when its service drops it', async () => {
  const push = async (who: Client, one: ReturnType<typeof device>) => who.get(messages.subscribe, { body: one.body });
  const devicesOf = (who: Client) => rows('select id from push_device where user_id = $1', who.userId);
  const [left, changed, lender, next, gone] = await Promise.all([1, 2, 3, 4, 5].map(() => someone()));
  const [a, b, c, d] = [device(), device(), device(), device()];
  await push(left!, a);
  await left!.get(accounts.logout);
  await push(changed!, b);
  await rows('update app_user set session_version = session_version + 1 where id = $1', changed!.userId);
  await push(lender!, c);
  // Messages under way to a device end when it changes hands.
  await arrives(c, 1);
  await push(next!, c);
  await push(gone!, d);
  await arrives(d, 1);
  for (const who of [left!, changed!, lender!]) expect(await devicesOf(who)).toEqual([]);
  service.answer = { status: 410, body: '' };
  await urge(gone!);
  await eventually(async () => expect(await devicesOf(gone!)).toEqual([]));
  service.answer = { status: 201, body: '' };
  // The result is recorded in a transaction of its own.
  await eventually(async () => {
    const [state] = await rows('select state, answer from delivery where user_id = $1 order by id desc', gone!.userId);
    expect(state).toEqual({ state: 'given_up', answer: '该设备已停止接收推送' });
  });
  await idle(lender!);
  await urge(lender!);
  await idle(lender!);
  expect(c.got().map(c.read)).toMatchObject([{ title: '本设备已开启推送' }, { title: '本设备已开启推送' }]);
});

test('a device whose service refuses everything for a day is removed, but not after an hour or a success in between', async () => {
  const [who, one] = [await someone(), device()];
  await who.get(messages.subscribe, { body: one.body });
  await arrives(one, 1);
  const devices = () => rows<{ refusals: number }>('select refusals from push_device where user_id = $1', who.userId);
  const send = async (status: number, refusals: number | null) => {
    service.answer = { status, body: '' };
    await urge(who);
    await eventually(async () => expect(await devices()).toEqual(refusals === null ? [] : [{ refusals }]));
    // The refused one is retried automatically, which this test is not about.
    await rows(
      `update delivery set state = 'cancelled' where user_id = $1 and state in ('waiting', 'retrying')`,
      who.userId,
    );
  };
  for (const [at, status] of [400, 401, 403, 403].entries()) await send(status, at + 1);
  await send(201, 0);
  for (const [at, status] of [403, 400, 401, 403].entries()) await send(status, at + 1);
  // A clock that is wrong for an hour, here or there, removes nobody's device.
  await send(403, 5);
  await rows(`update push_device set refused_since = now() - interval '25 hours' where user_id = $1`, who.userId);
  await send(403, null);
  service.answer = { status: 201, body: '' };
});

test('a device is switched off only by its owner, and only the latest devices are kept', async () => {
  const [who, other] = [await someone(), await someone()];
  const all = Array.from({ length: devicesPushed + 2 }, device);
  for (const { body } of all) await who.get(messages.subscribe, { body });
  const endpoints = async () =>
    (await rows<{ endpoint: string }>('select endpoint from push_device where user_id = $1', who.userId)).map(
      (row) => row.endpoint,
    );
  expect((await endpoints()).toSorted()).toEqual(
    all
      .slice(2)
      .map(({ body }) => body.endpoint)
      .toSorted(),
  );
  const { endpoint } = all.at(-1)!.body;
  await other.get(messages.unsubscribe, { body: { endpoint } });
  expect(await endpoints()).toHaveLength(devicesPushed);
  await who.get(messages.unsubscribe, { body: { endpoint } });
  expect(await endpoints()).not.toContain(endpoint);
});

test('a push address of an unknown service is refused, and an internal one is never contacted', async () => {
  const who = await someone();
  const body = device().body;
  const asks = (wrong: object) => who.ask(messages.subscribe, { body: { ...body, ...wrong } });
  expect((await asks({ endpoint: 'http://push.example/x' })).msg).toContain('“push.example”不是加密地址');
  for (const wrong of [{ endpoint: 'ftp://push.example/x' }, { p256dh: 'AAAA' }, { auth: '!!' }])
    expect((await asks(wrong)).code).toBe(4000);
  await who.get(messages.subscribe, { body: { ...body, endpoint: 'https://10.1.2.3/x' } });
  await eventually(async () =>
    expect(await rows('select state, answer from delivery where user_id = $1', who.userId)).toEqual([
      { state: 'given_up', answer: expect.stringContaining('内部网络') },
    ]),
  );
});

test('an impossible push key is refused with a sentence, and one stored anyway affects only its own device', async () => {
  const who = await someone();
  const [broken, whole] = [device(), device()];
  const offCurve = Buffer.alloc(65, 7).fill(4, 0, 1).toString('base64url');
  const answer = await who.ask(messages.subscribe, { body: { ...broken.body, p256dh: offCurve } });
  expect([answer.code, answer.msg]).toEqual([4000, '设备公钥：浏览器给出的推送密钥不正确，请更新浏览器后重新开启推送']);
  for (const { body } of [broken, whole]) await who.get(messages.subscribe, { body });
  await Promise.all([arrives(broken, 1), arrives(whole, 1)]);
  await rows('update push_device set p256dh = $2 where endpoint = $1', broken.body.endpoint, offCurve);
  await urge(who);
  await arrives(whole, 2);
  await idle(who);
  const [state] = await rows("select answer from delivery where user_id = $1 and state = 'given_up'", who.userId);
  expect(state).toEqual({ answer: '该设备的推送密钥不正确，请在该设备上重新开启推送' });
  expect(await rows('select endpoint from push_device where user_id = $1', who.userId)).toEqual([
    { endpoint: whole.body.endpoint },
  ]);
});
